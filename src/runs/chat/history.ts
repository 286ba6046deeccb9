import { marksOf, type Source } from '#src/core/text/untrusted.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredRun } from '../run.ts'
import { shortened, type Fence } from '#src/core/text/fence.ts'
import type { ChatTask } from './chat.ts'
import { standingAfter } from './state.ts'

/** How much of a conversation a run gets: exchanges, and characters of each side of one. */
const exchangesAtMost = 20
const sideAtMost = 4000
const charactersAtMost = 40_000

type Needed = Pick<Store, 'chats' | 'runs' | 'approvals'>

/** An earlier message in a conversation, and its answer. */
interface Exchange {
  said: string
  answered: string | null
  /** Where it came from, if that is outside of the account. */
  source: Source | undefined
}

/** What was said before, and where that came from, if from outside of the account. */
export interface Conversation {
  text: string
  source: Source | undefined
}

/**
 * The conversation before the message that has started a run, oldest first, each message between the
 * marks of others' text; undefined if there is none.
 */
export async function conversationText(
  store: Needed,
  run: Pick<StoredRun, 'chat_id'>,
  fence: Fence,
): Promise<Conversation | undefined> {
  const exchanges = await exchangesBefore(store, run)
  if (exchanges.length === 0) return undefined
  const told = exchanges.flatMap(({ said, answered }) => [
    fence.around('an earlier message of the same sender', said),
    answered === null ? [] : fence.around('what you answered it', answered),
  ])
  const text = [
    'Your task continues a conversation. This was said before, the oldest first.',
    ...told.flat(),
  ].join('\n\n')
  return { text, source: exchanges.find(({ source }) => source)?.source }
}

async function exchangesBefore(
  store: Needed,
  { chat_id }: Pick<StoredRun, 'chat_id'>,
): Promise<Exchange[]> {
  const chat = chat_id === undefined ? undefined : await store.chats.get(chat_id)
  if (!chat) return []
  const earlier = await chatsBefore(store, chat)
  if (earlier.length === 0) return []
  const runs = await store.runs.find({ id: { $in: earlier.map(({ id }) => id) } })
  const byId = new Map(runs.map((run) => [run.id, run]))
  const exchanges: Exchange[] = []
  let left = charactersAtMost
  for (const { id } of earlier) {
    const first = byId.get(id)
    if (!first) continue
    const { run } = await standingAfter(store, first)
    const answered = run.status === 'completed' && run.output !== null ? textOf(run.output) : null
    const exchange = { said: textOf(first.input), answered, source: marksOf(first).source }
    left -= exchange.said.length + (answered?.length ?? 0)
    if (left < 0) break
    exchanges.unshift(exchange)
  }
  return exchanges
}

/** Newest first; a conversation belongs to one sender and one agent. */
async function chatsBefore({ chats }: Needed, chat: ChatTask): Promise<ChatTask[]> {
  const { context_id, caller, char_id, owner_id, id } = chat
  const same = { context_id, caller, char_id, owner_id, id: { $lt: id } }
  return chats.find(same, { sort: { id: -1 }, limit: exchangesAtMost })
}

function textOf(value: unknown): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value ?? null), sideAtMost)
}
