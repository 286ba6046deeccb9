import type { Write } from '#src/ports/store.ts'
import { call } from '#src/core/words/reference.ts'
import { noticeTo } from '../notice.ts'

/** The notice of a change among the persons of an account, so that its owners hear of one that a thief has made. */
export function membersChanged(accountId: string, what: string, now: Date): Write {
  const message = `${what} ${call('account.members.list')} lists who is a member; ${call('account.audit')} says who changed it.`
  return noticeTo(accountId, 'members.changed', message, {}, now)
}
