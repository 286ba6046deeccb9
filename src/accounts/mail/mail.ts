import * as z from 'zod'
import type { Ports } from '#src/core/context.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { OutgoingMail } from '#src/ports/mail/mailer.ts'
import type { Write } from '#src/ports/store.ts'
import { emailKey } from '../people/person.ts'

/** What a mail is about; of each kind one address gets a few in an hour. */
export type MailKind = 'reset' | 'changed' | 'register' | 'verify' | 'deleted' | 'factor' | 'news'

/** A mail to send, at rest. */
export interface StoredMail {
  id: string
  to: string
  /** SHA-256 of kind and address. */
  group: string
  /** The account that is told if the address is refused. */
  account_id: string | null
  /** Its subject and text, and what ends such mails, sealed, since the text may open something; null once it has ended. */
  sealed: string | null
  /** `void`: never to be sent; it is there so that a call takes the same time. */
  status: 'pending' | 'sent' | 'refused' | 'failed' | 'void'
  attempts: number
  due_at: string | null
  claim: string | null
  created_at: string
  /** When what it says is over: it is not sent after that. */
  expires_at: string
}

/** A mail and whom it goes to. */
export interface Letter extends Pick<OutgoingMail, 'to' | 'subject' | 'text' | 'unsubscribe'> {
  kind: MailKind
  accountId: string | null
  /** How long what it says holds, in seconds. */
  holdsSeconds: number
}

/** Mails of one kind that one address gets within an hour: more say nothing new, and may be someone's mischief. */
export const mailsAnHour = 3
/** The same of news, which waits for room instead. */
const newsAnHour = 20
const hourSeconds = 3600

type Posting = Pick<Ports, 'store' | 'clock' | 'sealer'>

/**
 * The writes that have a mail sent, for the commit of its cause. They are as many, and take as long, where it is not
 * sent: to an address that has had enough of them, or none can be sent to.
 * @param isWanted false where there is no one to send it to, which the caller is not to learn
 */
export async function mailTo(
  { store, clock, sealer }: Posting,
  { to, kind, accountId, subject, text, unsubscribe, holdsSeconds }: Letter,
  isWanted = true,
): Promise<Write[]> {
  const now = clock.now()
  const hasRoom = await hasRoomFor({ store, clock }, kind, to)
  const isSent = isWanted && hasRoom && z.regexes.html5Email.test(to)
  const id = newId('mal')
  const sealed = sealer.seal(JSON.stringify({ subject, text, unsubscribe }), mailSeal(id))
  const insert: StoredMail = {
    id,
    to: isSent ? to : '',
    group: groupOf(kind, to),
    account_id: accountId,
    sealed: isSent ? sealed : null,
    status: isSent ? 'pending' : 'void',
    attempts: 0,
    due_at: isSent ? timestamp(now) : null,
    claim: null,
    created_at: timestamp(now),
    // It counts for an hour even where what it says is over sooner.
    expires_at: secondsAfter(now, Math.max(holdsSeconds, hourSeconds)),
  }
  return [{ in: 'mails', insert }]
}

/** Whether an address may get one more mail of a kind now. */
export async function hasRoomFor(
  { store, clock }: Pick<Posting, 'store' | 'clock'>,
  kind: MailKind,
  to: string,
): Promise<boolean> {
  const since = secondsAfter(clock.now(), -hourSeconds)
  const recent = { group: groupOf(kind, to), created_at: { $gt: since } }
  const had = await store.mails.count({ ...recent, status: { $ne: 'void' } })
  return had < (kind === 'news' ? newsAnHour : mailsAnHour)
}

function groupOf(kind: MailKind, to: string): string {
  return digest(`${kind} ${emailKey(to)}`)
}

/** What the seal of a mail is bound to. */
export function mailSeal(id: string): { id: string; purpose: string } {
  return { id, purpose: 'mail' }
}

/** Mails that a commit has stored are sent at once. */
export const wakeMails: Effect = ({ wake }, writes) => {
  if (insertedInto('mails', writes).some(({ status }) => status === 'pending')) wake.mails()
}

/** @throws Refusal `mail_off` where the operator has named no mail server */
export function mustHaveMail({ mailer }: Pick<Ports, 'mailer'>): void {
  if (mailer) return
  refuse('mail_off', 'This server sends no mail.', {
    hint: 'Its operator sets a new password up in another way: ask them.',
  })
}
