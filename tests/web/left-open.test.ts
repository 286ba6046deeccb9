import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import {
  fieldOf,
  newEmail,
  pageVisitor,
  registeredVisitor,
  type Shown,
} from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { joined, ownerAt, type Owner } from './owner.ts'

// Forms that stayed open while something else happened: a session ended, an account was lost or another was chosen.

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** An owner with an agent whose task has failed. */
async function failing(id: string, email = newEmail()) {
  const owner = await ownerAt(url, email)
  const task = { task_id: 'fail', name: 'Fail', runtime: 'template', prompt: '{{a}}' }
  await owner.on('POST', '/api/characters/', { id, name: id, heart: { tasks: [task] } })
  const failed = await owner.on<{ owner_id: string; status: string }>(
    'POST',
    `/api/characters/${id}/tasks/fail/run`,
    { wait_seconds: 5 },
  )
  expect(failed.status).toBe('failed')
  return { ...owner, id, email, account: failed.owner_id }
}

const runsOf = ({ on }: Owner) => on<{ items: unknown[] }>('GET', '/api/runs/')

describe('a form of an account that was lost meanwhile', () => {
  it('acts for no other account, and the pages say so until the person goes on with their own', async () => {
    const [crew, guest] = [await failing('crew-1'), await failing('guest-1')]
    await joined(guest.visitor, crew, 'owner')
    const open = await guest.visitor.get('/runs?status=failed&retry=all')
    expect(open.text).toContain('crew-1')
    const members = await crew.visitor.get(`/settings?account=${crew.account}`)
    const one = members.text.split('<li>').find((item) => item.includes(guest.email)) ?? ''
    const member = /name="member_id" value="([^"]*)"/.exec(one)?.[1] ?? ''
    const removal = { action: 'remove_member', account: crew.account, member_id: member }
    expect((await crew.visitor.post('/settings', removal)).goesTo).toContain('member_removed')
    const sent = await guest.visitor.post('/runs', formIn(open))
    expect(sent).toMatchObject({ status: 409, heading: 'Nothing was done' })
    expect((await runsOf(guest)).items).toHaveLength(1)
    const home = await guest.visitor.get('/home')
    expect(home.text).toContain('You are no member any more')
    await guest.visitor.post('/account', { account: guest.account })
    expect((await guest.visitor.get('/home')).text).not.toContain('You are no member any more')
  })
})

describe('a form that retries all runs', () => {
  it('reaches no run of the account that was chosen meanwhile, and needs its button', async () => {
    const [crew, guest] = [await failing('crew-2'), await failing('guest-2')]
    await joined(guest.visitor, crew, 'owner')
    const open = formIn(await guest.visitor.get('/runs?status=failed&retry=all'))
    await guest.visitor.post('/account', { account: guest.account })
    const sent = await guest.visitor.post('/runs', open)
    expect(sent.status).toBe(409)
    expect(sent.text).toContain('show another account by now')
    const own = formIn(await guest.visitor.get('/runs?status=failed&retry=all'))
    const { action: _action, ...without } = own
    expect(await guest.visitor.post('/runs', without)).toMatchObject({ status: 303 })
    expect((await runsOf(guest)).items).toHaveLength(1)
    expect((await runsOf(crew)).items).toHaveLength(1)
    expect((await guest.visitor.post('/runs', own)).goesTo).toContain('retried=1')
  })
})

/** The fields of the form that retries all. */
function formIn(page: Shown): Record<string, string> {
  const [, form = ''] = /<form method="post" class="buttons">([^]*?)<\/form>/.exec(page.text) ?? []
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

describe('a form whose session ended meanwhile', () => {
  /** Sends the form without a session, signs in on the spot, and goes on. */
  async function cameBack(path: string, form: Record<string, string>, email: string) {
    const visitor = pageVisitor(url)
    const asked = await visitor.post(path, form)
    expect(asked.heading).toBe('Sign in again')
    const back = await visitor.post(path, { ...keptIn(asked), action: 'sign_in', email, password })
    expect(back.heading).toBe('Signed in again')
    return visitor.post(path, { ...keptIn(back), action: 'show_typed' })
  }

  it('loses nothing that was typed, on any page', async () => {
    const { email, account, id, on } = await failing('kim-1')
    const agent = { local_id: 'a', name: 'A', heart: { tasks: [] } }
    await on('POST', '/api/agent-apps/', { app_id: 'kim-team', name: 'Team', agents: [agent] })
    const about = { account, email: 'typed@example.org' }
    const invite = await cameBack(
      '/settings',
      { ...about, action: 'invite', role: 'reader' },
      email,
    )
    expect(fieldOf(invite, 'email')).toBe('typed@example.org')
    expect(invite.text).toContain('<option value="reader" selected>')
    const key = { account, action: 'create_key', name: 'My typed key', scope: '' }
    expect(fieldOf(await cameBack('/settings', key, email), 'name')).toBe('My typed key')
    const policy = { account, action: 'set_policy', approvals: 'people', spend: '1234' }
    expect(fieldOf(await cameBack('/settings', policy, email), 'spend')).toBe('1234')
    const pause = { action: 'pause', reason: 'A typed reason' }
    for (const path of ['/teams/kim-team', `/agents/${id}/tasks/fail`]) {
      expect(fieldOf(await cameBack(path, pause, email), 'reason')).toBe('A typed reason')
    }
    expect((await on<{ items: unknown[] }>('GET', '/api/api-keys/')).items).toHaveLength(1)
  })

  it('says what to do where it is too long to be kept', async () => {
    const { id } = await failing('kim-2')
    const path = `/agents/${id}/tasks/fail/edit`
    const long = { action: 'look', prompt: 'p'.repeat(200_000) }
    const { status, text } = await pageVisitor(url).post(path, long)
    expect(status).toBe(413)
    expect(text).toMatch(/your\s+browser still has what you had typed/)
  })
})

/** The hidden fields of a page. */
function keptIn({ text }: Shown): Record<string, string> {
  const fields = [...text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

describe('a form that is sent twice', () => {
  it('makes one invitation', async () => {
    const { visitor, account } = await failing('lee-1')
    const page = await visitor.get('/settings')
    const [, form = ''] = page.text.split('aria-labelledby="invite"')
    const once = /name="once" value="(\w+)"/.exec(form)?.[1] ?? ''
    const invite = { action: 'invite', account, role: 'reader', email: '', once }
    const [first, second] = [
      await visitor.post('/settings', invite),
      await visitor.post('/settings', invite),
    ]
    const link = /\/join\/abm_\w+/
    expect(link.exec(second.text)?.[0]).toBe(link.exec(first.text)?.[0])
    const other = await visitor.post('/settings', { ...invite, role: 'owner' })
    expect(other.text).toContain('This form was sent before')
  })
})

describe('a form that is sent several times at once', () => {
  it('tells all of them what was done', async () => {
    const { visitor, on } = await failing('lee-2')
    const form = formIn(await visitor.get('/runs?status=failed&retry=all'))
    const sent = await Promise.all([1, 2, 3].map(() => visitor.post('/runs', form)))
    expect(sent.map(({ goesTo }) => goesTo)).toEqual(
      sent.map(() => '/runs?status=failed&retried=1'),
    )
    expect((await on<{ items: unknown[] }>('GET', '/api/runs/')).items).toHaveLength(2)
  })

  it('says in plain words that another was sent before', async () => {
    const { visitor, id } = await failing('lee-3')
    const path = `/agents/${id}/tasks/fail`
    const once = fieldOf(await visitor.get(path), 'once')
    const form = { action: 'run', 'member.a': 'one', once }
    expect(await visitor.post(path, form)).toMatchObject({ status: 303 })
    const other = await visitor.post(path, { ...form, 'member.a': 'two' })
    expect(other.status).toBe(409)
    expect(other.text).toContain('This form was sent before')
    const again = { ...form, 'member.a': 'two', once: fieldOf(other, 'once') }
    expect(await visitor.post(path, again)).toMatchObject({ status: 303 })
  })
})

describe('a link to a page with a form', () => {
  it('fills in no value of a secret, and no place to send it to', async () => {
    const { visitor, id } = await failing('mia-1')
    const evil = '?name=MAIL_KEY&value=planted&origins=https://evil.example'
    const { text } = await visitor.get(`/agents/${id}/secrets${evil}`)
    expect(text).toContain('value="MAIL_KEY"')
    expect(text).not.toMatch(/planted|evil\.example/)
  })

  it('asks for days that no calendar has', async () => {
    const visitor = await registeredVisitor(url)
    const days = ['0001-01-01', '0999-12-31', '1000-01-01', '9999-12-31', '275760-09-13']
    const times = ['0001-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z']
    for (const day of [...days, ...times]) {
      const query = new URLSearchParams({ from: day, to: day }).toString()
      expect((await visitor.get(`/runs?${query}`)).status, day).toBe(200)
    }
    const early = await visitor.get('/schedule?from=1000-01-01T00:00:00Z')
    expect(early.status).toBe(200)
  })
})
