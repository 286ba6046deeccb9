import type { Context } from 'koa'
import { checkEncoding } from '../body.ts'
import { Refusal } from '#src/core/errors.ts'
import type { FilesField } from '#src/core/html/view.ts'
import { Upload } from '#src/core/input/upload.ts'
import { HttpFault } from '../errors.ts'
import { gateOf } from '../intake/gate.ts'
import type { BodySender, Intake } from '../intake/intake.ts'
import {
  formBytesAtMost as filesBytesAtMost,
  isForm,
  readForm as readFiles,
} from '../uploads/form.ts'
import { isFromOwnPage } from '../credentials/session.ts'

/** For a name, a password and an action, in which each character may take 12 bytes. */
const formBytesAtMost = 16_384

/** A form as a page was sent it. */
export interface SentForm {
  fields: URLSearchParams
  files: readonly Upload[]
}

/** How much of a form is read. */
interface FormBounds {
  /** Of the whole form without files, encoded. */
  formBytesAtMost?: number
  files?: FilesField
}

/**
 * Reads the form that a page sends, with its files where the page takes some, and holds them while they are used.
 * Of a stranger's form with files nothing is read.
 * @throws HttpFault `unsupported_media_type`, `bad_request`; Refusal `payload_too_large`, `invalid_input`,
 *   `unavailable` if too much is held already
 */
export async function withForm<T>(
  ctx: Context,
  intake: Intake,
  sender: BodySender,
  { formBytesAtMost: most, files }: FormBounds,
  use: (form: SentForm) => Promise<T>,
): Promise<T> {
  if (!files || !isForm(ctx)) {
    return use({ fields: await readForm(ctx, intake, sender, most), files: [] })
  }
  if (sender.caller === undefined) return use({ fields: new URLSearchParams(), files: [] })
  checkEncoding(ctx)
  const reading = intake.reading(sender, filesBytesAtMost(files))
  try {
    return await use(sentIn(await readFiles(ctx, files, new Map(), reading), files))
  } finally {
    reading.hold.release()
  }
}

function sentIn(members: Readonly<Record<string, unknown>>, { member }: FilesField): SentForm {
  const fields = new URLSearchParams()
  const files: Upload[] = []
  for (const [name, value] of Object.entries(members)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof one === 'string') fields.append(name, one)
      else if (one instanceof Upload && name === member) files.push(one)
    }
  }
  return { fields, files }
}

async function readForm(
  ctx: Context,
  intake: Intake,
  sender: BodySender,
  bytesAtMost = formBytesAtMost,
): Promise<URLSearchParams> {
  const [type = ''] = (ctx.req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new HttpFault('unsupported_media_type', 'This page reads its own form only.')
  }
  checkEncoding(ctx)
  const text = (await readShort(ctx, intake, sender, bytesAtMost)).toString()
  if (!isUtf8(text)) throw new HttpFault('bad_request', 'The form is no UTF-8.')
  return new URLSearchParams(text)
}

/**
 * Reads a short body of any type.
 * @throws HttpFault `bad_request`; Refusal `payload_too_large`, `unavailable` if too much is held already
 */
export async function readShort(
  ctx: Context,
  intake: Intake,
  sender: BodySender,
  bytesAtMost: number,
): Promise<Buffer> {
  const reading = intake.reading(sender, bytesAtMost)
  const gate = gateOf(ctx, reading)
  const chunks: Buffer[] = []
  try {
    // Without an encoding set, the stream yields bytes.
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer
      gate(bytes)
      chunks.push(bytes)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new HttpFault('bad_request', 'The form could not be read to its end.', { cause })
  } finally {
    reading.hold.release()
  }
}

/**
 * Whether one of our pages sent the form, as the browser reports. Our pages ask browsers to send an
 * origin with their forms; if the browser withholds it and sends `null`, its own statement that the
 * request is same-origin is needed. A request with no word of any origin is not from a browser, and is
 * accepted as long as no session is signed in.
 */
export function isOwnForm({ req }: Context, publicUrl: string, isSignedIn: boolean): boolean {
  const { origin, 'sec-fetch-site': site } = req.headers
  if (origin === undefined) return isSignedIn ? site === 'same-origin' : !isOfOthers(site)
  if (isOfOthers(site)) return false
  if (origin === 'null') return site === 'same-origin'
  return isFromOwnPage(req, publicUrl)
}

/** Invalid bytes would be replaced, so that two passwords could become one. */
function isUtf8(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\ufffd')
  } catch {
    return false
  }
}

function isOfOthers(site: string | string[] | undefined): boolean {
  return site === 'cross-site' || site === 'same-site'
}
