import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { hashOf } from '#src/accounts/people/password.ts'
import { newPerson } from '#src/accounts/people/person.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { randomHex } from '#src/core/ids.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import {
  newEmail,
  pageVisitor,
  registeredVisitor,
  registering,
  type PageVisitor,
  type Shown,
} from '#tests/accounts/people/page-visitor.ts'
import { claimedAccount, type Claimed } from '#tests/accounts/people/claimed.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { call } from '#tests/support/rest/call.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Owned extends Omit<Claimed, 'visitor'> {
  owner: PageVisitor
}

/** An account that a visitor has taken over. */
async function owned(): Promise<Owned> {
  const { visitor: owner, ...claimed } = await claimedAccount(url)
  await call(url, 'PUT', '/api/account', claimed.key, { name: `Desk ${markup}` })
  return { owner, ...claimed }
}

const linkIn = ({ text }: Shown): string =>
  /<textarea[^]*?>\s*http[^<]*?(\/join\/abm_\w+)<\/textarea>/.exec(text)?.[1] ?? ''

async function invitedBy({ owner, account }: Owned, form: Record<string, string> = {}) {
  return linkIn(
    await owner.post('/settings', { action: 'invite', account, role: 'approver', ...form }),
  )
}

/** A new visitor who has accepted an invitation. */
async function joinedTo(one: Owned, role: string, email = newEmail()): Promise<PageVisitor> {
  const visitor = await registeredVisitor(url, email)
  const path = await invitedBy(one, { role })
  expect(await visitor.post(path, { action: 'join' })).toMatchObject({ goesTo: '/home' })
  return visitor
}

const store = () => server.abode.ports.store

describe('the page of an invitation', () => {
  it('says who invites whom into what, and opening it changes nothing', async () => {
    const one = await owned()
    const path = await invitedBy(one)
    const before = await store().member_invitations.find({ account_id: one.account })
    const stranger = pageVisitor(url)
    const page = await stranger.get(path)
    expect(page).toMatchObject({ status: 200, heading: 'You are invited' })
    for (const part of [one.email, 'Desk &lt;script', 'an approver', 'name="password"']) {
      expect(page.text).toContain(part)
    }
    expect(page.text).not.toContain('<script>alert')
    expect((await stranger.get(`${path}?sign-in`)).text).toContain('value="sign_in"')
    expect(await store().member_invitations.find({ account_id: one.account })).toEqual(before)
  })

  it('lets a person register, accept, and act for the account at once', async () => {
    const one = await owned()
    const email = newEmail()
    const path = await invitedBy(one, { email })
    const grace = pageVisitor(url)
    const wrong = await grace.post(path, { ...registering(email), password: 'short' })
    expect(wrong).toMatchObject({ status: 422 })
    expect(await grace.post(path, registering(email))).toMatchObject({ status: 303, goesTo: path })
    expect((await grace.get(path)).text).toContain('value="join"')
    const accepted = await grace.post(path, { action: 'join' })
    expect(accepted).toMatchObject({ status: 303, goesTo: '/home' })
    expect((await grace.get('/home')).text).toContain('Desk &lt;script')
    // Again it leads there alone.
    const again = await grace.get(path)
    expect(again).toMatchObject({ status: 200, heading: 'You are a member' })
    const twice = await grace.post(path, { action: 'join' })
    expect(twice.heading).toBe('You are a member')
    const other = await registeredVisitor(url)
    expect(await other.get(path)).toMatchObject({ status: 409, heading: 'This link was used' })
    expect(await other.post(path, { action: 'join' })).toMatchObject({ status: 409 })
  })

  it('lets a member decide under their own name, whom the others see', async () => {
    const one = await owned()
    const email = newEmail()
    const grace = await joinedTo(one, 'approver', email)
    const reader = await joinedTo(one, 'reader')
    const id = `a-${randomHex(6)}`
    const approval_gate = { requires_approval: true, require_person: true }
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', approval_gate }
    const agent = { id, name: 'Ada', heart: { tasks: [task] } }
    await call(url, 'POST', '/api/characters/', one.key, agent)
    const run = `/api/characters/${id}/tasks/t/run`
    const { approval_id } = await call<{ approval_id: string }>(url, 'POST', run, one.key, {
      wait_seconds: 20,
    })
    const path = `/approvals/${approval_id}`
    const looks = await reader.get(path)
    expect(looks.text).toContain('You are a reader of it')
    expect(looks.text).not.toContain('value="approve"')
    await reader.post(path, { action: 'approve' })
    expect(await store().approvals.get(approval_id)).toMatchObject({ state: 'pending', votes: [] })
    expect(await grace.post(path, { action: 'approve' })).toMatchObject({ goesTo: `${path}?done` })
    expect((await grace.get(path)).text).toContain('by <bdi>you</bdi>')
    expect((await one.owner.get(path)).text).toContain(`by <bdi>${email}</bdi>`)
  })

  it('is not for another address, and says nothing of whose it is', async () => {
    const one = await owned()
    const email = newEmail()
    const path = await invitedBy(one, { email })
    const other = await registeredVisitor(url)
    for (const page of [await other.get(path), await other.post(path, { action: 'join' })]) {
      expect(page).toMatchObject({ status: 403, heading: 'This is for someone else' })
      expect(page.text).not.toContain(email)
    }
  })

  it('leads nowhere under another code, once withdrawn, or once its owner has left', async () => {
    const visitor = await registeredVisitor(url)
    for (const wrong of ['', 'abm_1', '<script>', '%00', 'a'.repeat(10_000)]) {
      const page = await visitor.get(`/join/${wrong}`)
      expect([404, 414], wrong.slice(0, 9)).toContain(page.status)
      expect(page.text).not.toContain('<script>')
    }
    const one = await owned()
    const path = await invitedBy(one)
    const [invitation] = await store().member_invitations.find({ account_id: one.account })
    const withdrawn = { action: 'remove_member', account: one.account }
    await one.owner.post('/settings', { ...withdrawn, member_id: invitation?.id ?? '' })
    expect((await visitor.get(path)).heading).toBe('This link leads nowhere')
    const late = await invitedBy(one)
    await store().accounts.update({ id: one.account }, { $set: { holder_id: 'usr_0' } })
    const gone = await visitor.post(late, { action: 'join' })
    expect(gone).toMatchObject({ status: 410, heading: 'This invitation is over' })
  })

  it('takes no form of another site, and none of a session that has ended', async () => {
    const one = await owned()
    const path = await invitedBy(one)
    const grace = await registeredVisitor(url)
    const foreign = await grace.post(path, { action: 'join' }, { origin: 'https://x.example' })
    expect(foreign.status).toBe(403)
    const ended = pageVisitor(url)
    ended.cookie = grace.cookie
    await grace.post('/sign-out', {})
    const late = await ended.post(path, { action: 'join' })
    expect(late.text).toContain('You are not signed in any more.')
    expect(await store().memberships.count({ account_id: one.account })).toBe(0)
  })
})

describe('the people in the settings', () => {
  it('are listed with the link of an invitation once, changed and removed', async () => {
    const one = await owned()
    const at = `/settings?account=${one.account}`
    const email = newEmail()
    const grace = await joinedTo(one, 'reader', email)
    const [member] = await store().memberships.find({ account_id: one.account })
    const path = await invitedBy(one, { email: 'hopper@example.org' })
    const page = await one.owner.get(at)
    for (const part of [email, 'hopper@example.org', 'Withdraw', 'Make a link']) {
      expect(page.text).toContain(part)
    }
    expect(page.text).not.toContain(path)
    const about = { account: one.account, member_id: member?.person_id ?? '' }
    const changed = await one.owner.post('/settings', {
      action: 'set_role',
      ...about,
      role: 'owner',
    })
    expect(changed.goesTo).toBe(`${at}&done=role_set`)
    expect((await grace.get(at)).text).toContain('Make a link')
    const removed = await one.owner.post('/settings', { action: 'remove_member', ...about })
    expect(removed.goesTo).toBe(`${at}&done=member_removed`)
    expect((await grace.get(at)).status).toBe(404)
    // What the removed person's pages show by themselves is their own account again.
    expect((await grace.get('/settings')).text).toContain('your own account')
  })

  it('say what is wrong with an address, and who cannot be removed', async () => {
    const one = await owned()
    const about = { action: 'invite', account: one.account, role: 'owner' }
    const wrong = await one.owner.post('/settings', { ...about, email: markup })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Enter an e-mail address')
    expect(wrong.text).not.toContain('<script>alert')
    expect(wrong.text).toMatch(/value="owner"\s+selected/)
    const taken = await one.owner.post('/settings', { ...about, email: one.email })
    expect(taken).toMatchObject({ status: 409 })
    const account = await store().accounts.get(one.account)
    const self = { action: 'remove_member', account: one.account }
    const last = await one.owner.post('/settings', { ...self, member_id: account?.holder_id ?? '' })
    expect((await one.owner.get(last.goesTo)).text).toContain('An account keeps an owner')
  })

  it('are shown to a reader, who changes nothing, and goes to and fro between accounts', async () => {
    const one = await owned()
    const email = newEmail()
    const reader = await joinedTo(one, 'reader', email)
    const page = await reader.get('/settings')
    expect(page.text).toMatch(/You are a reader of this account/)
    for (const hidden of ['Make a link', 'create_key', 'set_policy', 'set_role']) {
      expect(page.text).not.toContain(hidden)
    }
    const forged = { action: 'invite', account: one.account, role: 'owner' }
    expect(await reader.post('/settings', forged)).toMatchObject({ status: 403 })
    const [person] = await store().persons.find({ email })
    const own = person?.account_id ?? ''
    expect(page.text).toContain(`name="account" value="${own}"`)
    expect(await reader.post('/account', { account: own })).toMatchObject({ goesTo: '/home' })
    expect((await reader.get('/home')).text).toContain('Your own account')
    const leaving = { action: 'remove_member', account: one.account, member_id: person?.id ?? '' }
    await reader.post('/settings', leaving)
    expect(await store().memberships.count({ account_id: one.account })).toBe(0)
  })
})

it('lets who is invited register where sign-up is closed', async () => {
  const env = { ABODE_RATE_LIMITS: 'off', ABODE_SIGN_UP: 'closed' }
  const signUp = { mode: 'closed', contact: undefined } as const
  await using closed = await serving(env, withSignUp(catalog, signUp))
  const { ports } = closed.abode
  const email = newEmail()
  const made = newPerson(email, await hashOf(password), ports.clock.now())
  await ports.store.commit(made.writes)
  const owner = pageVisitor(closed.url)
  await owner.post('/sign-in', { action: 'sign_in', email, password })
  const account = made.person.account_id
  const path = linkIn(await owner.post('/settings', { action: 'invite', account, role: 'reader' }))
  const grace = pageVisitor(closed.url)
  expect((await grace.get(path)).text).toContain('value="register"')
  expect(await grace.post(path, registering(newEmail()))).toMatchObject({ goesTo: path })
  expect(await grace.post(path, { action: 'join' })).toMatchObject({ goesTo: '/home' })
  const late = await pageVisitor(closed.url).post(path, registering(newEmail()))
  expect(late).toMatchObject({ status: 409 })
})
