import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { randomHex } from '#src/core/ids.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { call } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'
import { claimedAccount } from './claimed.ts'
import { newEmail, pageVisitor, registeredVisitor, type PageVisitor } from './page-visitor.ts'
import { password } from './persons.ts'

const markup = `<script>alert(1)</script><img src=x onerror='alert("1")'> & "co"</pre></textarea>`

let server: Serving
let url = ''

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Asked {
  path: string
  id: string
  key: string
  email: string
  visitor: PageVisitor
}

/** An approval that the visitor is asked for, of a run of an account that they hold. */
async function asked(
  gate: object = {},
  input: unknown = { order: 17, note: markup },
): Promise<Asked> {
  const { visitor, email, key } = await claimedAccount(url)
  const approval_gate = {
    requires_approval: true,
    require_person: true,
    approval_prompt: `Refund ${markup}?`,
    ...gate,
  }
  const task = { task_id: 't', name: `Refund ${markup}`, runtime: 'template', prompt: 'Hi' }
  const tasks = [{ ...task, approval_gate }]
  const id = `a-${randomHex(6)}`
  await call(url, 'POST', '/api/characters/', key, { id, name: `Ada ${markup}`, heart: { tasks } })
  const run = await call<{ approval_id: string }>(
    url,
    'POST',
    `/api/characters/${id}/tasks/t/run`,
    key,
    { input, wait_seconds: 20 },
  )
  const approval = run.approval_id
  return { path: `/approvals/${approval}`, id: approval, key, email, visitor }
}

const approvalOf = (id: string) => server.abode.ports.store.approvals.get(id)

describe('the page of an approval', () => {
  it('shows what is asked, by whom, since when and until when, all of it as text', async () => {
    const { path, visitor } = await asked({ timeout_seconds: 3600 })
    const page = await visitor.get(path)
    expect(page).toMatchObject({ status: 200, heading: 'An approval is asked of you' })
    for (const part of ['Refund &lt;script', 'Ada &lt;script', '&quot;order&quot;: 17', 'A call']) {
      expect(page.text).toContain(part)
    }
    expect(page.text).toMatch(/Asked<\/dt>\s*<dd><time [^]*Until<\/dt>\s*<dd><time /)
    expect(page.text).not.toMatch(/<script>|<img/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('says where the words of strangers are, and of which kind', async () => {
    const { path: own, key, visitor } = await asked()
    expect((await visitor.get(own)).text).not.toContain('Written outside of the')
    const id = `a-${randomHex(6)}`
    const approval_gate = { requires_approval: true, require_person: true }
    const triggers = [{ type: 'webhook', config: { path: 'returns' } }]
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', triggers }
    const tasks = [{ ...task, approval_gate }]
    await call(url, 'POST', '/api/characters/', key, { id, name: 'Desk', heart: { tasks } })
    await call(url, 'POST', `/api/hooks/${id}/returns`, undefined, { note: markup })
    const approvals = server.abode.ports.store.approvals
    await until(async () => (await approvals.count({ char_id: id })) === 1)
    const [approval] = await approvals.find({ char_id: id })
    const page = await visitor.get(`/approvals/${approval?.id}`)
    expect(page.text).toMatch(/Written outside of the\s+account\s+\(webhook\)/)
  })

  it('approves with a note, once, and says so from then on', async () => {
    const { path, id, visitor } = await asked()
    const answer = await visitor.post(path, { action: 'approve', reason: ` Checked ${markup} ` })
    expect(answer).toMatchObject({ status: 303, goesTo: `${path}?done` })
    const page = await visitor.get(answer.goesTo)
    expect(page.heading).toBe('This was approved')
    expect(page.text).toContain('Checked &lt;script')
    expect(page.text).toContain('by <bdi>you</bdi>')
    expect(page.text).not.toContain('name="action" value="approve"')
    const decided = await approvalOf(id)
    expect(decided).toMatchObject({
      state: 'approved',
      votes: [{ reason: `Checked ${markup}`, decided_by: { kind: 'person' } }],
    })
    // Another tab, or the same form again.
    const late = await visitor.post(path, { action: 'reject' })
    expect(late.status).toBe(409)
    expect(late.text).toContain('It had been decided before your answer came')
    expect(await approvalOf(id)).toEqual(decided)
  })

  it('rejects', async () => {
    const { path, id, visitor } = await asked()
    expect((await visitor.post(path, { action: 'reject' })).status).toBe(303)
    expect(await approvalOf(id)).toMatchObject({ state: 'rejected' })
    expect((await visitor.get(path)).heading).toBe('This was rejected')
  })

  it('leads through the sign-in and back', async () => {
    const { path, id, email } = await asked()
    const visitor = pageVisitor(url)
    const away = await visitor.get(path)
    expect(away).toMatchObject({ status: 303, goesTo: `/sign-in?next=${encodeURIComponent(path)}` })
    const form = { action: 'sign_in', email, password, next: path }
    expect(await visitor.post(away.goesTo, form)).toMatchObject({ status: 303, goesTo: path })
    // A session that ends before the answer decides nothing.
    const ended = pageVisitor(url)
    ended.cookie = visitor.cookie
    await visitor.post('/sign-out', {})
    const typed = await ended.post(path, { action: 'approve', reason: 'Typed & kept' })
    expect(typed.heading).toBe('Sign in again')
    const kept = { 'typed.action': 'approve', 'typed.reason': 'Typed & kept' }
    await ended.post(path, { ...kept, action: 'sign_in', email, password })
    const back = await ended.post(path, { ...kept, action: 'show_typed' })
    expect(back.text).toMatch(/>\s*Typed &amp; kept<\/textarea/)
    expect(await approvalOf(id)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('is not there for a person of another account, nor under another id', async () => {
    const { path, id } = await asked()
    const other = await registeredVisitor(url)
    for (const at of [path, '/approvals/apr_1', '/approvals/', `/approvals/${'a'.repeat(500)}`]) {
      expect((await other.get(at)).status, at).toBe(404)
      expect((await other.post(at, { action: 'approve' })).status, at).toBe(404)
    }
    expect(await approvalOf(id)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('is decided no more by a person who lost the account meanwhile, but by who holds it now', async () => {
    const { path, id, visitor } = await asked()
    expect((await visitor.get(path)).status).toBe(200)
    const email = newEmail()
    const next = await registeredVisitor(url, email)
    const { store } = server.abode.ports
    const [person] = await store.persons.find({ email })
    const { owner_id = '' } = (await approvalOf(id)) ?? {}
    await store.accounts.update({ id: owner_id }, { $set: { holder_id: person?.id ?? '' } })
    const late = await visitor.post(path, { action: 'approve' })
    expect(late.status).toBe(404)
    expect(late.text).toContain('nothing was decided')
    expect((await visitor.get(path)).status).toBe(404)
    expect(await approvalOf(id)).toMatchObject({ state: 'pending', votes: [] })
    expect((await next.get(path)).status).toBe(200)
    await next.post(path, { action: 'approve' })
    expect(await approvalOf(id)).toMatchObject({ state: 'approved' })
  })

  it('takes no form of another site, and does nothing for one without an answer', async () => {
    const { path, id, visitor } = await asked()
    const forged = await visitor.post(
      path,
      { action: 'approve' },
      { origin: 'https://elsewhere.example' },
    )
    expect(forged.status).toBe(403)
    expect(await visitor.post(path, { action: 'abstain' })).toMatchObject({ goesTo: path })
    const long = await visitor.post(path, { action: 'approve', reason: 'x'.repeat(2001) })
    expect(long.status).toBe(422)
    expect(long.text).toContain('A note has at most 2,000 characters.')
    expect(await approvalOf(id)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('says that a task that was changed can only be rejected', async () => {
    const { path, id, key, visitor } = await asked()
    const { char_id } = (await approvalOf(id)) ?? {}
    await call(url, 'PUT', `/api/characters/${char_id ?? ''}/tasks/t`, key, { prompt: 'Other' })
    const stale = await visitor.post(path, { action: 'approve', reason: 'Yes' })
    expect(stale.status).toBe(409)
    expect(stale.text).toContain('it can only be rejected')
    expect(stale.text).toMatch(/>\s*Yes<\/textarea/)
    expect((await visitor.post(path, { action: 'reject' })).status).toBe(303)
  })

  it('asks as which agent where keys may decide too, and counts the answers', async () => {
    const { visitor, path, id, key } = await asked({ require_person: false })
    const page = await visitor.get(path)
    expect(page.text).not.toContain('<select')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ decision: 'approve' })
    await server.ask(`/api/approvals/${id}/decision`, { method: 'POST', headers, body })
    expect((await visitor.get(path)).text).toContain('by <bdi>a key</bdi>')
  })

  it('changes the input where the gate allows it, and shows what was asked and what was approved', async () => {
    const { path, id, visitor } = await asked({ allow_edit: true })
    const page = await visitor.get(path)
    expect(page.text).toContain('<textarea id="input"')
    expect(page.text).toContain('name="form" value="json"')
    const wrong = await visitor.post(path, { action: 'approve', form: 'json', input: '{"order": ' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This is not JSON. Nothing was decided.')
    expect(wrong.text).toContain('{&quot;order&quot;: </textarea')
    expect(await approvalOf(id)).toMatchObject({ state: 'pending', votes: [] })
    const input = `{"order": 18, "note": ${JSON.stringify(markup)}}`
    const answer = await visitor.post(path, { action: 'approve', form: 'json', input })
    expect(answer).toMatchObject({ status: 303, goesTo: `${path}?done` })
    const decided = await approvalOf(id)
    expect(decided).toMatchObject({
      state: 'approved',
      input: { order: 17 },
      edited_input: { order: 18, note: markup },
      edited_by: { kind: 'person' },
    })
    const after = await visitor.get(answer.goesTo)
    expect(after.text).toMatch(/Changed by <bdi>you<\/bdi>\s+to/)
    expect(after.text).toContain('&quot;order&quot;: 18')
    expect(after.text).toMatch(/Approved with a change by <bdi>you<\/bdi>/)
    expect(after.text).not.toMatch(/<script>|<img/)
  })

  it('changes nothing where the input is sent as the browser got it, or with a rejection', async () => {
    const one = await asked({ allow_edit: true }, 'two\nlines')
    const page = await one.visitor.get(one.path)
    expect(page.text).toContain('name="form" value="text"')
    const form = { form: 'text', input: 'two\r\nlines' }
    await one.visitor.post(one.path, { action: 'approve', ...form })
    const decided = await approvalOf(one.id)
    expect(decided).toMatchObject({ state: 'approved' })
    expect(decided).not.toHaveProperty('edited_input')
    const two = await asked({ allow_edit: true }, 'two\nlines')
    await two.visitor.post(two.path, { action: 'reject', form: 'text', input: 'another' })
    expect(await approvalOf(two.id)).toMatchObject({ state: 'rejected' })
    const three = await asked({ allow_edit: true }, 'x')
    await three.visitor.post(three.path, { action: 'approve', form: 'text', input: 'a\r\nb' })
    expect(await approvalOf(three.id)).toMatchObject({ edited_input: 'a\nb' })
  })

  it('has no field for a change where none is allowed, or the input is too long for it', async () => {
    const one = await asked()
    expect((await one.visitor.get(one.path)).text).not.toContain('id="input"')
    await one.visitor.post(one.path, { action: 'approve', form: 'text', input: 'forged' })
    expect(await approvalOf(one.id)).not.toHaveProperty('edited_input')
    // Each takes nine bytes of a form.
    const [most, more] = ['€'.repeat(4000), '€'.repeat(4200)]
    const two = await asked({ allow_edit: true }, more)
    const page = await two.visitor.get(two.path)
    expect(page.text).not.toContain('id="input"')
    expect(page.text).toContain('too long for that here')
    const three = await asked({ allow_edit: true }, 'x')
    const form = { action: 'approve', form: 'text', reason: '€'.repeat(2000) }
    const refused = await three.visitor.post(three.path, { ...form, input: more })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('It is too long for this page')
    expect((await three.visitor.post(three.path, { ...form, input: most })).status).toBe(303)
    expect(await approvalOf(three.id)).toMatchObject({ edited_input: most })
  })
})
