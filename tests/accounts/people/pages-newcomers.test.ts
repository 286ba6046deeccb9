import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { sending, serving, type Serving } from '#tests/adapters/serve.ts'
import { invited } from './invited.ts'
import { newEmail, pageVisitor, registering } from './page-visitor.ts'

const contact = 'ops@example.org'

/** A server that takes newcomers so, with the operations that its own catalog would have. */
const servingWith = (mode: 'invited' | 'closed') =>
  serving(
    { ABODE_RATE_LIMITS: 'off', ABODE_SIGN_UP: mode, ABODE_CONTACT: contact },
    withSignUp(catalog, { mode, contact }),
  )

describe('the pages of a server that admits by invitation', () => {
  let server: Serving
  beforeAll(async () => {
    server = await servingWith('invited')
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('registers people at its page by an invitation, and says what is wrong with one', async () => {
    const visitor = pageVisitor(server.url)
    const form = await visitor.get('/sign-in?register')
    expect(form.text).toContain('name="invitation"')
    expect(form.text).toContain(contact)
    const email = newEmail()
    const without = await visitor.post('/sign-in', registering(email))
    expect(without.status).toBe(403)
    expect(without.text).toMatch(/id="invitation-problem"[^]*by invitation only/)
    const wrong = await visitor.post('/sign-in', { ...registering(email), invitation: 'inv_wrong' })
    expect(wrong.text).toContain('This invitation is not valid')
    expect(wrong.text).toContain('value="inv_wrong"')
    const invitation = await invited(server.abode.ports)
    const entered = await visitor.post('/sign-in', { ...registering(email), invitation })
    expect(entered.status).toBe(303)
    expect(visitor.cookie).toBeDefined()
  })

  it('registers the holder of a claim link, once', async () => {
    const invitation = await invited(server.abode.ports)
    const claim = await server.ask('/api/agent-claim', sending('POST', { invitation }))
    const { pathname } = new URL((JSON.parse(claim.text) as { claim_url: string }).claim_url)
    const visitor = pageVisitor(server.url)
    expect((await visitor.get(pathname)).text).not.toContain('name="invitation"')
    expect((await visitor.post(pathname, registering(newEmail()))).status).toBe(303)
    const second = await pageVisitor(server.url).post(pathname, registering(newEmail()))
    expect(second.status).toBe(403)
    expect(second.text).toContain('Someone has already registered with this link')
    await visitor.post(pathname, { action: 'complete' })
    expect((await visitor.get(pathname)).heading).toBe('This account is yours')
  })
})

describe('the pages of a closed server', () => {
  let server: Serving
  beforeAll(async () => {
    server = await servingWith('closed')
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('shows people no form to register by, and lets those sign in who are there', async () => {
    const visitor = pageVisitor(server.url)
    const page = await visitor.get('/sign-in?register')
    expect(page.text).not.toContain('value="register"')
    expect(page.text).toContain(contact)
    const form = await visitor.get('/sign-in')
    expect(form.text).toContain('value="sign_in"')
    expect(form.text).not.toContain('?register')
    expect(form.text).toContain(contact)
    const tried = await visitor.post('/sign-in', registering(newEmail()))
    expect(tried.status).toBe(403)
    expect(tried.text).toContain(contact)
    expect(visitor.cookie).toBeUndefined()
  })
})
