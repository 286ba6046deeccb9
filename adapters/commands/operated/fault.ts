import { Refusal } from '#src/core/errors.ts'
import { Unavailable } from '#src/ports/store.ts'
import { Misused } from '../arguments.ts'
import { complained, complainedOfSettings, Refused } from '../command.ts'
import { exits, type Exit } from '../exits.ts'

/**
 * What went wrong with a command on the store of a server, on standard error, and its exit code.
 * @param seeWith the words that show what was done @throws any error that is a bug
 */
export function exitOf(cause: unknown, usage: string, seeWith: string): Exit {
  if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usage)
  if (cause instanceof Refusal || cause instanceof Refused) {
    return complained(exits.refused, cause.message)
  }
  if (cause instanceof Unavailable) {
    return complained(
      exits.unavailable,
      `The store does not answer. See with ${seeWith} what was done.`,
    )
  }
  const exit = complainedOfSettings(cause)
  if (exit === undefined) throw cause
  return exit
}
