import type { Answer } from '#src/core/answer.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import type { CommitOptions, Context } from '#src/core/context.ts'
import { growing } from '#src/core/counts/growth.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { keyActor } from '#src/core/credentials/actor.ts'
import type { Actor } from '#src/core/credentials/actor.ts'
import { contended } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { DuplicateKey, Unmet, type Store, type Write } from '#src/ports/store.ts'
import {
  auditHash,
  auditId,
  type AuditHead,
  type AuditNote,
  type StoredAuditRecord,
} from './record.ts'

/** Each failed try means that another change of the account was recorded meanwhile. */
const tries = 100

/** Who changes something, and from where. */
export interface Auditing extends Pick<Context, 'store' | 'clock' | 'address'> {
  caller: Pick<KeyCaller, 'keyId' | 'personId' | 'accountId' | 'connection'>
  commit: Context['commit']
}

/** Whose change it is, and in which chain it stands. */
interface Author {
  accountId: string
  actor: Actor
  network: string | null
}

/**
 * Ends an operation that writes like `commit`, with a record of it in the chain of the account: both are
 * stored, or nothing is. Without a note nothing is recorded.
 */
export function commitAudited<T>(
  context: Auditing,
  answer: T,
  writes: readonly Write[],
  note: AuditNote | undefined,
  options: CommitOptions = {},
): Promise<Answer<T>> {
  const { caller, commit, address } = context
  if (!note) return commit(answer, writes, options)
  const { accountId = caller.accountId } = note
  const isOwn = accountId === caller.accountId
  const own = keyActor(caller)
  // What is another account's is its own affair.
  const actor = isOwn ? own : { kind: own.kind }
  const who = { accountId, actor, network: isOwn ? address : null }
  return recorded(context, who, note, (chained) => commit(answer, [...writes, ...chained], options))
}

/**
 * Calls a commit with the writes of a record, again while another record was faster.
 * @param commit stores these writes with those of the change
 */
export async function recorded<T>(
  { store, clock }: Pick<Auditing, 'store' | 'clock'>,
  { accountId, actor, network }: Author,
  { operation, about, changed = [] }: AuditNote,
  commit: (chained: readonly Write[]) => Promise<T>,
): Promise<T> {
  for (let i = 0; i < tries; i++) {
    const head = await store.audit_heads.get(accountId)
    const whole = {
      account_id: accountId,
      seq: (head?.seq ?? 0) + 1,
      at: timestamp(clock.now()),
      operation,
      actor,
      network,
      about: { ...about },
      changed: [...changed].sort(),
      previous: head?.hash ?? null,
    }
    try {
      return await commit(chained({ ...whole, hash: auditHash(whole) }, head))
    } catch (cause) {
      if (!isBehind(cause)) throw cause
    }
  }
  return contended('Others kept changing the same account.')
}

function chained(record: Omit<StoredAuditRecord, 'id'>, head: AuditHead | undefined): Write[] {
  const { account_id, seq, hash } = record
  const insert = { id: auditId(account_id, seq), ...record }
  return [
    growing({ in: 'audit', insert }, account_id, sizeOf(insert)),
    head
      ? { in: 'audit_heads', update: { ...head }, change: { $set: { seq, hash } } }
      : { in: 'audit_heads', insert: { id: account_id, seq, hash } },
  ]
}

/** Whether the chain has grown since its head was read. */
function isBehind(cause: unknown): boolean {
  const isOvertaken = cause instanceof Unmet || cause instanceof DuplicateKey
  return isOvertaken && (cause.in === 'audit_heads' || cause.in === 'audit')
}

/** The newest record of an account, for those who keep it apart; null if there is none. */
export async function auditHead(
  { audit_heads }: Pick<Store, 'audit_heads'>,
  accountId: string,
): Promise<{ seq: number; hash: string } | null> {
  const head = await audit_heads.get(accountId)
  return head ? { seq: head.seq, hash: head.hash } : null
}
