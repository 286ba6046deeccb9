import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Pieces } from '#src/ports/pieces.ts'
import { composed, hasTooManyMarks } from './marks.ts'
import { documentedAs } from '../schema.ts'
import { isPlain } from '../text/text.ts'
import { issueWords } from '../words/issue.ts'
import { textBound } from '../schema-parts.ts'

/** Largest file that is accepted, in bytes. */
export const fileBytesAtMost = 10 * 2 ** 20
/** The words of `payload_too_large` for a larger one. */
export const fileTooLarge = `A file has at most ${fileBytesAtMost} bytes.`
/** Files that one call may bring. */
export const filesAtMost = 10
/** Bytes of a body that brings one file as base64, with its name and the other members. */
export const encodedFileBytesAtMost = Math.ceil(fileBytesAtMost / 3) * 4 + 2 ** 20

const nameCharactersAtMost = 255
const typeCharactersAtMost = 255

/** A file of a call: a part of a form, or base64 in JSON. */
export class Upload {
  /** The sender's name for it without folders; never used as a path on the server. */
  readonly filename: string
  /** The sender's media type; the real type is detected from the bytes. */
  readonly mediaType: string | null
  /** How many bytes it has. */
  readonly size: number
  #pieces: Pieces | undefined
  #sha256: string | undefined

  /**
   * @param pieces its bytes, which are this file's from now on
   * @param sha256 the digest of the bytes in hex, if it is already known
   */
  constructor(filename: string, mediaType: string | null, pieces: Pieces, sha256?: string) {
    // A name that cannot be normalised is refused with its call.
    this.filename = baseName(hasTooManyMarks(filename) ? filename : composed(filename))
    this.mediaType = mediaType
    this.size = pieces.reduce((sum, { length }) => sum + length, 0)
    this.#pieces = pieces
    this.#sha256 = sha256
  }

  /** All of the bytes, put together the first time. @throws Error after `taken` */
  get bytes(): Uint8Array {
    const pieces = this.#held()
    const [only] = pieces
    if (only && pieces.length === 1) return only
    const whole = Buffer.concat(pieces, this.size)
    this.#pieces = [whole]
    return whole
  }

  /**
   * The bytes, for a thread that they are handed to without a copy. They can be had once, and nothing that is
   * not known yet can be asked for afterwards.
   * @throws Error the second time
   */
  taken(): Pieces {
    const pieces = this.#held()
    this.#pieces = undefined
    return pieces
  }

  #held(): Pieces {
    if (this.#pieces) return this.#pieces
    throw new Error('the bytes of the file have been handed on')
  }

  /** The digest of the bytes, in hex. */
  get sha256(): string {
    return (this.#sha256 ??= hash('sha256', this.bytes, 'hex'))
  }

  /** Where calls are compared, the digest stands for the bytes. */
  toJSON(): object {
    return { filename: this.filename, media_type: this.mediaType, sha256: this.sha256 }
  }
}

/** The part after the last slash of either kind: some senders include the folder. */
function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).trim()
}

const EncodedFile = z
  .strictObject({
    filename: z.string().min(1).max(nameCharactersAtMost),
    media_type: z.string().max(typeCharactersAtMost).nullable().default(null),
    data: z.string().describe('The bytes as base64, up to 10 MB of them'),
  })
  .meta({ id: 'UploadedFile' })

/** A file in an input: an `Upload`, however it was sent. */
export const File = z.unknown().transform((sent, context): Upload => {
  const upload = sent instanceof Upload ? sent : decoded(sent, context)
  return upload && isTaken(upload, context) ? upload : z.NEVER
})
documentedAs.set(File, { schema: EncodedFile })

function isTaken({ filename, mediaType, size }: Upload, context: z.RefinementCtx): boolean {
  const fault = (code: string, message: string, path: string[] = []): boolean => {
    context.addIssue({ code: 'custom', path, message, params: { code } })
    return false
  }
  if (size > fileBytesAtMost) {
    return fault('payload_too_large', fileTooLarge)
  }
  if (size === 0) return fault('empty_file', 'The file is empty.')
  if ((mediaType?.length ?? 0) > typeCharactersAtMost) {
    return fault('too_big', textBound(typeCharactersAtMost), ['media_type'])
  }
  if (filename.length > 0 && filename.length <= nameCharactersAtMost && isPlain(filename)) {
    return true
  }
  const rule = 'none of them control, bidirectional or zero-width'
  const message = `must be a name of 1 to ${nameCharactersAtMost} characters, ${rule}`
  return fault('filename_invalid', message, ['filename'])
}

/** A form part without a filename is a text. */
const asText = 'must be a file: a part with a filename, or {filename, media_type, data} in JSON'

function decoded(sent: unknown, context: z.RefinementCtx): Upload | undefined {
  if (typeof sent === 'string') {
    context.addIssue({ code: 'custom', message: asText, params: { code: 'invalid_type' } })
    return undefined
  }
  const read = EncodedFile.safeParse(sent, { error: issueWords })
  if (!read.success) {
    for (const issue of read.error.issues) context.addIssue({ ...issue })
    return undefined
  }
  const { filename, media_type, data } = read.data
  const bytes = bytesOf(data)
  if (bytes) return new Upload(filename, media_type, [bytes])
  const path = ['data']
  context.addIssue({ code: 'custom', path, message: 'must be base64', params: { code: 'base64' } })
  return undefined
}

function bytesOf(data: string): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.from(data, 'base64')
  return isBase64Of(data, bytes) ? bytes : undefined
}

/** Decoding skips invalid characters, so the result is compared with the text. */
function isBase64Of(text: string, bytes: Buffer): boolean {
  const bare = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.ceil((bytes.length * 4) / 3) === text.length - bare
}

/**
 * An input with its files decoded and its members sorted by name, so that a call compares equal whether its
 * file came in a form or as base64. A value that is no file is left for the schema to refuse.
 * @param member the member that is a file, or a list of files
 */
export function withFiles(input: unknown, member: string): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const members = Object.entries(input).map(([name, value]): [string, unknown] => {
    if (name !== member) return [name, value]
    return [name, Array.isArray(value) ? value.map(asFile) : asFile(value)]
  })
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function asFile(sent: unknown): unknown {
  if (sent instanceof Upload || typeof sent !== 'object' || sent === null) return sent
  const read = EncodedFile.safeParse(sent)
  const bytes = read.success ? bytesOf(read.data.data) : undefined
  if (!read.success || !bytes) return sent
  return new Upload(read.data.filename, read.data.media_type, [bytes])
}
