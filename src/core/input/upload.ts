import { hash } from 'node:crypto'
import * as z from 'zod'
import { composed, hasTooManyMarks } from './marks.ts'
import { documentedAs } from '../schema.ts'
import { isPlain } from '../text/text.ts'

/** Largest file that is taken, in bytes. */
export const fileBytesAtMost = 10 * 2 ** 20
/** Files that one call may bring. */
export const filesAtMost = 10
/** Bytes of a body that brings one file as base64, its name and the members beside it. */
export const encodedFileBytesAtMost = Math.ceil(fileBytesAtMost / 3) * 4 + 2 ** 20

const nameCharactersAtMost = 255
const typeCharactersAtMost = 255

/** A file that came with a call: as a part of a form, or as base64 in JSON. */
export class Upload {
  /** As the sender names it, without the folders before it: never a path of ours. */
  readonly filename: string
  /** As the sender says it: what the bytes are is told by the bytes. */
  readonly mediaType: string | null
  readonly bytes: Uint8Array
  #sha256: string | undefined

  /** @param sha256 the digest of the bytes in hex, where it is known already */
  constructor(filename: string, mediaType: string | null, bytes: Uint8Array, sha256?: string) {
    // What cannot be put in order is refused with its call.
    this.filename = baseName(hasTooManyMarks(filename) ? filename : composed(filename))
    this.mediaType = mediaType
    this.bytes = bytes
    this.#sha256 = sha256
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

/** What follows the last slash of any kind: some senders name the folder too. */
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

/** A file among the members of an input: an `Upload`, whichever way it came. */
export const File = z.unknown().transform((sent, context): Upload => {
  const upload = sent instanceof Upload ? sent : decoded(sent, context)
  return upload && isTaken(upload, context) ? upload : z.NEVER
})
documentedAs.set(File, { schema: EncodedFile })

function isTaken({ filename, mediaType, bytes }: Upload, context: z.RefinementCtx): boolean {
  const fault = (code: string, message: string, path: string[] = []): boolean => {
    context.addIssue({ code: 'custom', path, message, params: { code } })
    return false
  }
  if (bytes.length > fileBytesAtMost) {
    return fault('payload_too_large', `A file has at most ${fileBytesAtMost} bytes.`)
  }
  if (bytes.length === 0) return fault('empty_file', 'The file is empty.')
  if ((mediaType?.length ?? 0) > typeCharactersAtMost) {
    const message = `must have at most ${typeCharactersAtMost} characters`
    return fault('too_big', message, ['media_type'])
  }
  if (filename.length > 0 && filename.length <= nameCharactersAtMost && isPlain(filename)) {
    return true
  }
  const rule = 'none of them control, bidirectional or zero-width'
  const message = `must be a name of 1 to ${nameCharactersAtMost} characters, ${rule}`
  return fault('filename_invalid', message, ['filename'])
}

/** A text is what a part of a form without a name for its file is. */
const asText = 'must be a file: a part with a filename, or {filename, media_type, data} in JSON'

function decoded(sent: unknown, context: z.RefinementCtx): Upload | undefined {
  if (typeof sent === 'string') {
    context.addIssue({ code: 'custom', message: asText, params: { code: 'invalid_type' } })
    return undefined
  }
  const read = EncodedFile.safeParse(sent)
  if (!read.success) {
    for (const issue of read.error.issues) context.addIssue({ ...issue })
    return undefined
  }
  const { filename, media_type, data } = read.data
  const bytes = bytesOf(data)
  if (bytes) return new Upload(filename, media_type, bytes)
  const path = ['data']
  context.addIssue({ code: 'custom', path, message: 'must be base64', params: { code: 'base64' } })
  return undefined
}

function bytesOf(data: string): Buffer | undefined {
  const bytes = Buffer.from(data, 'base64')
  return isBase64Of(data, bytes) ? bytes : undefined
}

/** Decoding skips what is no base64, so that the result tells whether there was any. */
function isBase64Of(text: string, bytes: Buffer): boolean {
  const bare = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.ceil((bytes.length * 4) / 3) === text.length - bare
}

/**
 * An input with the files in it decoded and its members in the order of their names, so that a call
 * is the same call whether its file came in a form or as base64. What is no file stays for the schema
 * to refuse.
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
  return new Upload(read.data.filename, read.data.media_type, bytes)
}
