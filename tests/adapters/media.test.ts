import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { mediaIdIn } from '#src/agents/media/media.ts'
import { askerOf } from '#tests/support/world.ts'
import { encoded, picture } from '#tests/support/pictures.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'
import { serving, type Serving } from './serve.ts'

let server: Serving
let key = ''
let path = ''
let bytes: Buffer
let tag = ''

const add = 'characters.photos.add'

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: `anonymous_reads=100/${lastingWindow()}` }, catalog)
  const { ask, account } = askerOf(server.abode.core)
  ;({ key } = await account())
  await ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  const file = encoded(await picture('png', { width: 300, height: 200 }))
  const { appearance } = await ask<{ appearance: { photos: string[] } }>(
    add,
    { char_id: 'ada', file },
    key,
  )
  const url = appearance.photos[0] ?? ''
  expect(url.startsWith(`${server.url}/media/`)).toBe(true)
  path = url.slice(server.url.length)
  bytes = Buffer.from((await server.abode.ports.files.read(mediaIdIn(url) ?? '')) ?? [])
  tag = `"${createHash('sha256').update(bytes).digest('hex')}"`
})
afterAll(() => server[Symbol.asyncDispose]())

const get = async (headers: Record<string, string> = {}, init: RequestInit = {}, at = path) => {
  const response = await fetch(server.url + at, { headers, ...init })
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}

describe('a picture', () => {
  it('is served to everyone, to be cached for ever and never executed', async () => {
    const { response, body } = await get({ origin: 'https://elsewhere.example' })
    expect(response.status).toBe(200)
    expect(body.equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag: tag,
    })
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(response.headers.get('ratelimit')).toMatch(/^"anonymous_reads";r=\d+/)
  })

  it('is described without its bytes', async () => {
    const { response, body } = await get({}, { method: 'HEAD' })
    expect([response.status, body.length]).toEqual([200, 0])
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(response.headers.get('etag')).toBe(tag)
  })

  it('is not sent again to a client that has it', async () => {
    for (const known of [() => tag, () => `"other", ${tag}`, () => `W/${tag}`, () => '*']) {
      const { response, body } = await get({ 'if-none-match': known() })
      expect([response.status, body.length]).toEqual([304, 0])
      expect(response.headers.get('etag')).toBe(tag)
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
    expect((await get({ 'if-none-match': '"other"' })).response.status).toBe(200)
    const both = await get({ 'if-none-match': tag, range: 'bytes=0-1' })
    expect(both.response.status).toBe(304)
  })

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=10-', 10, Infinity],
    ['bytes=10-999999999', 10, Infinity],
    ['bytes=-5', -5, Infinity],
    ['bytes=-999999999', 0, Infinity],
  ])('is given in part: %s', async (range, from, to) => {
    const { response, body } = await get({ range })
    const start = from < 0 ? bytes.length + from : from
    const end = Math.min(to, bytes.length)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${bytes.length}`)
    expect(response.headers.get('content-length')).toBe(String(end - start))
    expect(body.equals(bytes.subarray(start, end))).toBe(true)
  })

  it.each(['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'pages=1-2', ''])(
    'is given whole where the part is none: %j',
    async (range) => {
      const { response, body } = await get({ range })
      expect([response.status, body.length]).toEqual([200, bytes.length])
    },
  )

  it('has no part beyond its end', async () => {
    for (const range of [`bytes=${bytes.length}-`, 'bytes=99999999-', 'bytes=-0']) {
      const { response, body } = await get({ range })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'range_not_satisfiable' })
    }
  })

  it('is given in part only of the same one', async () => {
    const range = 'bytes=0-1'
    expect((await get({ range, 'if-range': tag })).response.status).toBe(206)
    expect((await get({ range, 'if-range': '"other"' })).response.status).toBe(200)
  })

  it('answers no other method, and tells other origins so', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { response } = await get({}, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
    expect((await get({}, { method: 'OPTIONS' })).response.status).toBe(204)
  })

  it.each([
    `/media/med_${'0'.repeat(32)}.webp`,
    '/media/',
    '/media/../abode.db',
    '/media/%2e%2e%2fabode.db',
    '/media/med_.webp',
    '/media/med_x.webp',
  ])('is the only thing that is served: %s', async (at) => {
    const { response, body } = await get({}, {}, at)
    expect(response.status).toBe(404)
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'path_not_found' })
  })

  it('is distinguished from other files in the same folder', async () => {
    const id = `med_${'1'.repeat(32)}`
    await server.abode.ports.files.put(id, Buffer.from('an uploaded file'))
    const shelves = await readdir(join(server.folder, 'files'), { recursive: true })
    expect(shelves.some((name) => name.endsWith(id))).toBe(true)
    expect((await get({}, {}, `/media/${id}.webp`)).response.status).toBe(404)
  })

  it('is sent to its end however large, cut where it ends early, and not there without its bytes', async () => {
    const { files, store } = server.abode.ports
    const large = Buffer.alloc(3 * 2 ** 20 + 5, 7)
    const id = `med_${'2'.repeat(32)}`
    await files.put(id, large)
    const sha256 = createHash('sha256').update(large).digest('hex')
    const about = { char_id: 'ada', owner_id: 'acc', media_type: 'image/webp', width: 1, height: 1 }
    const created_at = new Date().toISOString()
    await store.media.insert({ id, ...about, bytes: large.length, sha256, created_at })
    const { body } = await get({}, {}, `/media/${id}.webp`)
    expect(body.equals(large)).toBe(true)
    await files.put(id, large.subarray(0, 2 ** 21))
    await expect(get({}, {}, `/media/${id}.webp`)).rejects.toThrow()
    await files.delete([id])
    for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }]) {
      const { response } = await get({}, init, `/media/${id}.webp`)
      expect(response.status).toBe(404)
      expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
    }
    await store.media.delete({ id })
  })

  it('is gone when it was removed', async () => {
    const { ask } = askerOf(server.abode.core)
    const file = encoded(await picture('gif'))
    const { appearance } = await ask<{ appearance: { photos: string[] } }>(
      add,
      { char_id: 'ada', file },
      key,
    )
    const at = (appearance.photos[1] ?? '').slice(server.url.length)
    expect((await get({}, {}, at)).response.status).toBe(200)
    await ask('characters.photos.remove', { char_id: 'ada', index: 1 }, key)
    expect((await get({}, {}, at)).response.status).toBe(404)
  })

  it('counts as a read of the caller', async () => {
    let last = await get()
    for (let i = 0; i < 100 && last.response.status === 200; i++) last = await get()
    expect(last.response.status).toBe(429)
    expect(last.response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(JSON.parse(last.body.toString())).toMatchObject({ code: 'rate_limited' })
  })
})
