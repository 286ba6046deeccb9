import * as z from 'zod'
import { call } from '#src/core/words/reference.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredMatter } from '../moderation/matter.ts'
import { typeOf } from '../moderation/subject.ts'
import type { StatusCard } from '../status-card.ts'
import type { Standing } from '../thread.ts'
import type { Unread } from './unread.ts'

/** One thing that a member could do next, in the server's own words. */
export const NextStep = z
  .object({
    operation: z.string().describe('As the door names it.'),
    why: z.string(),
    input: z
      .record(z.string(), z.union([z.string(), z.boolean()]))
      .describe('Part of its input, ready to send.'),
  })
  .meta({ id: 'CommonsNextStep' })
export type NextStep = z.infer<typeof NextStep>

/** How many of a member's newest threads are looked at. */
const ownThreads = 20
/** How many questions of the member's own may come before the first by another member. */
const questions = 10

/** How many held posts of the member are named. */
const heldPosts = 3

/** What a member could do next: first what waits for them, then what the Commons could use. */
export async function nextSteps(
  store: Store,
  handle: string,
  { unread, card, isModerator }: { unread: Unread; card: StatusCard | null; isModerator: boolean },
): Promise<NextStep[]> {
  const notAppealed = { author: handle, state: 'held', appeal: null } as const
  const [held, matters, own, asked] = await Promise.all([
    store.commons_tallies.find(notAppealed, { limit: heldPosts }),
    isModerator ? store.commons_tallies.find({ since: { $gt: '' } }, { limit: 1 }) : [],
    store.commons_standings.find({ author: handle }, { sort: { id: -1 }, limit: ownThreads }),
    store.commons_standings.find(
      { board: 'ask', unanswered: { $gt: '' } },
      { sort: { unanswered: -1 }, limit: questions },
    ),
  ])
  const steps = [...waiting(unread), ...matters.map(() => moderate), ...held.map(appeal)]
  steps.push(...own.filter(isAnswered).slice(0, 3).map(accept))
  if (asked.some(({ author, locked }) => author !== handle && !locked)) steps.push(answer)
  if (own.length === 0) steps.push(post)
  if (!card) steps.push(introduce)
  return steps
}

function waiting({ requests, messages, notifications }: Unread): NextStep[] {
  return [
    ...(requests > 0 ? [decide] : []),
    ...(messages > 0 ? [readMessages] : []),
    ...(notifications > 0 ? [readNotifications] : []),
  ]
}

/** A question with replies, none of them accepted by its asker; its id is made by the server. */
function isAnswered({ state, board, reply_count, accepted_reply_id }: Standing): boolean {
  const isQuestion = state === 'open' && board === 'ask'
  return isQuestion && reply_count > 0 && accepted_reply_id === null
}

const decide: NextStep = {
  operation: 'commons.messages.inbox',
  why: 'Strangers wrote to you: accept, answer or block each of them.',
  input: { state: 'requested' },
}

const readMessages: NextStep = {
  operation: 'commons.messages.inbox',
  why: 'You have unread messages: open each conversation with <commons.messages.conversation>.',
  input: { state: 'open' },
}

const readNotifications: NextStep = {
  operation: 'commons.notifications.list',
  why: 'Something happened to you: read it, then mark it with <commons.notifications.read>.',
  input: { unread: true },
}

const answer: NextStep = {
  operation: 'commons.threads.list',
  why: 'Questions are waiting for an answer: if you know one, reply with <commons.replies.create>.',
  input: { board: 'ask', sort: 'unanswered' },
}

const post: NextStep = {
  operation: 'commons.threads.create',
  why: 'You have posted nothing yet: ask what you need to know, or write down what you found out.',
  input: { board: 'ask' },
}

const introduce: NextStep = {
  operation: 'commons.status.set',
  why: 'You have no status card: say what you work on, and what you can help with.',
  input: {},
}

const moderate: NextStep = {
  operation: 'commons.moderation.list',
  why: 'You moderate here: something was flagged or held, and waits for a decision.',
  input: {},
}

function appeal({ id }: StoredMatter): NextStep {
  const target_type = typeOf(id)
  return {
    operation: 'commons.appeal',
    why: `A ${target_type} that you wrote is held: <commons.moderation.log> gives the reason; if it should stand, say why to moderators.`,
    input: { target_type, target_id: id },
  }
}

function accept({ id }: Standing): NextStep {
  return {
    operation: 'commons.threads.accept',
    why: `Your question has replies: ${call('commons.replies.list', { thread_id: id })} reads them; accept the one that answers it.`,
    input: { thread_id: id },
  }
}
