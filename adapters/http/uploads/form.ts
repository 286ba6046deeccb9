import type { Context } from 'koa'
import { createHash } from 'node:crypto'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { fileBytesAtMost, fileTooLarge, Upload } from '#src/core/input/upload.ts'
import { expected } from '../body.ts'
import { gateOf } from '../intake/gate.ts'
import { brokenOff, tooLarge } from '../intake/refusals.ts'
import { HttpFault } from '../errors.ts'
import type { Coercion } from '../coercion.ts'
import type { Reading } from '../intake/intake.ts'
import { Gathered } from './gathered.ts'
import { asText, brokenForm, type PartHead } from './part-headers.ts'
import { partReader, type PartSink } from './parts.ts'

/** Which member of an operation is a file, and how many files it takes. */
export type FilesTaken = NonNullable<Operation['files']>

/** The size limit of everything but the files' bytes: fields, part headers and boundaries. */
const fieldBytesAtMost = 2 ** 20
const fieldsAtMost = 100
const nameCharactersAtMost = 255

/** The size limit of a form with that many files. */
export function formBytesAtMost({ most }: FilesTaken): number {
  return most * fileBytesAtMost + fieldBytesAtMost
}

/** Whether the request declares its body as a form with files. */
export function isForm({ req }: Context): boolean {
  return /^multipart\/form-data[ \t]*(?:;|$)/i.test(req.headers['content-type'] ?? '')
}

const boundaryOf = /;[ \t]*boundary=(?:"([^"\\]{1,70})"|([\w'()+,./:=?-]{1,70})(?=[ \t]*(?:;|$)))/i

/**
 * Reads a form into memory: its files as uploads, its fields converted to what the schema expects.
 * @param coercions of every member that may be a field
 * @throws HttpFault `bad_request`; Refusal `payload_too_large`, `invalid_input`, `unavailable` if too
 *   much is held already
 */
export async function readForm(
  ctx: Context,
  files: FilesTaken,
  coercions: ReadonlyMap<string, Coercion>,
  reading: Reading,
): Promise<Record<string, unknown>> {
  const [, quoted, bare] = boundaryOf.exec(ctx.req.headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw brokenForm('its type names no boundary')
  const form = new Form(files)
  const reader = await partReader(boundary, (head) => form.begin(head))
  if (Number(ctx.req.headers['content-length'] ?? 0) > reading.limit) throw tooLarge(reading)
  expected(ctx)
  const gate = gateOf(ctx, reading)
  try {
    // By default, ending the iteration would cut the connection before the refusal is sent.
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
      // Without an encoding set, the request yields bytes.
      const bytes = chunk as Buffer
      gate(bytes)
      await reader.write(bytes)
    }
  } catch (cause) {
    if (cause instanceof HttpFault || cause instanceof Refusal) throw cause
    throw brokenOff(cause)
  }
  await reader.end()
  return form.members(coercions)
}

/** Collects the parts of one form. */
class Form {
  readonly #files: FilesTaken
  readonly #texts = new Map<string, string[]>()
  readonly #uploads = new Map<string, Upload[]>()
  #fileCount = 0
  #fieldCount = 0
  #fieldBytes = 0

  constructor(files: FilesTaken) {
    this.#files = files
  }

  begin({ name, filename, mediaType }: PartHead): PartSink {
    if (name.length > nameCharactersAtMost) throw brokenForm('the name of a part is long')
    return filename === undefined ? this.#field(name) : this.#file(name, filename, mediaType)
  }

  #field(name: string): PartSink {
    this.#fieldCount += 1
    if (this.#fieldCount > fieldsAtMost) throw tooLargeFields(`${fieldsAtMost} fields`)
    const gathered = new Gathered()
    return {
      bytes: (some) => {
        this.#fieldBytes += some.length
        if (this.#fieldBytes > fieldBytesAtMost) throw tooLargeFields(`${fieldBytesAtMost} bytes`)
        gathered.add(some)
      },
      end: () => put(this.#texts, name, asText(gathered.whole())),
    }
  }

  #file(name: string, filename: string, mediaType: string | null): PartSink {
    this.#fileCount += 1
    if (this.#fileCount > this.#files.most) throw tooMany(this.#files)
    const gathered = new Gathered()
    // Hashed as it arrives, so that hashing a large file does not hold up others.
    const hash = createHash('sha256')
    return {
      bytes: (some) => {
        gathered.add(some)
        if (gathered.size > fileBytesAtMost) throw tooLargeFile()
        hash.update(some)
      },
      end: () => {
        const pieces = gathered.pieces()
        // Browsers send this for a file field with no file chosen.
        if (filename === '' && pieces.length === 0) return
        put(this.#uploads, name, new Upload(filename, mediaType, pieces, hash.digest('hex')))
      },
    }
  }

  /** Members that the operation does not know are kept, for its schema to refuse. */
  members(coercions: ReadonlyMap<string, Coercion>): Record<string, unknown> {
    const { member, most } = this.#files
    const isList = (name: string): boolean => name === member && most > 1
    const fields = [...this.#texts].map(([name, texts]): [string, unknown] => {
      const one = texts.length === 1 ? texts[0] : texts
      return [name, name === member ? one : (coercions.get(name)?.(texts) ?? one)]
    })
    const files = [...this.#uploads].map(([name, uploads]): [string, unknown] => {
      const [only] = uploads
      return [name, uploads.length === 1 && !isList(name) ? only : uploads]
    })
    const twice = files.find(([name]) => this.#texts.has(name))
    if (twice) throw brokenForm(`"${twice[0]}" is both a field and a file`)
    return Object.fromEntries([...fields, ...files])
  }
}

function put<T>(map: Map<string, T[]>, name: string, value: T): void {
  const values = map.get(name)
  if (values) values.push(value)
  else map.set(name, [value])
}

/** The same message as the schema's for too long a list, without holding the surplus. */
function tooMany({ member, most }: FilesTaken): Refusal {
  const message = `At most ${most} ${most === 1 ? 'file' : 'files'} may be sent in one call.`
  return new Refusal('invalid_input', message, {
    errors: [{ pointer: `/${member}`, message, code: 'too_big' }],
  })
}

function tooLargeFile(): Refusal {
  return new Refusal('payload_too_large', fileTooLarge)
}

function tooLargeFields(what: string): Refusal {
  return new Refusal('payload_too_large', `A form has at most ${what} in addition to its files.`)
}
