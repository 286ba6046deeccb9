import type { Space } from '#src/ports/space.ts'
import type { Caller } from './caller.ts'
import { Refusal } from '../errors.ts'
import { beginsSession, isRead } from '../operation-facts.ts'
import { type Operation } from '../operation.ts'

/** Whether this account may store nothing more: the last room is kept for claimed ones. */
export function lacksRoom(
  { room }: Pick<Space, 'room'>,
  { claimed }: { claimed: boolean },
): boolean {
  return room !== 'ok' && !claimed
}

/** The refusal of a write while there is little room. */
export function noRoom(): Refusal {
  return new Refusal(
    'store_full',
    'The server has little room left, and keeps it for claimed accounts.',
    {
      retryAfterSeconds: 60,
      hint: 'Try again later. You can still read and delete; an account that a person has claimed may write.',
    },
  )
}

/**
 * Refuses what unclaimed callers would store while there is little room: keys of unclaimed accounts,
 * handles, and calls without a credential. Signing in still works, because it leads to a claim, and so
 * do calls that are paid for.
 * @throws Refusal `store_full`
 */
export function admitStranger(space: Pick<Space, 'room'>, op: Operation, caller: Caller): void {
  if (space.room === 'ok' || isRead(op) || op.http.method === 'DELETE') return
  if (op.inNeed === true || beginsSession(op) || op.auth === 'person') return
  if (lacksRoom(space, { claimed: caller.kind === 'key' && caller.claimed })) throw noRoom()
}
