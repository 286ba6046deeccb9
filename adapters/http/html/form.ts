import type { Context } from 'koa'
import { checkEncoding, tooLarge } from '../body.ts'
import { HttpFault } from '../errors.ts'

/** Of a form of ours: an id and what is to be done. */
const formBytesAtMost = 4096

/**
 * The form that a page sends.
 * @throws HttpFault `unsupported_media_type`, `bad_request`; Refusal `payload_too_large`
 */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  const { req } = ctx
  const [type = ''] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new HttpFault('unsupported_media_type', 'This page reads its own form only.')
  }
  checkEncoding(ctx)
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Without an encoding set the stream gives bytes.
    for await (const chunk of req as AsyncIterable<Buffer>) {
      size += chunk.length
      // Read to its end all the same: who is still sending would not hear the answer.
      if (size <= formBytesAtMost) chunks.push(chunk)
    }
  } catch (cause) {
    throw new HttpFault('bad_request', 'The form could not be read to its end.', { cause })
  }
  if (size > formBytesAtMost) throw tooLarge(formBytesAtMost)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/**
 * Whether a form was sent by a page of ours, as far as the browser says. Pages that tell nobody where
 * they led send `null` for their origin, and only newer browsers say beside it that it is the same.
 */
export function isOwnForm({ req }: Context, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = req.headers
  if (origin === undefined) return true
  if (origin === 'null') return site === undefined || site === 'same-origin' || site === 'none'
  return origin === new URL(publicUrl).origin || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host
}
