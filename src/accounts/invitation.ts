import { digest, newToken } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'

/** Admits newcomers where the server admits by invitation. The code itself is stored nowhere. */
export interface StoredInvitation {
  /** SHA-256 of the code. */
  id: string
  /** How many uses it was made with, and how many are left. */
  uses: number
  uses_left: number
  created_at: string
  /** When it stops being valid. */
  expires_at: string
}

/** Uses of an invitation, by default and at most. */
export const invitationUses = { standard: 1, most: 10_000 }
/** Days that an invitation is valid, by default and at most. */
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
