import { readdirSync, readFileSync } from 'node:fs'
import { openShell } from '#adapters/shell/bubblewrap.ts'
import { RuntimeUnusable } from '#adapters/shell/unusable.ts'
import type { Shell } from '#src/ports/shell.ts'

/**
 * The shell runtime; undefined, with the reason on standard error, where this machine cannot have
 * it. In CI that is a failure: there it must be tested.
 */
export async function shellHere(hidden: readonly string[] = []): Promise<Shell | undefined> {
  try {
    return await openShell({ hidden })
  } catch (cause) {
    if (!(cause instanceof RuntimeUnusable) || process.env['CI']) throw cause
    process.stderr.write(`the shell runtime is not tested here: ${cause.message}\n`)
    return undefined
  }
}

/** How many processes of this machine have the text in their arguments. */
export function processesWith(text: string): number {
  return readdirSync('/proc').filter((name) => {
    try {
      const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : ''
      return Number(name) !== process.pid && line.includes(text)
    } catch {
      // It is gone by now.
      return false
    }
  }).length
}
