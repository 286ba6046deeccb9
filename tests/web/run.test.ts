import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { runEvent } from '#src/runs/events.ts'
import type { Run } from '#src/runs/run.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf, pageVisitor } from '#tests/accounts/people/page-visitor.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `<script>alert(1)</script> & "co" pay \u202Egpj.exe\u200B`

let server: Serving
let url = ''
let owner: Owner
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
  owner = await ownerAt(url)
  const task = (task_id: string, more: object) => ({ task_id, name: `The ${task_id}`, ...more })
  const template = (prompt: string) => ({ runtime: 'template', prompt })
  const to = (target_task_id: string) => ({
    output_sharing: { enabled: true, target_agent_id: 'ada', target_task_id },
  })
  await owner.on('POST', '/api/characters/', {
    id: 'ada',
    name: `Ada <script>alert(1)</script>`,
    heart: {
      tasks: [
        task('say', template('Says {{input}}')),
        task('fail', template('Needs {{order}}')),
        task('begin', { ...template('Begins with {{input}}'), ...to('fail') }),
        task('think', { prompt: 'Think about {{input}}' }),
      ],
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

function run(task: string, input?: unknown): Promise<Run> {
  const path = `/api/characters/ada/tasks/${task}/run`
  return owner.on('POST', path, { ...(input !== undefined && { input }), wait_seconds: 20 })
}

describe('the page of a run', () => {
  it('shows what it gave, what it was given and what happened, all of it as text', async () => {
    const { id } = await run('say', `x ${markup}`)
    const page = await owner.visitor.get(`/runs/${id}`)
    expect(page.status).toBe(200)
    expect(page.heading).toContain('Ada &lt;script')
    expect(page.heading).toContain('The say')
    for (const part of [
      'Completed',
      'Says x &lt;script',
      'href="/agents/ada"',
      'Begun',
      'A call',
    ]) {
      expect(page.text).toContain(part)
    }
    expect(page.text).not.toContain('<script>alert')
    expect(page.text.replaceAll(/<textarea[^]*?<\/textarea>/g, '')).not.toMatch(/[\u202E\u200B]/)
    expect(page.text.match(/<h1/g)).toHaveLength(1)
  })

  it('says why it failed and what to do, and retries it once however often the form is sent', async () => {
    const { id } = await run('fail', { order: undefined })
    const page = await owner.visitor.get(`/runs/${id}`)
    expect(page.text).toContain('The prompt has a place that nothing filled.')
    expect(page.text).toContain('Run it again with an input')
    const form = { action: 'retry', once: fieldOf(page, 'once') }
    const first = await owner.visitor.post(`/runs/${id}`, form)
    expect(first).toMatchObject({ status: 303 })
    expect(await owner.visitor.post(`/runs/${id}`, form)).toMatchObject({ goesTo: first.goesTo })
    expect((await owner.visitor.get(first.goesTo)).text).toContain('Does again')
  })

  it('runs it again with another input, and keeps what is typed where that is no JSON', async () => {
    const { id } = await run('fail', { order: null })
    const path = `/runs/${id}`
    const wrong = await owner.visitor.post(path, { action: 'again', form: 'json', input: '{"or' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This is not JSON. Nothing was run.')
    expect(wrong.text).toContain('{&quot;or</textarea')
    const form = { action: 'again', form: 'json', input: '{"order": "17"}' }
    const { goesTo } = await owner.visitor.post(path, form)
    const again = await owner.on<Run>('GET', `/api${goesTo}`)
    expect(again).toMatchObject({ retry_of: id, input: { order: '17' } })
    const text = await run('say', 'two\nlines')
    const same = { action: 'again', form: 'text', input: 'two\r\nlines' }
    const kept = await owner.visitor.post(`/runs/${text.id}`, same)
    expect(await owner.on<Run>('GET', `/api${kept.goesTo}`)).toMatchObject({ input: 'two\nlines' })
  })

  it('shows the chain as a tree with the names of all, from any of its runs', async () => {
    const root = await run('begin', 'hello')
    const { items } = await owner.on<{ items: Run[] }>(
      'GET',
      `/api/runs?root_run_id=${root.id}&wait_seconds=20`,
    )
    const handed = items.find(({ id }) => id !== root.id)
    const page = await owner.visitor.get(`/runs/${handed?.id}`)
    expect(page.heading).toContain('The fail')
    expect(page.text).toContain(`href="/runs/${root.id}"`)
    const [first, second] = ['The begin', 'The fail'].map((name) =>
      page.text.indexOf(name, page.text.indexOf('class="chain"')),
    )
    expect(first).toBeLessThan(second ?? 0)
  })

  it('shows what its brain saw, cancels it by the form of its view, and does so once', async () => {
    const queued = await owner.on<Run>('POST', '/api/characters/ada/tasks/think/run', {
      input: 'it',
    })
    await owner.on('POST', '/api/runs/lease', { char_id: 'ada' })
    const path = `/runs/${queued.id}`
    const page = await owner.visitor.get(path)
    expect(page.text).toContain('What it saw')
    expect(page.text).toContain('Think about it')
    expect(page.text).toContain('every 5s')
    const form = {
      operation: fieldOf(page, 'operation'),
      input: JSON.stringify({ run_id: queued.id }),
    }
    // What the page does not offer, it does not do.
    const other = await owner.visitor.post(path, { ...form, operation: 'runs.delete' })
    expect(other).toMatchObject({ status: 303, goesTo: path })
    expect(await owner.visitor.post(path, form)).toMatchObject({ status: 303, goesTo: path })
    const after = await owner.visitor.get(path)
    expect(after.text).toContain('Cancelled')
    expect(after.text).not.toContain('every 5s')
    const late = await owner.visitor.post(path, form)
    expect(late.status).toBe(409)
    expect(late.text).toContain('role="alert"')
  })

  it('shows many events by pages, the latest first, and parts of an answer as one', async () => {
    const { id } = await run('say', 'x')
    const { run_events } = server.abode.ports.store
    const at = new Date()
    for (let n = 0; n < 100; n++) {
      const data = { answer: 1, step: 1, at: n * 2, text: n < 50 ? 'a ' : 'b ' }
      await run_events.insert(runEvent(id, 'model.text', at, data))
    }
    await run_events.insert(runEvent(id, 'tool.called', at, { tool: markup, arguments: '{"a":1}' }))
    const page = await owner.visitor.get(`/runs/${id}`)
    expect(page.text.indexOf('Completed')).toBeLessThan(page.text.indexOf('Calls <bdi>&lt;script'))
    expect(page.text).toContain(`${'b '.repeat(49)}</div>`)
    const [, older = ''] = /href="([^"]*events=[^"]*)"/.exec(page.text) ?? []
    const next = await owner.visitor.get(older.replaceAll('&amp;', '&').replace(/#.*/, ''))
    expect(next.text).toContain(`${'a '.repeat(49)}b `)
    expect((await owner.visitor.get(`/runs/${id}?events=x`)).status).toBe(400)
  })

  it('is not there for another account, and takes no form of another site', async () => {
    const { id } = await run('fail', {})
    const other = await ownerAt(url)
    for (const path of [`/runs/${id}`, '/runs/run_1', `/runs/${'a'.repeat(500)}`]) {
      expect((await other.visitor.get(path)).status, path).toBe(404)
      expect((await other.visitor.post(path, { action: 'retry' })).status, path).toBe(404)
    }
    const forged = await owner.visitor.post(
      `/runs/${id}`,
      { action: 'retry' },
      { origin: 'https://x.example' },
    )
    expect(forged.status).toBe(403)
    const { items } = await owner.on<{ items: Run[] }>('GET', '/api/runs?task_id=fail&limit=1')
    expect(items[0]?.id).toBe(id)
  })

  it('keeps what was typed where the session ended meanwhile', async () => {
    const email = 'typist@example.org'
    const mine = await ownerAt(url, email)
    const tasks = [{ task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi {{input}}' }]
    const { id: char } = await mine.on<{ id: string }>('POST', '/api/characters/', {
      name: 'Bo',
      heart: { tasks },
    })
    const { id } = await mine.on<Run>('POST', `/api/characters/${char}/tasks/t/run`, { input: 'x' })
    const visitor = pageVisitor(url)
    const form = { action: 'again', form: 'text', input: 'typed & kept' }
    const away = await visitor.post(`/runs/${id}`, form)
    expect(away.text).toContain('value="typed &amp; kept"')
    const kept = { 'typed.action': 'again', 'typed.form': 'text', 'typed.input': form.input }
    await visitor.post(`/runs/${id}`, { ...kept, action: 'sign_in', email, password })
    const back = await visitor.post(`/runs/${id}`, { ...kept, action: 'show_typed' })
    expect(back.text).toContain('typed &amp; kept</textarea')
  })
})
