import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { newEmail, pageVisitor } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { joined, ownerAt } from '../owner.ts'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const leave = '/settings/leave'
const accountOf = async ({ on }: Awaited<ReturnType<typeof ownerAt>>) =>
  (await on<{ id: string }>('GET', '/api/account')).id

describe('the page on which a person leaves', () => {
  it('gives everything as a file, says what goes, and deletes with name and password alone', async () => {
    const email = newEmail()
    const owner = await ownerAt(url, email)
    const { visitor, on } = owner
    const account = await accountOf(owner)
    const id = 'leaver-1'
    await on('POST', '/api/characters/', { id, name: '<b>Leaver</b>' })
    await on('PUT', `/api/characters/${id}/memory/n/k`, { value: 'kept' })
    const page = await visitor.get(leave)
    expect(page.heading).toBe('Delete yourself')
    expect(page.text).toMatch(/1 key[^]*1 agent[^]*What stays/)
    expect(page.text).not.toContain('0 teams')
    expect((await visitor.get('/settings')).text).toContain(`/settings/leave?account=${account}`)

    const file = await visitor.get(`/settings/export?account=${account}`)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="account-acc_/)
    const lines = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string })
    expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['agent', 'memory']))
    const end = { kind: 'end', of: null, document: { lines: lines.length - 1 } }
    expect(lines.at(-1)).toEqual(end)

    const form = { action: 'delete', account, confirm: email, password }
    const other = await visitor.post(leave, { ...form, confirm: 'me' })
    expect([other.status, other.text.includes('exactly as it is shown')]).toEqual([422, true])
    const wrong = await visitor.post(leave, { ...form, password: 'another one' })
    expect([wrong.status, wrong.text.includes('not your password')]).toEqual([422, true])
    const foreign = await visitor.post(leave, form, { origin: 'https://elsewhere.example' })
    expect(foreign.status).toBe(403)
    const done = await visitor.post(leave, form)
    expect([done.status, done.goesTo, visitor.cookie]).toEqual([303, '/', undefined])
    const back = await pageVisitor(url).post('/sign-in', { action: 'sign_in', email, password })
    expect(back.status).toBe(422)
  })

  it("shows another's account as none, and sends members to the list of its people", async () => {
    const owner = await ownerAt(url)
    const account = await accountOf(owner)
    const { visitor: stranger } = await ownerAt(url)
    for (const path of [leave, '/settings/export']) {
      expect((await stranger.get(`${path}?account=${account}`)).status).toBe(404)
      expect((await pageVisitor(url).get(path)).goesTo).toMatch(/^\/sign-in/)
    }
    await joined(stranger, { ...owner, account }, 'reader')
    const page = await stranger.get(`${leave}?account=${account}`)
    expect(page.text).toContain('only they delete it')
    const refused = await stranger.post(leave, { action: 'delete', account, confirm: '', password })
    expect(refused.status).toBe(200)
    expect((await stranger.get(`/settings/export?account=${account}`)).status).toBe(403)
  })
})

describe('the page of how a person signs in', () => {
  it('changes the password, and keeps none that was typed', async () => {
    const email = newEmail()
    const { visitor } = await ownerAt(url, email)
    const page = await visitor.get('/settings/security')
    expect(page.text).toContain('not verified')
    const form = {
      action: 'change_password',
      password: 'wrong',
      new_password: 'some new words here',
    }
    const wrong = await visitor.post('/settings/security', form)
    expect([wrong.status, wrong.text.includes('not the present')]).toEqual([422, true])
    const short = await visitor.post('/settings/security', { ...form, password, new_password: 'x' })
    expect(short.text).toContain('Choose a password of 10')
    const { goesTo } = await visitor.post('/settings/security', { ...form, password })
    expect((await visitor.get(goesTo)).text).toContain('Your password is changed')
    visitor.cookie = undefined
    const away = await visitor.post('/settings/security', { ...form, password: 'typed before' })
    expect(away.text).not.toMatch(/typed before|some new words here/)
  })
})
