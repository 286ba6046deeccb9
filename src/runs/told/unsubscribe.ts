import * as z from 'zod'
import { unknownLink } from '#src/accounts/mail/link.ts'
import type { Ports } from '#src/core/context.ts'
import type { SealedFor } from '#src/core/seal.ts'
import { kindNames, type Kind } from './kinds.ts'

/** Whom a mail has told, and of what: what its link ends. */
const Told = z.strictObject({
  account_id: z.string(),
  person_id: z.string(),
  kinds: z.array(z.enum(kindNames)),
})
export type Told = z.infer<typeof Told>

/** The path of the page that ends mails, before the code of a link. */
export const unsubscribeFolder = '/unsubscribe/'

/** Longest code of a link in characters. */
export const unsubscribeCodeAtMost = 1000

const sealedFor: SealedFor = { id: 'link', purpose: 'unsubscribe' }

/** The address by which who has a mail ends what it tells; it says nothing of whose it is. */
export function unsubscribeAddress(
  { sealer, settings }: Pick<Ports, 'sealer' | 'settings'>,
  told: Told,
): string {
  const code = sealer.seal(JSON.stringify(told), sealedFor)
  return settings.publicUrl + unsubscribeFolder + code
}

/** What the link with this code ends. @throws Refusal `link_unusable` */
export function toldBy({ sealer }: Pick<Ports, 'sealer'>, code: string): Told {
  let text: string
  try {
    text = sealer.open(code, sealedFor)
  } catch {
    return unknownLink()
  }
  const read = Told.safeParse(JSON.parse(text))
  return read.success ? read.data : unknownLink()
}

/** The kinds that a link ends: those of its mail, or all. */
export function endedBy({ kinds }: Told, all: boolean): Kind[] {
  return all ? [...kindNames] : kinds
}
