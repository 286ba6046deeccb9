import { mailSeal } from '#src/accounts/mail/mail.ts'
import { openMailer } from '#adapters/mail/mailer.ts'
import { readConfig } from '#adapters/config/read.ts'
import type { Ports } from '#src/core/context.ts'
import type { Mailer } from '#src/ports/mail/mailer.ts'

/** The mails that wait to be sent to an address, the newest first. */
export async function postedTo(
  { store, sealer }: Pick<Ports, 'store' | 'sealer'>,
  to: string,
): Promise<{ subject: string; text: string; link: string }[]> {
  const rows = await store.mails.find({ to }, { sort: { id: -1 } })
  return rows.map(({ id, sealed }) => {
    // It was sealed as a subject and a text.
    const said = JSON.parse(sealer.open(sealed ?? '', mailSeal(id))) as Record<
      'subject' | 'text',
      string
    >
    return { ...said, link: /https?:\/\/\S+/.exec(said.text)?.[0] ?? '' }
  })
}

/** The code at the end of the link of the newest of them. */
export async function codePostedTo(
  ports: Pick<Ports, 'store' | 'sealer'>,
  to: string,
): Promise<string> {
  const [mail] = await postedTo(ports, to)
  return mail?.link.split('/').at(-1) ?? ''
}

/** Settings of a server of mails at which nothing listens: what is sent waits, and is looked at where it waits. */
export const toNowhere = {
  ABODE_SMTP_URL: 'smtp://127.0.0.1:9',
  ABODE_MAIL_FROM: 'abode@example.org',
}

export function mailerToNowhere(): Mailer {
  const { mail } = readConfig(toNowhere)
  if (!mail) throw new Error('no mail is configured')
  return openMailer(mail)
}
