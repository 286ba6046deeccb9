import { commitAudited } from '#src/accounts/audit/commit.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import { lineUpTo } from '#src/core/text/prose.ts'
import type { TargetType } from '../records.ts'
import { noReply } from '../replies/read.ts'
import { noSecrets } from '../secret-scan.ts'
import { threadNotFound } from '../threads/read.ts'
import { retryRace } from '../votes/races.ts'
import { acting } from './act.ts'
import { notHeld } from './appeal.ts'
import {
  newestEntry,
  shownEntry,
  type Action,
  type ModerationEntry,
  type StoredEntry,
} from './log.ts'
import { mustBeHeldByOthers, mustBeOfOthers, mustModerate } from './moderators.ts'
import { contentOf, stateOf, type Content } from './subject.ts'
import { targetInput } from './target.ts'

/** What a moderator can decide about a thread or reply. */
export type Decision = 'hold' | 'release' | 'remove'

/** The input of a decision. */
export const decisionInput = {
  ...targetInput,
  reason: lineUpTo(500).describe('For the public log.'),
}

/** The codes of every decision. */
export const decisionRefuses = [
  'forbidden',
  'thread_not_found',
  'reply_not_found',
  'secret_detected',
  'write_conflict',
] as const

interface Sent {
  target_type: TargetType
  target_id: string
  reason: string
}

/**
 * Carries out what a moderator decides; answers its entry in the log, or the one by which it is so already.
 * @throws Refusal `forbidden`, `thread_not_found`, `reply_not_found`, `not_held`, `secret_detected`
 */
export async function moderate(
  decision: Decision,
  { target_type, target_id, reason }: Sent,
  context: Context<'commons'>,
): Promise<Answer<ModerationEntry>> {
  mustModerate(context)
  noSecrets({ '/reason': reason })
  const { store, clock, caller, commit } = context
  return retryRace(['commons_tallies'], async () => {
    const content = await contentOf(store, target_type, target_id)
    await mustBeOfOthers(content, context)
    await mustBeHeldByOthers(content, context)
    const action = actionFor(decision, content)
    const order = { action, reason, by: 'moderator', moderator: caller.handle } as const
    const acted = acting(content, order, clock.now())
    if (acted) return kept(context, decision, acted)
    // What its author has deleted has no such entry.
    return commit((await newestEntry(store, target_id, action)) ?? notThere(target_type), [])
  })
}

/** @throws Refusal `thread_not_found`, `reply_not_found` where it was removed, `not_held` */
function actionFor(decision: Decision, content: Content): Action {
  const state = stateOf(content)
  if (decision === 'remove') return 'remove'
  if (state === 'removed') return notThere(content.type)
  if (decision === 'hold') return 'hold'
  if (state === 'held') return 'restore'
  return content.matter ? 'dismiss' : notHeld(content.type)
}

/** Ends the call; that of an agent is recorded in the audit of its account, a handle has none. */
function kept(
  context: Context<'commons'>,
  decision: Decision,
  { entry, writes }: { entry: StoredEntry; writes: readonly Write[] },
): Promise<Answer<ModerationEntry>> {
  const { handle, accountId, keyId, personId, connection } = context.caller
  const shown = shownEntry(entry)
  if (accountId === undefined || keyId === undefined) return context.commit(shown, writes)
  const about = { handle, target_id: entry.target_id, entry_id: entry.id }
  const note = { operation: `commons.moderation.${decision}`, about }
  const caller = { accountId, keyId, personId, ...(connection && { connection }) }
  return commitAudited({ ...context, caller }, shown, writes, note)
}

function notThere(type: TargetType): never {
  return type === 'thread' ? threadNotFound() : noReply()
}
