import { ConfigFaults } from '#adapters/config/read.ts'
import { MasterKeyUnusable } from '#adapters/compose/master-key.ts'
import type { StorePlace } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'

/** How a command of the operator ends, as `sysexits.h` numbers it. */
export const exits = {
  done: 0,
  usage: 64,
  refused: 65,
  unavailable: 69,
  configuration: 78,
} as const

export type Exit = (typeof exits)[keyof typeof exits]

/** Runs a command, from its words to its exit code. */
export async function run(
  command: (words: readonly string[], env: NodeJS.ProcessEnv) => Promise<Exit>,
): Promise<void> {
  // Whoever reads only the first lines, as `head` does, is no fault.
  process.stdout.on('error', () => undefined)
  process.exitCode = await command(process.argv.slice(2), process.env)
}

/** Says how far a command has come. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Says what came of a command. */
export function said(text: string): Exit {
  process.stdout.write(text)
  return exits.done
}

/** Says what was wrong, on standard error. */
export function complained(exit: Exit, ...lines: readonly string[]): Exit {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
  return exit
}

/** What is wrong with the settings, or with what they name; undefined for anything else. */
export function complainedOfSettings(cause: unknown): Exit | undefined {
  if (cause instanceof ConfigFaults) return complained(exits.configuration, ...cause.faults)
  if (cause instanceof StoreUnusable || cause instanceof MasterKeyUnusable) {
    return complained(exits.configuration, cause.message)
  }
  return undefined
}

/** Somebody else has the store open. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse'
}

/** Of a database only its operator knows who uses it. @throws StoreInUse */
export async function mustBeUnused({ uri, folder }: StorePlace): Promise<void> {
  if (uri !== undefined) return
  const { isInUse } = await import('#adapters/store/sqlite/use/in-use.ts')
  if (!isInUse(folder)) return
  throw new StoreInUse(`Another process has the store in ${folder} open: stop every server first.`)
}
