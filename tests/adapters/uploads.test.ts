import { array, assert, asyncProperty, boolean, constantFrom, integer, tuple } from 'fast-check'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { partReader } from '#adapters/http/uploads/parts.ts'
import { catalog } from '#src/catalog.ts'
import { operation, type Operation } from '#src/core/operation.ts'
import {
  encodedFileBytesAtMost,
  File,
  fileBytesAtMost,
  type Upload,
} from '#src/core/input/upload.ts'
import { create as agentClaimCreate } from '#src/operations/agent-claim/create.ts'
import { a2aDoor, mcpDoor, restDoor } from '#tests/operations/doors/doors.ts'
import { operationNamed } from '#tests/operations/play.ts'
import { encoded, picture } from '#tests/support/pictures.ts'
import { sending, serving, type Serving } from './serve.ts'

const told = ({ filename, mediaType, bytes, sha256 }: Upload) => ({
  filename,
  media_type: mediaType,
  size: bytes.length,
  sha256,
  isHashed: createHash('sha256').update(bytes).digest('hex') === sha256,
})
const common = {
  auth: 'key',
  toolsets: [],
  output: z.looseObject({}),
  refuses: [],
  bodyBytes: encodedFileBytesAtMost,
} as const
const otherFields = {
  note: z.string().optional(),
  count: z.int().optional(),
  loud: z.boolean().optional(),
}
const sample = encoded(Buffer.from('a'))

const one = operation({
  ...common,
  name: 'up.one',
  summary: 'Hear a file.',
  example: { id: 'a', file: sample },
  http: { method: 'POST', path: '/api/up/{id}' },
  input: z.strictObject({ id: z.string(), file: File, ...otherFields }),
  files: { member: 'file', most: 1 },
  run: ({ file, ...rest }) => ({ file: told(file), ...rest }),
})
const many = operation({
  ...common,
  name: 'up.many',
  summary: 'Hear many files.',
  example: { files: [sample] },
  http: { method: 'POST', path: '/api/ups' },
  input: z.strictObject({ files: z.array(File).min(1).max(10), ...otherFields }),
  files: { member: 'files', most: 10 },
  run: ({ files, ...rest }) => ({ files: files.map(told), ...rest }),
})
const none = operation({
  ...common,
  name: 'up.none',
  summary: 'Hear no file.',
  example: {},
  http: { method: 'POST', path: '/api/none' },
  input: z.strictObject(otherFields),
  run: (input) => input,
})
const ups: readonly Operation[] = [one, many, none, agentClaimCreate]

interface Heard {
  file?: { filename: string; media_type: string | null; size: number; isHashed: boolean }
  files?: { filename: string; size: number; isHashed: boolean }[]
  note?: string
  count?: number
  loud?: boolean
  id?: string
  code?: string
  errors?: { pointer: string; code: string; suggestion?: string }[]
}

let server: Serving
let key = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, ups)
  const { body } = await server.ask('/api/agent-claim', sending('POST', {}))
  // The claim was answered by the real operation.
  key = (body as { api_key: string }).api_key
})
afterAll(() => server[Symbol.asyncDispose]())

const authorization = (): Record<string, string> => ({ authorization: `Bearer ${key}` })

async function post(
  path: string,
  sent: FormData | Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Heard; retryAfter: string | null }> {
  const init = { method: 'POST', headers: { ...authorization(), ...headers }, body: sent }
  const { status, body, headers: said } = await server.ask(path, init)
  // What the echoes above say, or a refusal.
  return { status, body, retryAfter: said.get('retry-after') }
}

const formed = { 'content-type': 'multipart/form-data; boundary=x' }
/** A form that was written by hand: lines end as they have to. */
const written = (path: string, form: string | Buffer, headers: Record<string, string> = formed) =>
  post(
    path,
    typeof form === 'string' ? form.replaceAll('\n', '\r\n') : Uint8Array.from(form),
    headers,
  )

const part = (disposition: string, body: string, more = ''): string =>
  `--x\nContent-Disposition: form-data; ${disposition}\n${more}\n${body}\n`
const filePart = (body = 'bytes'): string => part('name="file"; filename="a.txt"', body)
const end = '--x--\n'
const manyLines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `X-${i}: y\n`).join('')

function formOf(...parts: [string, Blob | string, string?][]): FormData {
  const form = new FormData()
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, filename)
  }
  return form
}

describe('a form', () => {
  it('brings a file, and fields as the schema expects them', async () => {
    const bytes = randomBytes(100_000)
    const { status, body } = await post(
      '/api/up/ada?count=1',
      formOf(
        ['note', 'é 😀'],
        ['file', new Blob([bytes], { type: 'image/png' }), 'ada.png'],
        ['count', '7'],
        ['loud', 'true'],
        ['id', 'ada'],
      ),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 'ada', note: 'é 😀', count: 7, loud: true })
    expect(body.file).toMatchObject({ filename: 'ada.png', media_type: 'image/png', size: 100_000 })
    expect(body.file?.isHashed).toBe(true)
  })

  it('names nothing else than its path does', async () => {
    const file = new Blob([randomBytes(10)], { type: 'image/png' })
    const { status } = await post('/api/up/ada', formOf(['file', file, 'a.png'], ['id', 'eve']))
    expect(status).toBe(422)
  })

  it('brings up to ten files in their order', async () => {
    const files = Array.from({ length: 10 }, (_, i): [string, Blob, string] => [
      'files',
      new Blob([randomBytes(i + 1)]),
      `${i}.bin`,
    ])
    const { status, body } = await post('/api/ups', formOf(...files))
    expect(status).toBe(200)
    expect(body.files?.map(({ filename, size }) => [filename, size])).toEqual(
      files.map(([, , name], i) => [name, i + 1]),
    )
    const single = await post('/api/ups', formOf(['files', new Blob(['a']), 'a']))
    expect(single.body.files).toHaveLength(1)
    const more = await post('/api/ups', formOf(...files, ['files', new Blob(['a']), '11']))
    expect(more).toMatchObject({ status: 422, body: { code: 'invalid_input' } })
    expect(more.body.errors).toMatchObject([{ pointer: '/files', code: 'too_big' }])
  })

  it('brings files of 10 MB, and none that is larger', async () => {
    const largest = new Blob([Buffer.alloc(fileBytesAtMost, 7)])
    const { status, body } = await post('/api/up/a', formOf(['file', largest, 'a']))
    expect([status, body.file?.size, body.file?.isHashed]).toEqual([200, fileBytesAtMost, true])
    const larger = new Blob([largest, 'a'])
    const refused = await post('/api/up/a', formOf(['file', larger, 'a']))
    expect([refused.status, refused.body.code]).toEqual([413, 'payload_too_large'])
    // By its length alone.
    const twice = new Blob([largest, largest])
    expect((await post('/api/up/a', formOf(['file', twice, 'a']))).status).toBe(413)
  })

  it('may be put where JSON with base64 may be, and the other way round', async () => {
    const json = { 'content-type': 'application/json' }
    const file = encoded(Buffer.from('bytes'), 'a.txt', 'text/plain')
    const { status, body } = await post('/api/up/a', JSON.stringify({ file, count: 7 }), json)
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 7, file: { filename: 'a.txt', size: 5 } })
    const elsewhere = await post('/api/none', formOf(['note', 'a']))
    expect([elsewhere.status, elsewhere.body.code]).toEqual([415, 'unsupported_media_type'])
    const mixed = { 'content-type': 'multipart/mixed; boundary=x' }
    expect((await written('/api/up/a', filePart() + end, mixed)).status).toBe(415)
  })

  it.each([
    [
      'of another name',
      formOf(['fille', new Blob(['a']), 'a']),
      '/fille',
      'unknown_member',
      'file',
    ],
    ['that is not there', formOf(['note', 'a']), '/file', 'invalid_type'],
    ['of 0 bytes', formOf(['file', new Blob([]), 'a']), '/file', 'empty_file'],
    ['that was not chosen', formOf(['file', new Blob([]), '']), '/file', 'invalid_type'],
    ['that is a field', formOf(['file', 'a text']), '/file', 'invalid_type'],
    [
      'without a name',
      formOf(['file', new Blob(['a']), '..//']),
      '/file/filename',
      'filename_invalid',
    ],
    [
      'with a hidden character in its name',
      formOf(['file', new Blob(['a']), 'a\u202eb.png']),
      '/file/filename',
      'filename_invalid',
    ],
    [
      'of a long name',
      formOf(['file', new Blob(['a']), 'x'.repeat(300)]),
      '/file/filename',
      'filename_invalid',
    ],
    [
      'twice',
      formOf(['file', new Blob(['a']), 'a'], ['file', new Blob(['b']), 'b']),
      '/file',
      'too_big',
    ],
  ])('with a file %s is refused', async (_, form, pointer, code, suggestion?: string) => {
    const { status, body } = await post('/api/up/a', form)
    expect([status, body.code]).toEqual([422, 'invalid_input'])
    const fault = { pointer, code, ...(suggestion !== undefined && { suggestion }) }
    expect(body.errors).toContainEqual(expect.objectContaining(fault))
  })

  it.each([
    ['count', 'seven', '/count'],
    ['loud', 'maybe', '/loud'],
    ['other', 'a', '/other'],
  ])('with a wrong field %s is refused', async (name, value, pointer) => {
    const { status, body } = await post(
      '/api/up/a',
      formOf(['file', new Blob(['a']), 'a'], [name, value]),
    )
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer])
  })

  it('with the same field twice is refused', async () => {
    const form = part('name="note"', 'a') + part('name="note"', 'b') + filePart() + end
    expect(await written('/api/up/a', form)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/note' }] },
    })
    const both = filePart() + part('name="file"', 'a text') + end
    expect((await written('/api/up/a', both)).status).toBe(400)
  })

  it.each([
    ['/etc/passwd', 'passwd'],
    ['..\\\\..\\\\boot.ini', 'boot.ini'],
    ['C:\\fakepath\\ada.png', 'ada.png'],
    ['a %22b%22.png', 'a "b".png'],
    ['a \\"b\\".png', 'a "b".png'],
    [' ada.png ', 'ada.png'],
    ['e\u0301.png', 'é.png'],
  ])('keeps of the file name %j only the last part', async (sent, kept) => {
    const form = part(`name="file"; filename="${sent}"`, 'a') + end
    const { status, body } = await written('/api/up/a', form)
    expect([status, body.file?.filename]).toEqual([200, kept])
  })

  it('reads names in the form that is not ASCII', async () => {
    const disposition = `name=file; filename="x"; filename*=UTF-8''%C3%A9t%C3%A9.png`
    const { body } = await written('/api/up/a', part(disposition, 'a') + end)
    expect(body.file?.filename).toBe('été.png')
  })

  it('may have words before and after, and lines that look like one', async () => {
    const text = 'a\r\n--\r\n--y\r\n--\r\n-\r\n'
    const form = `before\n${filePart(text)}--x--\nafter`
    const { status, body } = await written('/api/up/a', form.replaceAll('\r\n', '\n'))
    expect([status, body.file?.size]).toEqual([200, text.length])
  })

  it.each(['7bit', '8bit', 'binary'])('may say that its bytes are %s', async (coding) => {
    const more = `Content-Transfer-Encoding: ${coding}\n`
    const form = part('name="note"', 'a', more) + filePart() + end
    expect(await written('/api/up/a', form)).toMatchObject({ status: 200, body: { note: 'a' } })
  })

  it.each([
    ['nothing', ''],
    ['only an end', end],
    ['another boundary', `${filePart()}${end}`.replaceAll('--x', '--y')],
    ['no end', filePart()],
    ['half an end', `${filePart()}--x-`],
    ['a part that ends in its head', '--x\nContent-Disposition: form-data; name="file"\n'],
    ['a boundary with more behind it', `--xy\n${filePart().slice(4)}${end}`],
    ['a part without a name', part('filename="a"', 'a') + end],
    ['a part with two names', part('name="file"; name="note"', 'a') + end],
    ['a part with an open name', part('name="file', 'a') + end],
    ['a part without a disposition', '--x\nContent-Type: text/plain\n\na\n--x--\n'],
    [
      'a part with two dispositions',
      filePart().replace('\n\n', '\nContent-Disposition: form-data; name="b"\n\n') + end,
    ],
    ['a part without a head', '--x\n\na\n--x--\n'],
    [
      'a part of base64',
      part('name="file"; filename="a"', 'YQ==', 'Content-Transfer-Encoding: base64\n') + end,
    ],
    [
      'a head of many kilobytes',
      part('name="file"; filename="a"', 'a', `X: ${'x'.repeat(9000)}\n`) + end,
    ],
    ['a long name of a part', part(`name="${'x'.repeat(300)}"`, 'a') + end],
    ['a broken name of a file', part(`name="file"; filename*=UTF-8''%ff`, 'a') + end],
    ['a long word before', `${'x'.repeat(20_000)}\n${filePart()}${end}`],
    ['a field called __proto__', part('name="__proto__"', 'a') + filePart() + end],
  ])('with %s is refused', async (_, form) => {
    // One that brings nothing lacks its file.
    const expected = form === end ? 422 : 400
    expect((await written('/api/up/a', form)).status).toBe(expected)
  })

  it('is read fast, also with many blanks and line ends in a header', async () => {
    // An expression that gives blanks back one by one would take minutes over this.
    const head = `X: ${'\t'.repeat(7000)}\u2028${'\t'.repeat(500)}x\n`
    const { status, body } = await written(
      '/api/up/a',
      part('name="file"; filename="a"', 'a', `${head}Content-Type: text/plain \t\n`) + end,
    )
    expect(status).toBe(200)
    expect(body.file?.media_type).toBe('text/plain')
  })

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('without a boundary of its own is refused: %s', async (type) => {
    const headers = { 'content-type': type }
    expect((await written('/api/up/a', filePart() + end, headers)).status).toBe(400)
  })

  it('whose fields are not UTF-8 is refused, and the bytes of its files may be anything', async () => {
    const bad = Buffer.concat([
      Buffer.from(part('name="note"', '\u0001').replaceAll('\n', '\r\n')),
      Buffer.from((filePart() + end).replaceAll('\n', '\r\n')),
    ])
    bad[bad.indexOf(1)] = 0xff
    expect((await written('/api/up/a', bad)).status).toBe(400)
    const bytes = Buffer.from([0xff, 0, 13, 10, 45, 45])
    expect((await post('/api/up/a', formOf(['file', new Blob([bytes]), 'a']))).status).toBe(200)
  })

  it('of too many or too large fields is refused', async () => {
    const fields = Array.from({ length: 101 }, (_, i): [string, string] => [`f${i}`, 'a'])
    expect((await post('/api/up/a', formOf(...fields))).status).toBe(413)
    const large = formOf(['note', 'x'.repeat(1_000_000)], ['other', 'x'.repeat(100_000)])
    expect((await post('/api/up/a', large)).status).toBe(413)
  })

  it('that is compressed is refused', async () => {
    const headers = { ...formed, 'content-encoding': 'gzip' }
    expect((await written('/api/up/a', filePart() + end, headers)).status).toBe(415)
  })

  const nothing = { bytes: () => undefined, end: () => undefined }

  it('reads the same however it is cut into pieces', async () => {
    const bytes = Buffer.from(
      `preamble\r\n--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n\r\n--\r\n--y\r\n-\r\n--x\r\ncontent-disposition: form-data; name="b"\r\n\r\n\r\n--x\r\nContent-Disposition: form-data; name="c"\r\n\r\nlast\r\n--x--\r\nrest\r\n--x\r\n\r\n`,
    )
    const readIn = async (cuts: readonly number[]): Promise<string[]> => {
      const seen: string[] = []
      const reader = await partReader('x', ({ name }) => {
        const at = seen.push(`${name}:`) - 1
        return {
          bytes: (some) => (seen[at] += Buffer.from(some).toString()),
          end: () => (seen[at] += '.'),
        }
      })
      const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
      for (let i = 1; i < places.length; i++) {
        await reader.write(bytes.subarray(places[i - 1], places[i]))
      }
      await reader.end()
      return seen
    }
    const whole = ['a:\r\n--\r\n--y\r\n-.', 'b:.', 'c:last.']
    expect(await readIn([])).toEqual(whole)
    const cuts = array(integer({ min: 0, max: bytes.length }), { maxLength: 40 })
    await assert(
      asyncProperty(cuts, async (at) => {
        expect(await readIn(at)).toEqual(whole)
      }),
    )
    expect(await readIn(Array.from({ length: bytes.length }, (_, i) => i))).toEqual(whole)
  })

  it('is read to the end or refused, for any sequence of pieces', { timeout: 30_000 }, async () => {
    const head = 'Content-Disposition: form-data; name="a"'
    const pieces = [
      '\r\n',
      '--x',
      '--',
      '-',
      head,
      ': ',
      ' ',
      '\r',
      '\n',
      'b',
      '\r\n\r\n',
      '\r\n--x',
    ]
    const form = array(tuple(constantFrom(...pieces), boolean()), { maxLength: 25 })
    let read = 0
    await assert(
      asyncProperty(form, async (cut) => {
        const reader = await partReader('x', () => nothing)
        const whole = async (): Promise<void> => {
          let chunk = ''
          for (const [piece, isEnd] of [['--x\r\n', false] as const, ...cut]) {
            chunk += piece
            if (!isEnd) continue
            await reader.write(Buffer.from(chunk))
            chunk = ''
          }
          await reader.write(Buffer.from(`${chunk}\r\n--x--`))
          await reader.end()
          read += 1
        }
        await whole().catch((cause: unknown) => {
          expect(cause).toMatchObject({ code: 'bad_request' })
        })
      }),
      { numRuns: 3000 },
    )
    expect(read).toBeGreaterThan(0)
  })

  it('whose head comes byte by byte is read in no time, and refused once it is long', async () => {
    const start = '--x\r\nContent-Disposition: form-data; name="a"\r\nX-Pad: '
    const read = async (form: Buffer): Promise<void> => {
      const reader = await partReader('x', () => nothing)
      for (let i = 0; i < form.length; i++) await reader.write(form.subarray(i, i + 1))
      await reader.end()
    }
    await read(Buffer.from(`${start}${'p'.repeat(8000)}\r\n\r\n\r\n--x--`))
    const reader = await partReader('x', () => nothing)
    const endless = async (): Promise<number> => {
      for (let sent = 0; ; sent += 64) {
        const piece = sent === 0 ? start : 'p'.repeat(64)
        await reader.write(Buffer.from(piece)).catch((cause: unknown) => {
          throw new Error(`refused after ${sent}`, { cause })
        })
      }
    }
    await expect(endless()).rejects.toThrow(/^refused after 8\d{3}$/)
  })

  it.each([
    ['blanks behind a boundary', filePart().replace('--x\n', '--x \t\n') + end],
    [
      'more than 16 lines before a part',
      part('name="file"; filename="a"', 'a', manyLines(16)) + end,
    ],
    ['a part whose lines do not end', `--x\nContent-Disposition: form-data; name="a"\n${end}`],
    ['a part of nothing but a boundary', `--x\n${filePart()}${end}`],
    ['a part of 20,000 boundaries', `${'--x\n'.repeat(20_000)}${filePart()}${end}`],
    [
      'lines before a part that are cut',
      part('name="file"; filename="a"', 'a', 'X: y\n'.repeat(9_000)) + end,
    ],
  ])('with %s is refused', async (_, form) => {
    expect((await written('/api/up/a', form)).status).toBe(400)
  })

  it('is refused as soon as a part of it is too much, before the rest has come', async () => {
    const headers = { ...authorization(), ...formed, 'transfer-encoding': 'chunked' }
    const sent = request(`${server.url}/api/up/ada`, { method: 'POST', headers })
    sent.on('error', () => undefined)
    const said = once(sent, 'response')
    sent.write(part('name="note"', 'x'.repeat(2 ** 20 + 1)).replaceAll('\n', '\r\n'))
    // The only thing that a response comes with is itself.
    const [response] = (await said) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    expect(await text(response)).toContain('in addition to its files')
    sent.destroy()
  })

  it('is refused where it comes in many small pieces', async () => {
    const headers = { ...authorization(), ...formed, 'transfer-encoding': 'chunked' }
    const sent = request(`${server.url}/api/up/ada`, { method: 'POST', headers })
    sent.on('error', () => undefined)
    const said = once(sent, 'response')
    for (let i = 0; i < 1000; i++) sent.write('1')
    // The only thing that a response comes with is itself.
    const [response] = (await said) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    expect(await text(response)).toContain('pieces')
    sent.destroy()
  })
})

describe('the body of an upload', () => {
  const head = (path: string, length: number, who = authorization()): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\n${'content-type' in who ? '' : 'Content-Type: multipart/form-data; boundary=x\r\n'}Content-Length: ${length}\r\n${Object.entries(
      who,
    )
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`
  const open: Socket[] = []
  const begun = async (path: string, length: number, who?: Record<string, string>) => {
    const socket = server.socket()
    open.push(socket)
    await once(socket, 'connect')
    socket.write(head(path, length, who))
    return socket
  }
  const statusOf = async (socket: Socket): Promise<string> => {
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    return bytes.toString()
  }
  const ended = async (): Promise<void> => {
    await Promise.all(
      open.splice(0).map(async (socket) => {
        socket.destroy()
        if (!socket.closed) await once(socket, 'close')
      }),
    )
  }

  it.each([
    ['a caller without a key', {}, '"unauthenticated"'],
    ['a made-up key', { authorization: 'Bearer ab_x' }, '"invalid_credential"'],
    [
      'an unknown key',
      { authorization: 'Bearer ab_000000000000000000000000000000000r7c0A' },
      '"invalid_credential"',
    ],
  ])('is not waited for from %s', async (_, who, code) => {
    const answer = await statusOf(await begun('/api/ups', 100_000_000, who))
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toContain(code)
    await ended()
  })

  it('that is announced too large is refused at once', async () => {
    expect(await statusOf(await begun('/api/ups', 107_000_000))).toMatch(/^HTTP\/1\.1 413 /)
    await ended()
  })

  it('that breaks off is nothing, and the server goes on', async () => {
    const socket = await begun('/api/up/a', 1000)
    socket.write(filePart().replaceAll('\n', '\r\n'))
    await ended()
    expect((await written('/api/up/a', filePart() + end)).status).toBe(200)
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is never written to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'abode-tmp-'))
    const { TMPDIR } = process.env
    process.env.TMPDIR = folder
    try {
      expect(tmpdir()).toBe(folder)
      const data = async (): Promise<string[]> =>
        (await readdir(server.folder)).filter((name) => !name.startsWith('abode.db'))
      const before = await data()
      const socket = await begun('/api/up/a', 5_000_000)
      socket.write(filePart('x').replaceAll('\n', '\r\n').slice(0, -2))
      socket.write(Buffer.alloc(2_000_000))
      await post('/api/up/a', formOf(['file', new Blob([Buffer.alloc(3_000_000)]), 'a']))
      await written('/api/up/a', filePart())
      expect(await readdir(folder)).toEqual([])
      expect(await data()).toEqual(before)
      await ended()
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
      await rm(folder, { recursive: true })
    }
  })
})

describe('an idempotency key', () => {
  it('stands for the same file whichever way it comes', async () => {
    await using real = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
    const claim = await real.ask('/api/agent-claim', sending('POST', {}))
    // As above.
    const credential = (claim.body as { api_key: string }).api_key
    const rest = restDoor(real.url)
    const ada = { op: operationNamed('characters.create'), credential }
    await rest({ ...ada, input: { character: { id: 'ada', name: 'Ada' } } })
    const file = encoded(await picture())
    const call = {
      op: operationNamed('characters.photos.add'),
      credential,
      idempotencyKey: 'one-photo',
    }
    const sent = { ...call, input: { prompt: 'P', char_id: 'ada', file, seed: 7 } }
    const first = await rest(sent)
    expect(first.answer).toMatchObject({ revision: 2 })
    const again = { ...call, input: { file, seed: 7, prompt: 'P', char_id: 'ada' } }
    expect(await mcpDoor(real.url)(again)).toEqual(first)
    expect(await a2aDoor(real.url)(again)).toEqual(first)
    expect(await rest(again)).toEqual(first)
    const other = { ...again.input, file: encoded(await picture('png', { colour: '#ffffff' })) }
    for (const door of [rest, mcpDoor(real.url), a2aDoor(real.url)]) {
      const { error } = await door({ ...call, input: other })
      expect(error?.code).toBe('idempotency_conflict')
    }
  })
})
