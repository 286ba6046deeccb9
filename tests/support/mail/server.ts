import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { until } from '../until.ts'

/** A mail as the server has taken it. */
export interface TakenMail {
  from: string
  to: string[]
  /** As it stood between the servers. */
  raw: string
  subject: string
  /** Decoded. */
  text: string
  /** The address in it: there is one. */
  link: string
}

/** A mail server on the loopback that speaks SMTP. */
export interface MailServer {
  url: string
  mails: TakenMail[]
  /** Who has signed in to it, with which password. */
  logins: string[]
  /** How often a mail was tried. */
  tries: number
  /**
   * What it answers from now on instead of taking the mail: to its recipient, or after all of it; undefined takes it.
   */
  refuses: { code: number; message: string; after?: 'the mail' } | undefined
  /** Whether it falls silent instead of answering to a recipient. */
  hangs: boolean
  /** The nth mail that it takes, once it has. */
  mail(nth: number): Promise<TakenMail>
  close(): Promise<void>
}

/** Starts it. @param user who has to sign in, if anyone; the password is `hush & hush` */
export async function startMailServer({ user }: { user?: string } = {}): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: user === undefined,
    disabledCommands: user === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username = '', password = '' }, _session, done) {
      made.logins.push(`${username}:${password}`)
      if (username === user && password === 'hush & hush') done(null, { user: username })
      else done(new Error('no'))
    },
    onRcptTo(_address, _session, done) {
      made.tries += 1
      if (made.hangs) return
      done(made.refuses?.after === undefined ? refusal() : undefined)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        if (made.refuses) return done(refusal())
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        made.mails.push(takenMail(from, to, Buffer.concat(chunks).toString()))
        done()
      })
    },
  })
  const refusal = (): Error | undefined => {
    const { code, message } = made.refuses ?? {}
    return code === undefined
      ? undefined
      : Object.assign(new Error(message), { responseCode: code })
  }
  const made: MailServer = {
    url: '',
    mails: [],
    logins: [],
    tries: 0,
    refuses: undefined,
    hangs: false,
    async mail(nth) {
      await until(() => made.mails.length > nth)
      const mail = made.mails[nth]
      if (!mail) throw new Error(`there is no mail ${nth}`)
      return mail
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const login = user === undefined ? '' : `${encodeURIComponent(user)}:hush%20%26%20hush@`
  made.url = `smtp://${login}127.0.0.1:${port}`
  return made
}

function takenMail(from: string, to: string[], raw: string): TakenMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const isQuoted = /^content-transfer-encoding: quoted-printable/im.test(head)
  const decoded = isQuoted ? unquoted(body) : body
  return {
    from,
    to,
    raw,
    subject: /^subject: (.*)$/im.exec(head)?.[1]?.trim() ?? '',
    text: decoded,
    link: /https?:\/\/\S+/.exec(decoded)?.[0] ?? '',
  }
}

function unquoted(body: string): string {
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}
