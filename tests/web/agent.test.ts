import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { ownerAt } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const tasks = [
  {
    task_id: 'sort',
    name: `Sort ${markup}`,
    runtime: 'template',
    prompt: `Sorted: {{mail}} ${markup}`,
    triggers: [{ type: 'cron', config: { cron: '0 9 * * *', timezone: 'Europe/Berlin' } }],
  },
]

describe('the page of an agent', () => {
  it('shows who it is, what it does and what it has, all of it as text', async () => {
    const { visitor, on } = await ownerAt(url)
    const [id, role] = ['ada-1', 'x'.repeat(10_000)]
    const brain = { mcps: [{ name: `Mail ${markup}`, url: 'https://mail.example/mcp' }] }
    const control = { channels: [{ name: `Team ${markup}`, type: 'slack' }] }
    const ada = {
      id,
      name: `Ada ${markup}`,
      role,
      bio: `\u202e${markup}`,
      brain,
      control,
      heart: { tasks },
    }
    await on('POST', '/api/characters/', ada)
    await on('POST', `/api/characters/${id}/tasks/sort/run`, { input: {} })
    await on('POST', '/api/feed/post', { char_id: id, content: `Two mails ${markup}` })
    const secrets = [{ name: 'MAIL_KEY', value: 'a value that no one sees, 1234' }]
    await on('PUT', `/api/characters/${id}/secrets`, { secrets })
    const hours = { title: `Hours ${markup}`, content: 'We open at nine.' }
    await on('POST', `/api/characters/${id}/knowledge/texts`, hours)
    const page = await visitor.get(`/agents/${id}`)
    expect(page.status).toBe(200)
    expect(page.heading).toContain('Ada &lt;script')
    const shown = [
      'Sort &lt;script',
      'Two mails &lt;script',
      'Hours &lt;script',
      'Mail &lt;script',
      'Team &lt;script',
    ]
    const facts = [
      'MAIL_KEY',
      '1234',
      'a place that nothing filled',
      'Only this account sees it',
      'its config needs a secret',
    ]
    for (const part of [...shown, ...facts]) expect(page.text, part).toContain(part)
    expect(page.text).not.toMatch(/<script>|a value that no one|\u202e|x{400}/)
    for (const part of ['tasks', 'knowledge', 'posts', 'friends']) {
      expect((await visitor.get(`/agents/${id}/${part}`)).status, part).toBe(200)
    }
  })

  it('is not there for others, nor under another path', async () => {
    const [{ visitor, on }, other] = await Promise.all([ownerAt(url), ownerAt(url)])
    await on('POST', '/api/characters/', { id: 'ada-2', name: 'Ada', heart: { tasks } })
    const own = ['/agents/ada-2', '/agents/ada-2/tasks', '/agents/ada-2/tasks/sort']
    for (const path of own) {
      expect((await visitor.get(path)).status, path).toBe(200)
      expect((await other.visitor.get(path)).status, path).toBe(404)
    }
    const absent = ['none', 'ada-2/none', 'ada-2/tasks/none', 'ada-2/tasks/sort/none']
    for (const path of absent) {
      expect((await visitor.get(`/agents/${path}`)).status, path).toBe(404)
    }
  })
})

describe('the page of a task', () => {
  it('shows what it is asked, when it comes, and how it went', async () => {
    const { visitor, on } = await ownerAt(url)
    await on('POST', '/api/characters/', { id: 'ada-3', name: 'Ada', heart: { tasks } })
    await on('POST', '/api/characters/ada-3/tasks/sort/run', { input: { mail: 'one' } })
    const page = await visitor.get('/agents/ada-3/tasks/sort')
    expect(page.text).toContain('Sorted: {{mail}} &lt;script')
    expect(page.text).toContain('Its pattern is read in <bdi>Europe/Berlin')
    expect(page.text).toContain('Completed')
    expect(page.text).not.toContain('<script>alert')
  })
})
