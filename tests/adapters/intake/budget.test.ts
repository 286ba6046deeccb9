import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { application } from '#adapters/http/application.ts'
import { doorPage } from '#adapters/http/doors.ts'
import { Budget } from '#adapters/http/intake/budget.ts'
import { Intake } from '#adapters/http/intake/intake.ts'
import { listener } from '#adapters/http/server.ts'
import type { Door } from '#protocol/door.ts'
import { doorTerms, coreWithKey, withoutOperations } from '#tests/support/doors/terms.ts'
import { until } from '#tests/support/until.ts'

const mebibyte = 2 ** 20
const share = { all: 7 * mebibyte, each: 5 * mebibyte, reserve: 0, little: 0 }
const silent = () => undefined
const log = { debug: silent, info: silent, warn: silent, error: silent }

/** Says what it was told of the body. */
const door: Door = {
  handle: ({ body, fault, parseError }) =>
    Promise.resolve({
      status: fault?.status ?? 200,
      headers: { ...fault?.headers },
      body: JSON.stringify({
        isRead: body !== undefined,
        parseError,
        said: fault?.message,
        code: fault?.refusal?.code,
      }),
    }),
  close: () => Promise.resolve(),
}

let now = 0
const intake = new Intake(
  new Budget(
    { anonymous: { ...share, all: 3 * 65_536, each: 2 * 65_536 }, signed: share, known: share },
    () => now,
  ),
)
const server = listener(
  application({
    core: withoutOperations(coreWithKey),
    intake,
    log,
    pages: new Map([['/door', doorPage(async () => door, { ...doorTerms(coreWithKey), intake })]]),
    trustedProxies: ['127.0.0.0/8'],
    publicUrl: () => 'http://127.0.0.1',
    draining: new AbortController().signal,
  }).callback(),
)
let port: number
beforeAll(async () => {
  port = (await server.listen(0, '127.0.0.1')).port
})
afterAll(async () => {
  await server.close(0)
  await intake.close()
})

interface Said {
  status: number | undefined
  retryAfter: string | undefined
  connection: string | undefined
  text: string
}

/** A request whose body is written bit by bit. */
function sending(headers: Record<string, string>, from = '203.0.113.1') {
  const shared = { 'content-type': 'application/json', 'x-forwarded-for': from }
  const sent = request({ port, path: '/door', method: 'POST', headers: { ...shared, ...headers } })
  const said = new Promise<Said>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      const { 'retry-after': retryAfter, connection } = response.headers
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode, retryAfter, connection, text })
        })
    })
  })
  return { sent, said }
}

const chunked = { 'transfer-encoding': 'chunked' }
const good = { authorization: 'Bearer good' }

describe('the bytes of bodies under way', () => {
  it('are bounded without a credential as they come, whether announced or not', async () => {
    const { sent, said } = sending(chunked)
    sent.write(`"${'x'.repeat(70_000)}`)
    expect(await said).toMatchObject({ status: 413, connection: 'close' })
    sent.destroy()
    const announced = sending({ 'content-length': '70000' })
    announced.sent.flushHeaders()
    expect(await announced.said).toMatchObject({ status: 413, connection: 'close' })
    announced.sent.destroy()
  })

  it('leave room to other addresses and to callers with a key, and are given back', async () => {
    const text = `"${'x'.repeat(60_000)}`
    const slow = [sending(chunked), sending(chunked)]
    for (const { sent } of slow) sent.write(text)
    await until(() => Promise.resolve(intake.heldBytes >= 2 * 60_000))
    const third = sending(chunked)
    third.sent.write(text)
    expect(await third.said).toMatchObject({ status: 503, retryAfter: '5', connection: 'close' })
    expect((await third.said).text).toContain('"code":"unavailable"')
    third.sent.destroy()
    const neighbour = sending(chunked, '198.51.100.1')
    neighbour.sent.end(`${text.slice(0, 50_000)}"`)
    expect(await neighbour.said).toMatchObject({ status: 200 })
    const keyed = sending({ ...chunked, ...good })
    keyed.sent.end(`"${'x'.repeat(900_000)}"`)
    expect(await keyed.said).toMatchObject({ status: 200 })
    for (const { sent } of slow) sent.end('"')
    for (const { said } of slow) expect(await said).toMatchObject({ status: 200 })
    expect(intake.heldBytes).toBe(0)
  })

  it('are more than they say where they come one by one', async () => {
    const { sent, said } = sending(chunked)
    sent.on('error', () => undefined)
    for (let i = 0; i < 1000; i++) sent.write('1')
    expect(await said).toMatchObject({ status: 413, text: expect.stringContaining('pieces') })
    sent.destroy()
    await until(() => Promise.resolve(intake.heldBytes === 0))
  })

  it('are given back where the sender goes away', async () => {
    const { sent, said } = sending({ ...chunked, ...good })
    const gone = said.catch(() => 'gone')
    sent.write(`"${'x'.repeat(500_000)}`)
    await until(() => Promise.resolve(intake.heldBytes >= 500_000))
    sent.destroy()
    expect(await gone).toBe('gone')
    await until(() => Promise.resolve(intake.heldBytes === 0))
  })

  it('of a large body count for what they are parsed to', async () => {
    const fits = sending({ ...chunked, ...good })
    fits.sent.end(`"${'x'.repeat(900_000)}"`)
    expect(await fits.said).toMatchObject({ status: 200 })
    const large = sending({ ...good, 'content-length': '1200002' })
    large.sent.end(`"${'x'.repeat(1_200_000)}"`)
    expect(await large.said).toMatchObject({ status: 503 })
    expect(intake.heldBytes).toBe(0)
  })

  it('that would be dear to parse are not parsed', async () => {
    const deep = sending({ ...good })
    deep.sent.end('['.repeat(40_000) + ']'.repeat(40_000))
    expect(await deep.said).toMatchObject({ status: 400, text: expect.stringContaining('levels') })
    const broken = sending({ ...chunked, ...good })
    broken.sent.end('{"a":')
    expect(await broken.said).toMatchObject({ text: expect.stringContaining('"parseError":true') })
  })

  it('make room where they come slowly and others need it', async () => {
    const slow = sending({ ...chunked, ...good })
    slow.sent.write(`"${'x'.repeat(4_600_000)}`)
    await until(() => Promise.resolve(intake.heldBytes >= 4_600_000))
    const early = sending({ ...good, 'content-length': '1200002' })
    early.sent.end(`"${'x'.repeat(1_200_000)}"`)
    expect(await early.said).toMatchObject({ status: 503 })
    now += 5001
    const late = sending({ ...good, 'content-length': '900002' })
    late.sent.end(`"${'x'.repeat(900_000)}"`)
    expect(await late.said).toMatchObject({ status: 200 })
    expect(await slow.said).toMatchObject({ status: 503, text: expect.stringContaining('slowly') })
    slow.sent.destroy()
    await until(() => Promise.resolve(intake.heldBytes === 0))
  })
})

describe('a share of the budget', () => {
  const known = { all: 1000, each: 900, reserve: 100, little: 10 }
  const open = () => {
    const budget = new Budget({ anonymous: known, signed: known, known }, () => now)
    return (sender: string) => budget.hold('known', sender)
  }

  it('is never used up by a few senders, and its last part by none', () => {
    const holdOf = open()
    expect(holdOf('a').grow(601)).toBe(false)
    expect(holdOf('a').grow(600)).toBe(true)
    expect(holdOf('b').grow(201)).toBe(false)
    expect(holdOf('b').grow(200)).toBe(true)
    expect(holdOf('c').grow(67)).toBe(false)
    expect(holdOf('c').grow(66)).toBe(true)
    expect(holdOf('d').grow(22)).toBe(true)
    for (const one of Array.from({ length: 11 }, (_, i) => i)) {
      expect(holdOf(`little ${one}`).grow(10)).toBe(true)
    }
    expect(holdOf('little 12').grow(10)).toBe(false)
  })

  it('is kept by what comes without pauses, and lost by what has come in drops', () => {
    const holdOf = open()
    const [steady, drops, whole] = [holdOf('a'), holdOf('b'), holdOf('c')]
    const ended: string[] = []
    for (const [name, hold] of Object.entries({ steady, drops })) {
      hold.givesWay(() => ended.push(name) > 0)
    }
    whole.givesWay(() => false)
    expect([steady.grow(300), drops.grow(200), whole.grow(100)]).toEqual([true, true, true])
    now += 4000
    drops.grow(1)
    expect(holdOf('d').grow(250)).toBe(false)
    expect(steady.grow(90) && ended.length === 0).toBe(true)
    now += 1001
    expect(holdOf('d').grow(140)).toBe(true)
    expect(ended).toEqual(['drops'])
  })
})
