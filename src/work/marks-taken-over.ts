import type { StoredMessage } from '#src/agents/messages/message.ts'
import type { Ports } from '#src/core/context.ts'
import { marked, marksOf, type Source } from '#src/core/text/untrusted.ts'
import type { StoredApproval } from '#src/runs/approvals/approval.ts'
import type { Filter } from '#src/ports/filter.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { sourceOfStart } from '#src/runs/new-run.ts'
import { sourceAfter } from '#src/runs/output/taint.ts'
import type { StoredRun } from '#src/runs/run.ts'

/** Where the store keeps that it is done. */
const doneId = 'marks'
const atOnce = { sort: { id: 1 }, limit: 100, charactersAtMost: 2 ** 20 } as const

type Kept = Pick<Store, 'runs' | 'approvals' | 'messages'>
type Needed = Pick<Ports, 'store'>

/** Whether what the store holds of others is marked. */
export async function areMarksTakenOver({ meta }: Pick<Store, 'meta'>): Promise<boolean> {
  return (await meta.get(doneId)) !== undefined
}

/**
 * Marks the runs, approvals and messages of stores of before that came from outside of their account, as far as
 * they say so. Done once for a store; a start that was broken off goes on with the next.
 * @returns how many were marked
 */
export async function marksTakenOver({ store }: Needed): Promise<number> {
  // In this order: approvals and messages have the marks of their runs.
  const count =
    (await runsMarked(store)) + (await approvalsMarked(store)) + (await messagesMarked(store))
  await store.meta.insert({ id: doneId, value: 'done' }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
  return count
}

/** Those that may come from outside: of a stranger, or with a run before them. Ids grow with time, so that run is first. */
const fromElsewhere: readonly Filter<StoredRun>[] = [
  { sender: { $gt: '' } },
  { 'trigger.type': 'webhook' },
  { parent_run_id: { $gt: '' } },
  { resumed_from: { $gt: '' } },
  { retry_of: { $gt: '' } },
]

async function runsMarked(store: Kept): Promise<number> {
  return eachUnmarked(
    (after) => store.runs.find({ id: { $gt: after }, untrusted: null, $or: fromElsewhere }, atOnce),
    async (run) => {
      const source = await sourceOfRun(store, run)
      return source && store.runs.update({ id: run.id, untrusted: null }, marking(source))
    },
  )
}

async function sourceOfRun(store: Kept, run: StoredRun): Promise<Source | undefined> {
  const { owner_id, resumed_from, retry_of, parent_run_id } = run
  const before = resumed_from ?? retry_of
  const same = before === undefined ? undefined : await store.runs.get(before)
  if (same && resumed_from === null) return marksOf(same).source
  if (same) {
    const [approval] = await store.approvals.find({ follow_up_run_id: run.id }, { limit: 1 })
    return approval ? sourceAfter(same, approval, approval.votes) : marksOf(same).source
  }
  const parent = parent_run_id === null ? undefined : await store.runs.get(parent_run_id)
  return parent ? sourceOfStart(owner_id, { parent }) : originOf(store, run)
}

/** Where a run came from that no other run led to, or whose run before is gone. */
async function originOf(
  { messages }: Pick<Store, 'messages'>,
  { owner_id, trigger, chat_id, sender }: StoredRun,
): Promise<Source | undefined> {
  if (trigger.type === 'webhook') return { kind: 'webhook' }
  if (sender === undefined) return undefined
  if (chat_id !== undefined) return { kind: 'chat' }
  const { message_id } = trigger.caller ?? {}
  const message = typeof message_id === 'string' ? await messages.get(message_id) : undefined
  if (message && message.to_owner === owner_id) return sourceOfMessage(message)
  return { kind: trigger.type === 'order' || trigger.type === 'action' ? trigger.type : 'message' }
}

async function approvalsMarked(store: Kept): Promise<number> {
  return eachUnmarked(
    (after) => store.approvals.find({ id: { $gt: after }, untrusted: null }, atOnce),
    async (approval: StoredApproval) => {
      const run = await store.runs.get(approval.run_id)
      const source = run && marksOf(run).source
      return source && store.approvals.update({ id: approval.id, untrusted: null }, marking(source))
    },
  )
}

async function messagesMarked(store: Kept): Promise<number> {
  return eachUnmarked(
    (after) => store.messages.find({ id: { $gt: after }, untrusted: null }, atOnce),
    async (message) => {
      const run = message.run_id === null ? undefined : await store.runs.get(message.run_id)
      const source = sourceOfMessage(message) ?? (run && marksOf(run).source)
      return source && store.messages.update({ id: message.id, untrusted: null }, marking(source))
    },
  )
}

function sourceOfMessage({
  from,
  from_owner,
  to_owner,
  run_id,
}: StoredMessage): Source | undefined {
  if (from_owner === to_owner) return undefined
  return { kind: run_id === null ? 'message' : 'handoff', account: from_owner, char_id: from }
}

function marking(source: Source) {
  return { $set: marked(source) }
}

/** @returns how many were marked */
async function eachUnmarked<T extends { id: string }>(
  next: (after: string) => Promise<T[]>,
  mark: (one: T) => Promise<unknown>,
): Promise<number> {
  let count = 0
  for (let after = ''; ;) {
    const page = await next(after)
    for (const one of page) if (await mark(one)) count += 1
    const last = page.at(-1)
    if (!last) return count
    after = last.id
  }
}
