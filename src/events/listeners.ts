import type { Row, Store } from '#src/ports/store.ts'
import { hookNames, isForTriggers, isForWebhooks } from './names.ts'

/** To whom something happens. */
export interface Subject {
  ownerId: string
  charId: string | null
  appId: string | null
}

const nobody: ReadonlySet<string> = new Set()
/** Tasks that are looked into; with more of them every event is taken to be listened to. */
const looksInto = 8

/**
 * Those of the types that somebody may be waiting for: a task of the account, a hook of the agent
 * or the webhook of the app. Asked for each run that ends, so it costs two short reads where nobody
 * listens. It may name one that turns out to be heard by none, and never leaves one out.
 */
export async function heardOf(
  store: Store,
  { ownerId, charId, appId }: Subject,
  types: readonly string[],
): Promise<ReadonlySet<string>> {
  const [agents, tasks] = await Promise.all([
    charId === null ? [] : store.characters.text({ id: charId, hooked: true }, { limit: 1 }),
    types.some(isForTriggers) ? store.tasks.text({ reacts: ownerId }, { limit: looksInto }) : [],
  ])
  if (agents.length === 0 && tasks.length === 0 && appId === null) return nobody
  const heard = new Set<string>()
  for (const type of types) {
    const isHooked = agents.some((row) => names(row, hookNames(type)))
    const isAwaited = tasks.length === looksInto || tasks.some((row) => names(row, [type]))
    if (isHooked || (isAwaited && isForTriggers(type))) heard.add(type)
    else if (await isSubscribed(store, appId, type)) heard.add(type)
  }
  return heard
}

/** Stored text is JSON of ours, in which the same name always stands the same way. */
function names({ text }: Row, among: readonly string[]): boolean {
  return among.some((name) => text.includes(JSON.stringify(name)))
}

async function isSubscribed(
  { apps }: Pick<Store, 'apps'>,
  appId: string | null,
  type: string,
): Promise<boolean> {
  if (appId === null || !isForWebhooks(type)) return false
  const listening = {
    id: appId,
    'webhook.state': 'active',
    'webhook.events': { $all: [type] },
  } as const
  return (await apps.text(listening, { limit: 1 })).length > 0
}
