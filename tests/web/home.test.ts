import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  newEmail,
  pageVisitor,
  registeredVisitor,
  registering,
} from '#tests/accounts/people/page-visitor.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, claimable } from '#tests/support/rest/call.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
})
afterAll(() => server.dispose())

const markup = `<b>Ada</b> & "co"`

/** An account with an agent whose run failed, and the path of its claim link. */
async function claimed() {
  const { api_key: key, claim_url } = await claimable(server.url, markup)
  const task = { task_id: 'mail', name: 'Write', runtime: 'template', prompt: 'Dear {{who}}' }
  const agent = { name: markup, heart: { tasks: [task] } }
  const { id } = await call<{ id: string }>(server.url, 'POST', '/api/characters/', key, agent)
  const run = `/api/characters/${id}/tasks/mail/run`
  await call(server.url, 'POST', run, key, { input: {}, wait_seconds: 5 })
  return { id, path: new URL(claim_url).pathname }
}

describe('the page of today', () => {
  it('is where one signs in to first, and shows an account without agents how to begin', async () => {
    const stranger = pageVisitor(server.url)
    expect((await stranger.get('/home')).goesTo).toBe('/sign-in?next=%2Fhome')
    const person = await registeredVisitor(server.url)
    const page = await person.get('/home')
    expect(page.heading).toBe('Welcome')
    const { path } = await claimed()
    const link = `Open this: ${server.url}${path}, please`
    expect((await person.post('/welcome', { link })).goesTo).toBe(path)
    expect((await person.post('/welcome', { link: 'nothing' })).goesTo).toBe('/welcome')
  })

  it('shows the account that was just claimed, with what failed in it, as text', async () => {
    const { path } = await claimed()
    const person = await registeredVisitor(server.url)
    await person.post(path, { action: 'complete' })
    const page = await person.get('/home')
    expect(page.heading).toBe('Today')
    expect(page.text).toContain('&lt;b&gt;Ada&lt;/b&gt;')
    expect(page.text).not.toContain('<b>Ada')
    expect(page.text).toContain('The prompt has a place that nothing filled,')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    // Each event has the page read once, however many of its parts are live.
    expect(page.text.match(/ data-live/g)?.length).toBeGreaterThan(1)
    expect(page.text.match(/hx-get=/g)).toHaveLength(1)
    const back = await person.post('/account', { account: '' })
    expect(back.status).toBe(404)
  })

  it('shows no account of another person, even if a form asks for it', async () => {
    const { path } = await claimed()
    const owner = await registeredVisitor(server.url)
    await owner.post(path, { action: 'complete' })
    const account = /name="account" value="(acc_[^"]+)"/.exec((await owner.get('/settings')).text)
    const other = await registeredVisitor(server.url)
    const chosen = await other.post('/account', { account: account?.[1] ?? '' })
    expect(chosen.status).toBe(404)
    expect((await other.get('/home')).heading).toBe('Welcome')
  })

  it('keeps what was typed where the session has ended meanwhile', async () => {
    const email = newEmail()
    const { password } = registering(email)
    await registeredVisitor(server.url, email)
    const later = pageVisitor(server.url)
    const asked = await later.post('/welcome', { link: 'half a <link>' })
    expect(asked.heading).toBe('Sign in again')
    expect(asked.text).toContain('name="typed.link" value="half a &lt;link&gt;"')
    const typed = { 'typed.link': 'half a <link>' }
    const wrong = await later.post('/welcome', {
      ...typed,
      action: 'sign_in',
      email,
      password: 'x',
    })
    expect([wrong.heading, wrong.text.includes('typed.link')]).toEqual(['Sign in again', true])
    const back = await later.post('/welcome', { ...typed, action: 'sign_in', email, password })
    expect(back.heading).toBe('Signed in again')
    expect(later.cookie).toContain('abode_session')
    const again = await later.post('/welcome', { ...typed, action: 'show_typed' })
    expect(again.heading).toBe('Welcome')
    expect(again.text).toContain('value="half a &lt;link&gt;"')
  })
})
