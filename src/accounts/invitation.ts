import { digest, newToken } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'

/** Lets newcomers in where the server admits by invitation. The code itself is kept nowhere. */
export interface StoredInvitation {
  /** SHA-256 of the code. */
  id: string
  /** How many it was made for, and how many may still come by it. */
  uses: number
  uses_left: number
  created_at: string
  /** From when on it admits nobody. */
  expires_at: string
}

/** What an invitation is made with where its maker says nothing, and at most. */
export const invitationUses = { standard: 1, most: 10_000 }
/** How many days an invitation is good for. */
export const invitationDays = { standard: 7, most: 365 }

const daySeconds = 86_400

/** A new invitation and its code, which is in no record. */
export function newInvitation(
  { uses, days }: { uses: number; days: number },
  now: Date,
): { code: string; record: StoredInvitation } {
  const code = newToken('inv')
  return {
    code,
    record: {
      id: digest(code),
      uses,
      uses_left: uses,
      created_at: timestamp(now),
      expires_at: secondsAfter(now, days * daySeconds),
    },
  }
}
