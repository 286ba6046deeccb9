import { mailSeal } from '#src/accounts/mail/mail.ts'
import type { Ports } from '#src/core/context.ts'

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
