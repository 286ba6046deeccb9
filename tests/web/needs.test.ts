import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { noticeTo, type StoredNotice } from '#src/accounts/notice.ts'
import type { Run } from '#src/runs/run.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `<script>alert(1)</script> \u202Egpj.exe\u200B ${'x'.repeat(10_000)}`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** A person whose agent asks for an approval, has a paused task, and has failed. */
async function needed(): Promise<Owner & { id: string; account: string; failed: Run }> {
  const owner = await ownerAt(url)
  const task = (task_id: string, more: object) => ({
    task_id,
    name: `The ${task_id}`,
    runtime: 'template',
    prompt: 'Hi',
    ...more,
  })
  const approval_gate = {
    requires_approval: true,
    require_person: true,
    approval_prompt: `Refund ${markup.slice(0, 900)}?`,
  }
  const tasks = [
    task('ask', { approval_gate }),
    task('still', {}),
    task('fail', { prompt: '{{a}}' }),
  ]
  const { id } = await owner.on<{ id: string }>('POST', '/api/characters/', {
    name: 'Ada <b>',
    heart: { tasks },
  })
  await owner.on('POST', `/api/characters/${id}/tasks/ask/run`, { wait_seconds: 20 })
  await owner.on('POST', `/api/characters/${id}/tasks/still/pause`, { reason: 'Moved <i>' })
  const failed = await owner.on<Run>('POST', `/api/characters/${id}/tasks/fail/run`, {})
  return { ...owner, id, account: failed.owner_id, failed }
}

/** A notice as the server writes it. */
async function noticed(...args: Parameters<typeof noticeTo>): Promise<StoredNotice> {
  const write = noticeTo(...args)
  if (!('insert' in write) || write.in !== 'notices') throw new TypeError('no notice')
  await server.abode.ports.store.notices.insert(write.insert)
  return write.insert
}

describe('the page of what waits', () => {
  it('shows what is to decide, what is paused and what went wrong, and leaves it unread for keys', async () => {
    const { visitor, on, id, account, failed } = await needed()
    const next = [
      { operation: 'runs.get', input: { run_id: failed.id } },
      { operation: 'runs.retry', input: { run_id: failed.id } },
    ]
    const about = { char_id: id, task_id: 'fail', run_id: failed.id }
    const details = { reason: 'variable_missing', count: 3, next }
    await noticed(account, 'run.failed', '3 runs failed.', about, new Date(), details)
    await noticed(account, 'key.created', 'A key was made.', {}, new Date())
    await noticed(account, 'delivery.failed', `Not sent: ${markup}`, {}, new Date(), {
      untrusted: true,
      source: { kind: 'webhook' },
    })
    const { text, heading } = await visitor.get('/needs-you')
    expect(heading).toBe('Needs you')
    for (const part of ['Refund &lt;script', 'The still', 'Moved &lt;i&gt;', 'Ada &lt;b&gt;']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('The prompt has a place that nothing filled.')
    expect(text).toContain(`href="/runs/${failed.id}"`)
    expect(text).toContain('3 times')
    expect(text).toContain('Written outside of the')
    expect(text).not.toContain('A key was made.')
    expect(text).not.toContain('<script>alert')
    expect(text.replaceAll(/<input[^>]*>/g, '')).not.toMatch(/[\u202E\u200B]/)
    const inbox = await on<{ items: unknown[] }>('GET', '/api/account/inbox?unread=true')
    expect(inbox.items.length).toBeGreaterThanOrEqual(3)
  })

  it('resumes a task and retries a run by their forms, and does nothing else', async () => {
    const { visitor, on, id, failed } = await needed()
    const sent = (operation: string, input: object) =>
      visitor.post('/needs-you', { operation, input: JSON.stringify(input) })
    const place = { char_id: id, task_id: 'still' }
    expect((await sent('tasks.delete', place)).goesTo).toBe('/needs-you')
    expect((await sent('tasks.resume', place)).goesTo).toBe('/needs-you?done')
    expect(await on('GET', `/api/characters/${id}/tasks/still`)).toMatchObject({ enabled: true })
    expect((await visitor.get('/needs-you?done')).text).toContain('It is done.')
    expect((await sent('runs.retry', { run_id: failed.id })).goesTo).toBe('/needs-you?done')
    const { items } = await on<{ items: Run[] }>('GET', '/api/runs?task_id=fail')
    expect(items).toMatchObject([{ retry_of: failed.id }, { id: failed.id }])
    const gone = await sent('runs.retry', { run_id: 'run_1' })
    expect([gone.status, gone.text.includes('role="alert"')]).toEqual([404, true])
    const other = await ownerAt(url)
    const foreign = { operation: 'tasks.pause', input: JSON.stringify(place) }
    await other.visitor.post('/needs-you', foreign)
    const resumed = { operation: 'tasks.resume', input: JSON.stringify(place) }
    expect((await other.visitor.post('/needs-you', resumed)).status).toBe(403)
    expect((await other.visitor.get('/needs-you')).text).toContain('Nothing waits for you.')
  })

  it('puts a notice aside by its form, which stays in the inbox', async () => {
    const { visitor, on, account } = await needed()
    const { id } = await noticed(account, 'webhook.disabled', 'It is off.', {}, new Date())
    const form = { operation: 'account.inbox.dismiss', input: JSON.stringify({ notice_id: id }) }
    expect((await visitor.get('/needs-you')).text).toMatch(/It is off\.[^]*Dismiss/)
    const other = await ownerAt(url)
    expect((await other.visitor.post('/needs-you', form)).status).toBe(404)
    const { goesTo } = await visitor.post('/needs-you', form)
    expect((await visitor.get(goesTo)).text).not.toContain('It is off.')
    const { items } = await on<{ items: StoredNotice[] }>('GET', '/api/account/inbox')
    const dismissed_at = expect.any(String) as string
    expect(items.find((one) => one.id === id)).toMatchObject({ dismissed_at })
  })

  it('leads to where a secret is set, until that was done', async () => {
    const { visitor, on, id, account } = await needed()
    const missing = [{ char_id: id, name: 'STRIPE' }]
    const next = [{ operation: 'characters.secrets.update', input: { char_id: id } }]
    await noticed(account, 'secret.missing', 'Missing.', {}, new Date(), { missing, next })
    const page = await visitor.get('/needs-you')
    expect(page.text).toMatch(/<code><bdi>STRIPE<\/bdi><\/code> of <bdi>Ada/)
    expect(page.text).toContain(`href="/agents/${id}"`)
    const secrets = [{ name: 'STRIPE', value: 'sk_0123456789' }]
    await on('PUT', `/api/characters/${id}/secrets`, { secrets })
    expect((await visitor.get('/needs-you')).text).not.toContain('STRIPE')
  })
})
