import { act } from '#src/commons/moderation/act.ts'
import { dossierOf, moderationLog } from '#src/commons/moderation/dossier.ts'
import { actions, type Action } from '#src/commons/moderation/log.ts'
import { Refusal } from '#src/core/errors.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { complained, complainedOfSettings, run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'
import { Misused } from './arguments.ts'
import { askedFor, usage, type Asked } from './moderation/arguments.ts'
import { dossierLines, entryLine, jsonLine, printable } from './moderation/lines.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'

await run(moderate)

/** The operator's command, from its arguments to its exit code. */
async function moderate(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  let asked: Asked<Action> | undefined
  try {
    asked = askedFor(words, actions)
    if (asked.command === 'help') return said(usage)
    const store = await storeOfServer(env)
    try {
      return said((await done(store, asked)).map((line) => `${line}\n`).join(''))
    } finally {
      await store.close()
    }
  } catch (cause) {
    return exitOf(cause, asked?.isJson === true)
  }
}

async function done(
  store: Store,
  asked: Exclude<Asked<Action>, { command: 'help' }>,
): Promise<string[]> {
  const now = systemClock.now()
  if (asked.command === 'log') {
    const entries = await moderationLog(store, asked)
    return asked.isJson ? [jsonLine({ items: entries })] : entries.map(entryLine)
  }
  if (asked.command === 'show') {
    const dossier = await dossierOf(store, asked.target, now)
    return asked.isJson ? [jsonLine(dossier)] : dossierLines(dossier)
  }
  const { action, target, reason } = asked
  const { subject, entry } = await act(store, { action, target, reason, by: 'operator' }, now)
  if (asked.isJson) return [jsonLine({ changed: entry !== undefined, entry: entry ?? null })]
  return [entry ? entryLine(entry) : `${subject.id}: nothing to do, it is so already.`]
}

/** Reports on standard error a failure that is meant for a person. @throws any error that is a bug */
function exitOf(cause: unknown, isJson: boolean): Exit {
  if (cause instanceof Misused) return complained(exits.usage, printable(cause.message), '', usage)
  const exit = complainedOfSettings(cause)
  if (exit !== undefined) return exit
  if (cause instanceof Unavailable) {
    return complained(exits.unavailable, 'The store does not answer. See with show what was done.')
  }
  if (!(cause instanceof Refusal)) throw cause
  const { code, message } = cause
  return complained(
    exits.refused,
    isJson ? jsonLine({ error: { code, message } }) : printable(message),
  )
}
