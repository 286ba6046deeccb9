import * as z from 'zod'
import { roomFor, senderOf, type Leaving } from '#src/accounts/room.ts'
import { actorFor } from '#src/core/credentials/actor.ts'
import type { Answer } from '#src/core/answer.ts'
import { heavyBytes } from '#src/core/input/bounds.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { ownerOf } from '#src/core/counts/quota-table.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import { newRun } from '#src/runs/new-run.ts'
import { endInTurn } from '#src/runs/output/remember.ts'
import { instantOutcome, isInstant } from '#src/runs/ending/instant.ts'
import { arrivingBytes, countedBytes } from '#src/runs/retention/bytes.ts'
import { announce, instantEnding } from '#src/runs/ending/end-run.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { lacksModel } from '#src/runs/runtimes/prompt/choose-model.ts'
import { areRunsLimited, hasRunLeft, noRunForOthers, type Bounds } from '#src/runs/skip-reason.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Write } from '#src/ports/store.ts'
import { partner, writerName, type Partner } from '#src/runs/chat/access.ts'
import type { ChatTask } from '#src/runs/chat/chat.ts'
import { chosenTask } from '#src/runs/chat/choose-task.ts'
import { Part, saidIn } from '#src/runs/chat/input.ts'
import { beginning } from '#src/runs/chat/push/open.ts'
import { SentTarget } from '#src/runs/chat/push/target.ts'
import { ChatShown } from '#src/runs/chat/view.ts'
import { shownTo } from '#src/runs/chat/state.ts'

export const send = operation({
  name: 'chat.send',
  summary: 'Send a message to a hosted agent: the task that answers it runs.',
  example: { char_id: 'ada', message_id: 'm-1', parts: [{ text: 'What was filed today?' }] },
  auth: 'none',
  oauthScope: 'run',
  http: { method: 'POST', path: '/a2a/{char_id}', mayAccept: true },
  toolsets: ['messages'],
  input: z.strictObject({
    char_id: z.string().max(128),
    message_id: z.string().min(1).max(1024).describe("The sender's own id of the message."),
    context_id: z.string().max(256).optional().describe('The conversation that it continues.'),
    task_id: z.string().max(128).optional().describe('The task to run, by name.'),
    parts: z.array(Part).min(1),
    push: SentTarget.optional().describe('Where to send changes of the task.'),
  }),
  output: ChatShown,
  refuses: [
    'character_not_found',
    'forbidden',
    'task_not_found',
    'run_not_found',
    'write_conflict',
  ],
  untrusted: true,
  internal: true,

  /** The agent may by now be closed to the sender, deleted, or another one under the same id. */
  async again(text, context) {
    // The answer of `run`.
    const { id, char_id } = JSON.parse(text) as ChatShown
    const { agent } = await partner(context, char_id)
    const chat = await context.store.chats.get(id)
    if (chat?.owner_id === agent.owner_id) return
    refuse('run_not_found', 'The task that this message started was deleted.', {
      hint: 'Send it as a new message, under another messageId.',
    })
  },

  async run(sent, context) {
    const { caller, clock } = context
    const found = await partner(context, sent.char_id)
    const { taskId, input } = saidIn(sent.parts)
    const asker = { isOwn: found.isOwn, charId: caller.charId }
    const task = await chosenTask(context, found.agent, asker, sent.task_id ?? taskId)
    const contextId = await contextOf(context, found, sent.context_id)
    const now = clock.now()
    const at = timestamp(now)
    const by = {
      context_id: contextId,
      ...(caller.charId !== undefined && { char_id: caller.charId }),
    }
    const trigger = { type: 'message', at, caller: by }
    const sender = senderOf(context, found.agent.owner_id)
    const bytes = arrivingBytes({ input, variables: null })
    if (bytes > heavyBytes) await turnOf(clock)
    // A run that ends at once takes no room in the queue.
    const bounds = { beyondQueue: isInstant(task) }
    const skipped = await reasonToSkip(context, found, { sender, bytes, ...bounds })
    const hasNoModel = lacksModel(context.models, task)
    const from = { sender, source: sourceOf(caller, 'chat', found.agent.owner_id) }
    const startedBy = actorFor(found.agent.owner_id, caller)
    const made = newRun(task, { trigger, input, hasNoModel, skipped, startedBy, ...from }, now)
    const chat: ChatTask = {
      id: made.id,
      char_id: made.char_id,
      owner_id: made.owner_id,
      task_id: task.task_id,
      caller: writerName(context),
      context_id: contextId,
      message_id: sent.message_id,
      created_at: at,
    }
    const run = { ...made, chat_id: made.id, bytes: countedBytes(made) + sizeOf(chat) }
    return opened(context, { chat, run, task, now, sent: sent.push })
  },
})

interface Opening {
  chat: ChatTask
  run: StoredRun
  task: StoredTask
  now: Date
  sent: SentTarget | undefined
}

/**
 * Keeps the chat task with its run, in one commit; a run that ends at once has ended in that commit.
 */
async function opened(context: Context, opening: Opening): Promise<Answer<ChatShown>> {
  const { chat, run, task, now, sent } = opening
  const { clock, commit } = context
  const outcome = run.status === 'queued' ? instantOutcome(run, task) : undefined
  const shown = (as: StoredRun): ChatShown =>
    shownTo(context, chat, { run: as, approval: undefined })
  if (outcome) {
    // What it starts depends on what others may change or make meanwhile.
    return retryUnmet(async () => {
      const { ending, answer } = await endInTurn(task, async () => {
        const made = await instantEnding(context, run, outcome, now, task)
        if (arrivingBytes(run) > heavyBytes) await turnOf(clock)
        const begun = beginning(context, { chat, run: made.run, sent })
        const writes = [...made.writes, ...begun]
        return { ending: made, answer: await commit(shown(made.run), writes) }
      })
      await announce(context, ending)
      return answer
    })
  }
  const begun = beginning(context, { chat, run, sent })
  const writes: Write[] = [{ in: 'runs', insert: run }, ...begun]
  // It counts against the agent's account, even where another account sent it.
  return commit(shown(run), writes, { pending: run.status === 'queued' })
}

/**
 * The conversation that a message belongs to: a new one, or an existing one of the same sender with
 * the same agent.
 * @throws Refusal `invalid_input`, the same for one of another sender and one that does not exist
 */
async function contextOf(
  context: Context,
  { agent }: Partner,
  named: string | undefined,
): Promise<string> {
  if (named === undefined || named === '') return newId('ctx')
  const own = { context_id: named, caller: writerName(context) }
  const here = { char_id: agent.id, owner_id: agent.owner_id }
  const [known] = await context.store.chats.text({ ...own, ...here }, { limit: 1 })
  if (known) return named
  const message = 'You have no such conversation with this agent.'
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/context_id', message, code: 'context_unknown' }],
    hint: 'Leave contextId out to begin a new one; the answer names it.',
  })
}

/**
 * Why the run is recorded as skipped: its account has no run left today. The account itself is refused
 * instead, and so is a caller that has used up what others may have.
 * @throws Refusal `quota_exceeded`
 */
async function reasonToSkip(
  context: Context,
  { agent, isOwn }: Partner,
  leaving: Leaving & Bounds,
): Promise<string | undefined> {
  const { store, quotas, caller } = context
  if (isOwn && caller.kind === 'key') {
    if (!areRunsLimited(context, caller)) return undefined
    if (!leaving.beyondQueue) await quotas.admit('queued_runs', caller)
    await quotas.admit('runs_a_day', caller)
    return undefined
  }
  const account = await store.accounts.get(agent.owner_id)
  const owner = ownerOf(agent.owner_id, account)
  if (!areRunsLimited(context, owner)) return undefined
  await roomFor(context, owner, leaving)
  if (await hasRunLeft(context, owner, leaving)) return undefined
  return leaving.sender === undefined ? 'quota' : noRunForOthers()
}
