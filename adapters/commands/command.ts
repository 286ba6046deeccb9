import { ConfigFaults } from '#adapters/config/read.ts'
import { MasterKeyUnusable } from '#adapters/compose/master-key.ts'
import type { StorePlace } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { exits, type Exit } from './exits.ts'

/** Runs a command, from its arguments to its exit code. */
export async function run(
  command: (words: readonly string[], env: NodeJS.ProcessEnv) => Promise<Exit>,
): Promise<void> {
  // A reader that closes the pipe early, such as `head`, is not an error.
  process.stdout.on('error', () => undefined)
  process.exitCode = await command(process.argv.slice(2), process.env)
}

/** Reports the progress of a command. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints the result of a command. */
export function said(text: string): Exit {
  process.stdout.write(text)
  return exits.done
}

/** Reports on standard error what went wrong. */
export function complained(exit: Exit, ...lines: readonly string[]): Exit {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
  return exit
}

/** Reports faults in the settings, or in what they name, or that this does not answer; undefined for any other cause. */
export function complainedOfSettings(cause: unknown): Exit | undefined {
  if (cause instanceof ConfigFaults) return complained(exits.configuration, ...cause.faults)
  if (cause instanceof StoreUnusable && cause.isAway) {
    return complained(exits.unavailable, cause.message)
  }
  if (cause instanceof StoreUnusable || cause instanceof MasterKeyUnusable) {
    return complained(exits.configuration, cause.message)
  }
  return undefined
}

/** What was asked for cannot be done; the message says why. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Another process has the store open. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse'
}

/** For a database, only its operator knows who uses it. @throws StoreInUse */
export async function mustBeUnused({ uri, folder }: StorePlace): Promise<void> {
  if (uri !== undefined) return
  const { isInUse } = await import('#adapters/store/sqlite/use/in-use.ts')
  if (!isInUse(folder)) return
  throw new StoreInUse(`Another process has the store in ${folder} open: stop every server first.`)
}
