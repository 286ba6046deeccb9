import { createHash } from 'node:crypto'
import * as z from 'zod'
import { documentedAs } from './schema.ts'

/** Largest file that is taken, in bytes. */
export const fileBytesAtMost = 10 * 2 ** 20
/** Files that one call may bring. */
export const filesAtMost = 10
/** Bytes of a body that brings one file as base64, its name and the members beside it. */
export const encodedFileBytesAtMost = Math.ceil(fileBytesAtMost / 3) * 4 + 2 ** 20

/** A file that came with a call: as a part of a form, or as base64 in JSON. */
export class Upload {
  /** As the sender names it: never a path of ours. */
  readonly filename: string
  /** As the sender says it: what the bytes are is told by the bytes. */
  readonly mediaType: string | null
  readonly bytes: Uint8Array

  constructor(filename: string, mediaType: string | null, bytes: Uint8Array) {
    this.filename = filename.normalize()
    this.mediaType = mediaType
    this.bytes = bytes
  }

  /** Where calls are compared, the digest stands for the bytes. */
  toJSON(): object {
    const sha256 = createHash('sha256').update(this.bytes).digest('base64url')
    return { filename: this.filename, media_type: this.mediaType, sha256 }
  }
}

const EncodedFile = z
  .strictObject({
    filename: z.string().min(1).max(255),
    media_type: z.string().max(255).nullable().default(null),
    data: z.string().describe('The bytes as base64, up to 10 MB of them'),
  })
  .meta({ id: 'UploadedFile' })

/** A file among the members of an input: an `Upload`, whichever way it came. */
export const File = z.unknown().transform((sent, context): Upload => {
  const upload = sent instanceof Upload ? sent : decoded(sent, context)
  if (upload && upload.bytes.length <= fileBytesAtMost) return upload
  if (upload) {
    const message = `A file has at most ${fileBytesAtMost} bytes.`
    context.addIssue({ code: 'custom', message, params: { code: 'payload_too_large' } })
  }
  return z.NEVER
})
documentedAs.set(File, { schema: EncodedFile })

function decoded(sent: unknown, context: z.RefinementCtx): Upload | undefined {
  const read = EncodedFile.safeParse(sent)
  if (!read.success) {
    for (const issue of read.error.issues) context.addIssue({ ...issue })
    return undefined
  }
  const { filename, media_type, data } = read.data
  const bytes = Buffer.from(data, 'base64')
  if (isBase64Of(data, bytes)) return new Upload(filename, media_type, bytes)
  const path = ['data']
  context.addIssue({ code: 'custom', path, message: 'must be base64', params: { code: 'base64' } })
  return undefined
}

/** Decoding skips what is no base64, so that the result tells whether there was any. */
function isBase64Of(text: string, bytes: Buffer): boolean {
  const bare = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.ceil((bytes.length * 4) / 3) === text.length - bare
}
