import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf, registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { until } from '#tests/support/until.ts'
import { joined, ownerAt, type Owner } from './owner.ts'

let server: Serving
let models: ModelServer
let url = ''
beforeAll(async () => {
  // A call of the model costs ten cents.
  models = await startModelServer(() => ({ text: ['Done.'], usage: { input: 10, output: 0 } }))
  const env = {
    ABODE_RATE_LIMITS: 'off',
    ABODE_DEFAULT_MODEL: 'openai-compatible/m',
    ABODE_MODEL_PRICES: '{"openai-compatible/m": {"input": 10000, "output": 0}}',
    OPENAI_API_KEY: 'key-of-the-operator',
    OPENAI_BASE_URL: models.baseUrl,
  }
  server = await serving(env, catalog)
  ;({ url } = server)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  models.close()
})

interface Ran {
  id: string
  owner_id: string
  status: string
  reason: string | null
}

/** An owner whose agent asks a model. */
async function asking(id: string, brain: object | null = null): Promise<Owner> {
  const owner = await ownerAt(url)
  const tasks = [{ task_id: 't', name: 'T', prompt: 'Say {{input}}' }]
  const character = { id, name: `<b>${id}</b> & co`, brain, heart: { tasks } }
  await owner.on('POST', '/api/characters/', character)
  return owner
}

const run = ({ on }: Owner, id: string): Promise<Ran> =>
  on('POST', `/api/characters/${id}/tasks/t/run`, { input: 'x', wait_seconds: 20 })

describe('the page of what models cost', () => {
  it("shows today's cost, and sets a budget that then stops a run with its reason", async () => {
    const owner = await asking('spender-1')
    const { visitor } = owner
    const empty = await visitor.get('/spend')
    expect(empty.heading).toBe('Money')
    expect(empty.text).toMatch(/Models today<\/dt>\s*<dd[^>]*>\$0\.00/)
    expect(await run(owner, 'spender-1')).toMatchObject({ status: 'completed' })
    expect((await visitor.get('/home')).text).toMatch(/href="\/spend">\$0\.10</)
    const page = await visitor.get('/spend')
    const [places = ''] = /<nav class="places".*?<\/nav>/s.exec(page.text) ?? []
    expect(places).toContain('Today')
    expect(places).not.toContain('aria-current')
    expect(page.text).toMatch(/Models today<\/dt>\s*<dd[^>]*>\$0\.10/)
    expect(page.text).toContain('&lt;b&gt;spender-1&lt;/b&gt; &amp; co')
    expect(page.text).toContain('openai-compatible/m')
    expect(page.text).toMatch(/By day[^]*\d+ \w{3,4} \d{4}[^]*1 call/)

    const form = { action: 'set', char_id: 'spender-1', period: 'day', once: fieldOf(page, 'once') }
    const wrong = await visitor.post('/spend', { ...form, limit: 'much' })
    expect(wrong.text).toMatch(/Enter an amount in US dollars[^]*value="much"/)
    const set = { ...form, limit: '0.15' }
    const { goesTo } = await visitor.post('/spend', set)
    expect((await visitor.post('/spend', set)).goesTo).toBe(goesTo)
    const done = await visitor.get(goesTo)
    expect(done.text).toMatch(/The budget is set\.[^]*\$0\.15 a day[^]*\$0\.10\s+spent/)

    await run(owner, 'spender-1')
    const held = await owner.on<Ran>('POST', '/api/characters/spender-1/tasks/t/run', { input: '' })
    const read = () => owner.on<Ran>('GET', `/api/runs/${held.id}`)
    await until(async () => (await read()).reason === 'budget_exceeded')
    const why = (await visitor.get(`/runs/${held.id}`)).text
    expect(why).toContain('a budget for models is used up')
    const used = await visitor.get('/spend')
    expect(used.text).toContain('Used up')
    const gone = {
      action: 'delete',
      budget_id: fieldOf(used, 'budget_id'),
      once: fieldOf(used, 'once'),
    }
    const after = await visitor.get((await visitor.post('/spend', gone)).goesTo)
    expect(after.text).toMatch(/what waited for it goes on[^]*There is no budget/)
    await until(async () => (await read()).status === 'completed')
  })

  it('says of a model without a price that its cost is unknown', async () => {
    const brain = { llm_provider: 'openai-compatible', llm_model: 'x&y' }
    const owner = await asking('spender-2', brain)
    const { id } = await run(owner, 'spender-2')
    await owner.on('PUT', '/api/budgets/mine', { limit_cents: 100, period: 'day' })
    const { text } = await owner.visitor.get('/spend')
    // No budget can hold what has no price.
    expect(text).toMatch(/\$0\.00\s+spent, and calls of unknown cost/)
    expect(text).toMatch(/Models today<\/dt>\s*<dd[^>]*>unknown/)
    expect(text).toMatch(/1 call\s+of this month went to models without a price/)
    expect(text).toContain('openai-compatible/x&amp;y')
    expect((await owner.visitor.get(`/runs/${id}`)).text).toContain(
      'unknown: the model has no price',
    )
  })

  it('has no forms for readers, and no budget for agents of others', async () => {
    const owner = await asking('spender-3')
    const { owner_id: account } = await run(owner, 'spender-3')
    const reader = await registeredVisitor(url)
    await joined(reader, { ...owner, account }, 'reader')
    await reader.post('/account', { account })
    const seen = await reader.get('/spend')
    expect(seen.text).toContain('$0.10')
    expect(seen.text).not.toContain('Set it')
    const forged = { action: 'set', period: 'day', limit: '1' }
    expect((await reader.post('/spend', forged)).text).toMatch(/reader|owner/)
    const { visitor } = await ownerAt(url)
    const other = await visitor.post('/spend', { ...forged, char_id: 'spender-3' })
    expect(other.text).toContain('another account')
    expect((await owner.on<{ items: object[] }>('GET', '/api/budgets')).items).toEqual([])
  })
})
