import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { Run } from '#src/runs/run.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf } from '#tests/accounts/people/page-visitor.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `Bo <script>alert(1)</script> ${'x'.repeat(60)}`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** A person whose agent has failed three times for one reason and once for another, and did two things. */
async function busy(): Promise<Owner & { id: string }> {
  const owner = await ownerAt(url)
  const task = (task_id: string, prompt: string) => ({
    task_id,
    name: `The ${task_id}`,
    runtime: 'template',
    prompt,
  })
  const tasks = [task('say', 'Hi'), task('order', 'Of {{order}}'), task('tell', 'Of {{secret.A}}')]
  const { id } = await owner.on<{ id: string }>('POST', '/api/characters/', {
    name: markup,
    heart: { tasks },
  })
  for (const one of ['order', 'say', 'order', 'tell', 'order', 'say']) {
    await owner.on('POST', `/api/characters/${id}/tasks/${one}/run`, {})
  }
  return { ...owner, id }
}

const pathOf = (query: Record<string, string>): string =>
  `/runs?${new URLSearchParams(query).toString()}`

const linksIn = (text: string): string[] =>
  [...text.matchAll(/href="(\/runs\/run_[^"]+)"/g)].map(([, path = '']) => path)

describe('the page of runs', () => {
  it('lists what ran, the newest first, and what failed for one reason together', async () => {
    const { visitor } = await busy()
    const { text, heading } = await visitor.get('/runs')
    expect(heading).toBe('Runs')
    expect(text).toContain('Failed × 3')
    expect(text).toContain('The prompt has a place that nothing filled')
    expect(text).toContain('Bo &lt;script')
    expect(text).not.toContain('<script>alert')
    expect(new Set(linksIn(text)).size).toBe(6)
    expect((await (await ownerAt(url)).visitor.get('/runs')).text).toContain('Nothing has run yet.')
  })

  it('narrows by each member of its form, by days of the reader, and says so of what there is not', async () => {
    const { visitor, id } = await busy()
    const many = async (query: Record<string, string>) => {
      return linksIn((await visitor.get(pathOf(query))).text).length
    }
    expect(await many({ status: 'failed' })).toBe(4)
    expect(await many({ status: 'completed', task_id: 'say', char_id: id })).toBe(2)
    expect(await many({ error_code: 'secret_in_prompt' })).toBe(1)
    expect(await many({ trigger: 'cron' })).toBe(0)
    expect(await many({ trigger: 'nothing', status: 'nothing', from: 'x', to: '' })).toBe(6)
    expect(await many({ to: '2020-01-01' })).toBe(0)
    expect(await many({ from: '2020-01-01', to: '2999-01-01' })).toBe(6)
    const unknown = await visitor.get('/runs?char_id=nothing')
    expect(unknown.text).toContain('The account has no such agent.')
    expect(unknown.text).toContain('No run is like that.')
    expect(
      (await visitor.get(`/runs?app_id=${encodeURIComponent('"><script>alert(1)')}`)).text,
    ).not.toContain('<script>alert')
  })

  it('retries together what failed for one reason, once however often the form is sent', async () => {
    const { visitor, on, id } = await busy()
    const query = {
      char_id: id,
      task_id: 'order',
      error_code: 'variable_missing',
      status: 'failed',
    }
    const asked = await visitor.get(pathOf({ ...query, retry: 'all' }))
    expect(asked.text).toContain('Retry 3 runs?')
    const [account, once] = [fieldOf(asked, 'account'), fieldOf(asked, 'once')]
    const form = { ...query, action: 'retry_all', account, once }
    const done = await visitor.post('/runs', form)
    expect(done.goesTo).toContain('retried=3')
    expect((await visitor.get(done.goesTo)).text).toContain('3 runs were queued again.')
    expect((await visitor.post('/runs', form)).goesTo).toBe(done.goesTo)
    const { items } = await on<{ items: Run[] }>('GET', `/api/runs?task_id=order`)
    expect(items.filter(({ retry_of }) => retry_of !== undefined)).toHaveLength(3)
    expect(items).toHaveLength(6)
    const forged = await visitor.post('/runs', form, { origin: 'https://x.example' })
    expect(forged.status).toBe(403)
  })

  it('goes on by pages', async () => {
    const { visitor, on, id } = await busy()
    for (let i = 0; i < 46; i++) await on('POST', `/api/characters/${id}/tasks/say/run`, {})
    const first = await visitor.get('/runs?trigger=manual')
    expect(linksIn(first.text)).toHaveLength(50)
    const [, next = ''] = /href="([^"]*cursor[^"]*)" rel="next"/.exec(first.text) ?? []
    const second = await visitor.get(next.replaceAll('&amp;', '&'))
    expect(linksIn(second.text)).toHaveLength(2)
    expect(second.text).not.toContain('hx-get')
    expect((await visitor.get('/runs?cursor=x')).status).toBe(400)
  })
})
