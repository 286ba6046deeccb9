import type { SMTPPoolOptions, Transporter } from 'nodemailer'
import { MailFailure, type Mailer, type OutgoingMail } from '#src/ports/mail/mailer.ts'
import type { MailSettings } from '#src/core/settings.ts'

/** How long the server may take to accept a connection and to greet. */
const connectWithinMs = 10_000
/** How long one waits for the server. */
export interface Patience {
  /** While it says nothing. */
  silentAtMostMs: number
  /** For all of a mail: a server that trickles is never silent. */
  sentWithinMs: number
}

const usual: Patience = { silentAtMostMs: 20_000, sentWithinMs: 45_000 }

const connectionsAtMost = 2
const mailsOfAConnection = 50

/** Commands whose refusal for good is about this mail: others are about the server, or about us. */
const aboutTheMail: ReadonlySet<string> = new Set(['RCPT TO', 'DATA'])

/** Mail through an SMTP server; nothing is loaded or connected before the first. */
export function openMailer({ server, from }: MailSettings, patience = usual): Mailer {
  let opened: Promise<Transporter> | undefined
  const transport = () => (opened ??= transportTo(server, patience))
  return {
    async send(mail, stopping) {
      const late = AbortSignal.timeout(patience.sentWithinMs)
      const signal = AbortSignal.any([stopping, late])
      try {
        await (await transport()).sendMail({ ...messageOf(mail, from), signal })
      } catch (cause) {
        stopping.throwIfAborted()
        throw failureOf(cause, late.aborted)
      }
    },
    close() {
      void opened?.then((one) => one.close())
    },
  }
}

async function transportTo(
  { host, port, isSecure, isHere, login }: MailSettings['server'],
  { silentAtMostMs }: Patience,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    host,
    port,
    secure: isSecure,
    // On this machine no one listens in between, and servers there seldom have a certificate.
    ...(isHere && !isSecure ? { ignoreTLS: true } : { requireTLS: true }),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    maxConnections: connectionsAtMost,
    maxMessages: mailsOfAConnection,
    dnsTimeout: connectWithinMs,
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    socketTimeout: silentAtMostMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return createTransport(options)
}

/** The addresses are objects, so that nothing in them is read as a list or a header. */
function messageOf(mail: OutgoingMail, from: string) {
  const { id, to, subject, text, fromName = 'Abode', replyTo, answers, unsubscribe } = mail
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    from: { name: fromName, address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    messageId: `<${id}@${domain}>`,
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    ...(answers !== undefined && { inReplyTo: answers, references: [answers] }),
    subject,
    text,
    // No machine answers it, as with an absence.
    headers: {
      'Auto-Submitted': 'auto-generated',
      // RFC 8058
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

function failureOf(cause: unknown, isLate: boolean): MailFailure {
  if (isLate) return new MailFailure('The mail server took too long.', { isAway: true, cause })
  const { responseCode, command, code } = Object(cause) as Record<string, unknown>
  if (typeof responseCode === 'number') {
    const isFinal = responseCode >= 500 && aboutTheMail.has(String(command))
    return new MailFailure(`The mail server answered ${responseCode}.`, { isFinal, cause })
  }
  const why = typeof code === 'string' ? ` (${code})` : ''
  const message = `The mail server could not be reached or understood${why}.`
  return new MailFailure(message, { isAway: true, cause })
}
