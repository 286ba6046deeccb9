import type { Row, Store } from '#src/ports/store.ts'
import { listens } from './log/account-log.ts'
import { hookNames, isForTriggers, isForWebhooks } from './names.ts'

/** Whom an event concerns. */
export interface Subject {
  ownerId: string
  charId: string | null
  appId: string | null
}

const noTypes: ReadonlySet<string> = new Set()
/** Tasks that are examined; with more of them, every event is assumed to have a listener. */
const looksInto = 8
const charactersAtMost = 2 ** 16

/**
 * The types among these that may have a listener: a task of the account, a hook of the agent or the
 * webhook of the app. It is called for each run that ends, and costs two short reads if there is no
 * listener. It may include a type without a listener, and never leaves one out.
 */
export async function heardOf(
  store: Store,
  { ownerId, charId, appId }: Subject,
  types: readonly string[],
): Promise<ReadonlySet<string>> {
  if (listens(ownerId)) return new Set(types)
  const [agents, tasks] = await Promise.all([
    charId === null ? [] : store.characters.text({ id: charId, hooked: true }, { limit: 1 }),
    types.some(isForTriggers)
      ? store.tasks.text({ reacts: ownerId }, { limit: looksInto, charactersAtMost })
      : [],
  ])
  if (agents.length === 0 && tasks.length === 0 && appId === null) return noTypes
  const characters = tasks.reduce((sum, { text }) => sum + text.length, 0)
  const isMore = tasks.length === looksInto || characters > charactersAtMost
  const heard = new Set<string>()
  for (const type of types) {
    const isHooked = agents.some((row) => names(row, hookNames(type)))
    const isAwaited = isMore || tasks.some((row) => names(row, [type]))
    if (isHooked || (isAwaited && isForTriggers(type))) heard.add(type)
    else if (await isSubscribed(store, appId, type)) heard.add(type)
  }
  return heard
}

/** Whether the text has one of the names: the store writes JSON, which spells a name always the same way. */
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
