import { mailSeal, type StoredMail } from '#src/accounts/mail/mail.ts'
import { noticeTo } from '#src/accounts/notice.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { dueOrLost, timesOf, type Times } from '#src/core/turns/leases.ts'
import { pauseAfter } from '#src/events/outbox/retry-schedule.ts'
import { MailFailure, type Mailer } from '#src/ports/mail/mailer.ts'
import { Unmet, type Write } from '#src/ports/store.ts'

/** Mails under way at once. */
const mailsAtOnce = 4
/** How long a worker holds a mail, in seconds: longer than a try can last. */
const leaseSeconds = 90
/** How long mails under way may go on when the process is to stop. */
const graceMs = 1500

type Posting = Ports & { mailer: Mailer }

/** Sends mails. */
export interface Mailing {
  /** Takes what is due, as far as there is room, and gives how much that was. */
  tick(): Promise<number>
  /** Takes no more; what does not end soon is handed back. */
  stop(): Promise<void>
}

/** @param more called when there may be room before the next tick */
export function mailing(ports: Posting, more: () => void): Mailing {
  const active = new Set<Promise<void>>()
  const stopping = new AbortController()
  let isStopping = false
  const start = (mail: StoredMail): void => {
    const trying = tried(ports, mail, stopping.signal)
      .catch((cause: unknown) => {
        // It comes due again when its lease runs out.
        ports.log.error('a mail could not be tried', { mail: mail.id, cause })
      })
      .finally(() => {
        active.delete(trying)
        more()
      })
    active.add(trying)
  }
  return {
    async tick() {
      const room = mailsAtOnce - active.size
      if (isStopping || room <= 0) return 0
      const times = await timesOf(ports)
      let taken = 0
      for (const id of await dueMails(ports, times, room)) {
        const mail = await claimed(ports, id, times)
        if (!mail) continue
        taken += 1
        start(mail)
      }
      return taken
    },
    async stop() {
      isStopping = true
      const cancel = ports.clock.after(graceMs, () => stopping.abort())
      await Promise.all(active)
      cancel()
    },
  }
}

async function dueMails({ store }: Posting, times: Times, limit: number): Promise<string[]> {
  const latest = times.now > times.leases ? times.now : times.leases
  const due = { ...dueOrLost(times), due_at: { $lte: timestamp(latest) } }
  const rows = await store.mails.pick(['id'], due, { sort: { due_at: 1 }, limit })
  return rows.map(([id]) => String(id))
}

function claimed({ store }: Posting, id: string, times: Times): Promise<StoredMail | undefined> {
  const $set = { due_at: secondsAfter(times.leases, leaseSeconds), claim: newId('wrk') }
  return store.mails.update({ id, ...dueOrLost(times) }, { $set })
}

async function tried(ports: Posting, mail: StoredMail, signal: AbortSignal): Promise<void> {
  const { id, to, sealed, expires_at } = mail
  const { clock, mailer, sealer } = ports
  const at = clock.now()
  if (expires_at <= timestamp(at)) return settle(ports, mail, at, tooLate)
  try {
    // It was sealed here, as a subject and a text.
    const said = JSON.parse(sealer.open(sealed ?? '', mailSeal(id))) as Said
    await mailer.send({ id, to, ...said }, signal)
  } catch (cause) {
    if (signal.aborted) return handBack(ports, mail, at)
    if (!(cause instanceof MailFailure)) throw cause
    return settle(ports, mail, at, cause)
  }
  return settle(ports, mail, at)
}

interface Said {
  subject: string
  text: string
  unsubscribe?: string
}

const tooLate = new MailFailure('What it says was over before it could be sent.', {
  isFinal: false,
})

function handBack({ store }: Posting, { id, claim }: StoredMail, at: Date): Promise<void> {
  const change = { $set: { due_at: timestamp(at), claim: null } }
  return store.mails.update({ id, claim }, change).then(() => undefined)
}

/** Stores what became of a try: only its holder does. */
async function settle(
  ports: Posting,
  mail: StoredMail,
  at: Date,
  failure?: MailFailure,
): Promise<void> {
  const { store, log } = ports
  const attempts = mail.attempts + 1
  const next = failure && !failure.isFinal ? nextTry(mail, attempts, at) : undefined
  const status = !failure ? 'sent' : failure.isFinal ? 'refused' : next ? 'pending' : 'failed'
  const isOver = status !== 'pending'
  const $set = { status, attempts, due_at: next ?? null, claim: null } as const
  const change = { $set: isOver ? { ...$set, to: '', sealed: null } : $set }
  const own: Write = { in: 'mails', update: { id: mail.id, claim: mail.claim }, change }
  const noted = status === 'refused' ? refusalNotice(mail, at) : []
  try {
    await store.commit([own, ...noted])
  } catch (cause) {
    // Another worker took it over meanwhile.
    if (cause instanceof Unmet) return
    throw cause
  }
  if (!failure) return
  const fields = { mail: mail.id, attempts, why: failure.message }
  if (isOver) log.warn('a mail was given up', fields)
  else log.warn('a mail could not be sent yet', { ...fields, cause: failure })
}

function nextTry(mail: StoredMail, attempts: number, at: Date): string | undefined {
  const pause = pauseAfter(attempts, { id: mail.id })
  const next = pause === undefined ? undefined : secondsAfter(at, pause)
  return next !== undefined && next < mail.expires_at ? next : undefined
}

/** Tells who has the address, where they look when no mail comes. */
function refusalNotice({ account_id }: StoredMail, at: Date): Write[] {
  if (account_id === null) return []
  const message = 'The mail server refused a mail to your e-mail address, so it was not sent.'
  return [noticeTo(account_id, 'delivery.failed', message, {}, at)]
}
