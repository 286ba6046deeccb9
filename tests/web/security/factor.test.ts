import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { codeOf } from '#tests/accounts/people/factor.ts'
import {
  fieldOf,
  newEmail,
  pageVisitor,
  registeredVisitor,
} from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const here = '/settings/security'

/** A person who has set codes up by the pages. */
async function guarded() {
  const email = newEmail()
  const visitor = await registeredVisitor(url, email)
  const begun = await visitor.post(here, { action: 'begin_factor', own_password: password })
  expect(/class="qr"[^]*<code>[A-Z2-7 ]+<\/code>/.test(begun.text)).toBe(true)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(begun.text)?.[1]?.replaceAll(' ', '') ?? ''
  const wrong = await visitor.post(here, { action: 'enable_factor', code: '000000' })
  expect([wrong.status, wrong.text.includes('wrong, too old')]).toEqual([422, true])
  const done = await visitor.post(here, { action: 'enable_factor', code: codeOf(secret, -1) })
  const codes = [...done.text.matchAll(/<code>([a-z2-9-]{19})<\/code>/g)].map(([, code]) => code)
  expect(codes).toHaveLength(10)
  return { email, visitor, secret, codes }
}

describe('codes after a password', () => {
  it('are asked for by every page where one signs in, and no page is seen before', async () => {
    const { email, secret, codes } = await guarded()
    const signIn = { action: 'sign_in', email, password }
    for (const path of ['/sign-in', here]) {
      const visitor = pageVisitor(url)
      const half = await visitor.post(path, signIn)
      expect([half.text.includes('One more step'), visitor.cookie]).toEqual([true, undefined])
      expect((await visitor.get('/home')).goesTo).toMatch(/^\/sign-in/)
      const pending = fieldOf(half, 'pending')
      const step = { action: 'second_factor', pending }
      const wrong = await visitor.post(path, { ...step, code: '000000' })
      expect([wrong.status, fieldOf(wrong, 'pending')]).toEqual([422, pending])
      const code = path === '/sign-in' ? codeOf(secret) : (codes[0] ?? '')
      await visitor.post(path, { ...step, code })
      expect((await visitor.get('/home')).status).toBe(200)
    }
  })

  it('count once, also where one is sent many times at once', async () => {
    const { email, secret } = await guarded()
    const half = await pageVisitor(url).post('/sign-in', { action: 'sign_in', email, password })
    const sent = { action: 'second_factor', pending: fieldOf(half, 'pending') }
    const all = Array.from({ length: 5 }, () =>
      pageVisitor(url).post('/sign-in', { ...sent, code: codeOf(secret) }),
    )
    const came = (await Promise.all(all)).filter(({ status }) => status === 303)
    expect(came.length).toBeLessThanOrEqual(1)
  })

  it('end with the password, after which it is enough', async () => {
    const { email, visitor } = await guarded()
    expect((await visitor.get(here)).text).toContain('10 recovery codes left')
    const wrong = await visitor.post(here, { action: 'disable_factor', own_password: 'another' })
    expect([wrong.status, wrong.text.includes('not your password')]).toEqual([422, true])
    const { goesTo } = await visitor.post(here, {
      action: 'disable_factor',
      own_password: password,
    })
    expect((await visitor.get(goesTo)).text).toContain('your password alone')
    const back = await pageVisitor(url).post('/sign-in', { action: 'sign_in', email, password })
    expect(back.status).toBe(303)
  })
})
