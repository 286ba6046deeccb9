import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { application } from '#adapters/http/application.ts'
import { screenPage } from '#adapters/http/html/screen-page.ts'
import { Budget } from '#adapters/http/intake/budget.ts'
import { Intake } from '#adapters/http/intake/intake.ts'
import { listener } from '#adapters/http/server.ts'
import { html } from '#src/core/html/html.ts'
import type { Screen, View } from '#src/core/html/view.ts'
import { coreWithKey, withoutOperations } from '#tests/support/doors/terms.ts'
import { until } from '#tests/support/until.ts'

const share = { all: 300_000, each: 150_000, reserve: 0, little: 0 }
const silent = () => undefined
const log = { debug: silent, info: silent, warn: silent, error: silent }

const view = (text: string): View => ({ status: 200, title: 'A form', main: html`<p>${text}</p>` })
const screen: Screen = {
  show: () => Promise.resolve(view('nothing')),
  submit: (form) => Promise.resolve(view(`said ${form.get('a')?.length ?? 0}`)),
}
const budget = new Budget({ anonymous: share, signed: share, known: share })
const intake = new Intake(budget)
const publicUrl = () => 'http://127.0.0.1'
const page = screenPage(screen, { count: () => undefined, publicUrl, intake })
const server = listener(
  application({
    core: withoutOperations(coreWithKey),
    intake,
    log,
    pages: new Map([['/form', page]]),
    trustedProxies: [],
    publicUrl,
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
  text: string
}

/** A form that is sent bit by bit. */
function sending() {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'transfer-encoding': 'chunked',
  }
  const sent = request({ port, path: '/form', method: 'POST', headers })
  const said = new Promise<Said>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const { 'retry-after': retryAfter } = response.headers
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode, retryAfter, text })
        })
    })
  })
  return { sent, said }
}

describe('the forms of pages', () => {
  it('are counted while they come, like other bodies', async () => {
    const others = budget.hold('anonymous', '127.0.0.0/24')
    expect(others.grow(130_000)).toBe(true)
    const slow = sending()
    slow.sent.write(`a=${'x'.repeat(12_000)}`)
    await until(() => Promise.resolve(intake.heldBytes >= 142_000))
    const late = sending()
    late.sent.write(`a=${'x'.repeat(12_000)}`)
    expect(await late.said).toMatchObject({ status: 503, retryAfter: '5' })
    late.sent.destroy()
    slow.sent.end('x')
    const text = expect.stringContaining('said 12001')
    expect(await slow.said).toMatchObject({ status: 200, text })
    others.release()
    expect(intake.heldBytes).toBe(0)
  })

  it('are refused where they come in pieces, or are too large', async () => {
    const bits = sending()
    bits.sent.on('error', () => undefined)
    for (let i = 0; i < 1000; i++) bits.sent.write('1')
    expect(await bits.said).toMatchObject({ status: 413, text: expect.stringContaining('pieces') })
    bits.sent.destroy()
    const large = sending()
    large.sent.write('x'.repeat(16_385))
    expect(await large.said).toMatchObject({ status: 413, text: expect.stringContaining('16384') })
    large.sent.destroy()
    await until(() => Promise.resolve(intake.heldBytes === 0))
  })
})
