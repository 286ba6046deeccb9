import { lineUpTo } from '#src/core/text/prose.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { notAbsolute } from '#src/core/text/address.ts'

/** The address of an image: http or https, as a reader's browser would open it. */
export const ImageUrl = lineUpTo(2048)

type Needed = Pick<Context, 'sender' | 'settings'>

/**
 * An image in a feed must not make a reader's browser call an address inside a private network: those
 * are refused in every form. The service's own images are not.
 * @throws Refusal `invalid_input`
 */
export function admitImage({ sender, settings }: Needed, url: string): void {
  const objection = objectionTo(url, sender, `${settings.publicUrl}/media/`)
  if (objection === undefined) return
  const errors = [{ pointer: '/image_url', message: objection, code: 'address_refused' }]
  refuse('invalid_input', `image_url: ${objection}`, { errors })
}

function objectionTo(url: string, sender: Needed['sender'], media: string): string | undefined {
  // The parser removes white space and repairs slashes; what is shown must be what is opened.
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) {
    return notAbsolute
  }
  if (new URL(url).href.startsWith(media) && url.startsWith(media)) return undefined
  return sender.objection(url)
}
