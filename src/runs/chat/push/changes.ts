import { isResumed } from '#src/runs/approvals/verdict.ts'
import type { PushTarget } from '#src/events/outbox/push-target.ts'
import type { ChatTask } from '../chat.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import type { Ended } from '#src/runs/ended.ts'
import { hasEnded, type StoredRun } from '#src/runs/run.ts'
import { owedFor, type Changed } from './owed.ts'
import { shownState } from './view.ts'
import { expiry } from './target.ts'

type Needed = Pick<Ports, 'store'>

/**
 * The notifications of a run's change to the targets of its chat task, for the commit of the change, with
 * the write that prevents a target from being set in between. None for a run that no chat has started.
 * @param run after the change
 */
export async function pushesOf(
  { store }: Needed,
  run: StoredRun,
  now: Date,
  only: { ifTold?: boolean } = {},
): Promise<Write[]> {
  if (run.chat_id === undefined) return []
  const chat = await store.chats.get(run.chat_id)
  if (!chat || chat.ended_at !== undefined) return []
  const goesOn = isResumed(run)
  // Its follow-up run replaces it now, in the queue.
  const next = {
    status: 'queued',
    reason: null,
    created_at: timestamp(now),
    finished_at: null,
  } as const
  const shown: StoredRun = goesOn ? { ...run, ...next } : run
  const all = await targetsOf({ store }, chat)
  const targets = all.filter(({ is_gone }) => !is_gone)
  const isNews = targets.length > 0 && chat.state !== shownState(shown)
  if (only.ifTold && !isNews) return []
  const told = (chat.told ?? 0) + 1
  const change = {
    told,
    ...(isNews && { state: shownState(shown) }),
    ...(hasEnded(shown) && { ended_at: timestamp(now) }),
  }
  const update = { id: chat.id, told: chat.told ?? null }
  const writes: Write[] = [{ in: 'chats', update, change: { $set: change } }]
  if (hasEnded(shown)) writes.push(...all.map((target) => expiring(target, now)))
  if (!isNews) return writes
  const changed: Changed = { chat, run: shown, isReplaced: goesOn, number: told, now }
  return [...writes, ...owedFor(targets, changed)]
}

/** Notifies the targets of a chat task of the end of its run, or that a follow-up run continues. */
export function pushedOf(
  ports: Needed,
  { run, now, atOnce }: Pick<Ended, 'run' | 'now' | 'atOnce'>,
): Promise<Write[]> | Write[] {
  // For a run that is accepted and ended in one commit, `beginning` notifies.
  return atOnce || run.chat_id === undefined ? [] : pushesOf(ports, run, now)
}

/**
 * Notifies the targets of a chat task that work on its run begins, before it does: if this process
 * stops in between, the next worker of the run notifies them.
 */
export async function pushBeginning(
  ports: Pick<Ports, 'store' | 'clock' | 'wake'>,
  run: StoredRun,
): Promise<void> {
  if (run.chat_id === undefined) return
  const working = { ...run, status: 'running' } as const
  for (;;) {
    const writes = await pushesOf(ports, working, ports.clock.now(), { ifTold: true })
    if (writes.length === 0) return
    try {
      await ports.store.commit(writes)
      return
    } catch (cause) {
      if (!(cause instanceof Unmet)) throw cause
    }
  }
}

async function targetsOf(
  { store }: Needed,
  { id, targets = 0 }: Pick<ChatTask, 'id' | 'targets'>,
): Promise<PushTarget[]> {
  if (targets === 0) return []
  return store.push_targets.find({ chat_id: id }, { sort: { config_id: 1 } })
}

function expiring({ id }: PushTarget, now: Date): Write {
  return { in: 'push_targets', update: { id }, change: { $set: expiry(now) } }
}
