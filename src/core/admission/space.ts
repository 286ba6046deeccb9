import type { Space } from '#src/ports/space.ts'
import type { Caller } from './caller.ts'
import { Refusal } from '../errors.ts'
import { beginsSession, isRead } from '../operation-facts.ts'
import { type Operation } from '../operation.ts'

/** What is left when strangers are turned away is for those whom somebody holds to account. */
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
      hint: 'Try again later. Reading and deleting goes on; an account that a person has claimed may write.',
    },
  )
}

/**
 * Refuses what strangers would leave while there is little room: a key of an unclaimed account, a handle,
 * and whoever has none. Signing in goes on, which is the way to a claim, and so does what is paid.
 * @throws Refusal `store_full`
 */
export function admitStranger(space: Pick<Space, 'room'>, op: Operation, caller: Caller): void {
  if (space.room === 'ok' || isRead(op) || op.http.method === 'DELETE') return
  if (op.inNeed === true || beginsSession(op) || op.auth === 'person') return
  if (lacksRoom(space, { claimed: caller.kind === 'key' && caller.claimed })) throw noRoom()
}
