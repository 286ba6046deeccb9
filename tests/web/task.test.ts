import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { fieldOf } from '#tests/accounts/people/page-visitor.ts'
import { ownerAt, type Owner } from './owner.ts'

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const fields = [
  { key: 'company', label: 'Company', required: true },
  { key: 'seats', label: 'Seats', type: 'integer' },
  { key: 'plan', label: 'Plan', type: 'select', options: ['Small', 'Large'] },
  { key: 'note', label: 'Note', type: 'textarea' },
]
const tasks = [
  {
    task_id: 'letter',
    name: 'Letter',
    runtime: 'template',
    prompt: 'Dear {{reader.name}}, {{topic}} in {{words}} words',
    variables: { words: '200' },
    variable_types: { words: 'number' },
    triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }],
  },
  { task_id: 'offer', name: 'Offer', runtime: 'template', prompt: '{{input}}' },
  {
    task_id: 'form',
    name: 'Form',
    runtime: 'template',
    prompt: '{{input}}',
    form_schema: { fields },
  },
]

async function ownerOf(id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  await owner.on('POST', '/api/characters/', { id, name: 'Greta', heart: { tasks } })
  return owner
}

const runOf = (id: string) => server.abode.ports.store.runs.get(id)

describe('the form by which a person runs a task', () => {
  it('asks for what the prompt and the variables name, and leads to the run', async () => {
    const { visitor } = await ownerOf('greta-1')
    const path = '/agents/greta-1/tasks/letter'
    const page = await visitor.get(path)
    for (const name of ['member.reader.name', 'member.topic', 'variable.words']) {
      expect(page.text, name).toContain(`name="${name}"`)
    }
    expect(fieldOf(page, 'variable.words')).toBe('200')
    const once = fieldOf(page, 'once')
    const form = { action: 'run', once, 'member.reader.name': 'Ada', 'member.topic': 'Tides' }
    const answer = await visitor.post(path, { ...form, 'variable.words': '50' })
    expect(answer).toMatchObject({ status: 303, goesTo: expect.stringMatching(/^\/runs\/run_/) })
    const run = await runOf(answer.goesTo.slice('/runs/'.length))
    expect(run).toMatchObject({ output: 'Dear Ada, Tides in 50 words' })
    expect(run?.started_by).toMatchObject({ kind: 'person' })
    // A double click runs it once.
    const again = await visitor.post(path, { ...form, 'variable.words': '50' })
    expect(again.goesTo).toBe(answer.goesTo)
  })

  it('says next to each field what is wrong, and keeps what was typed', async () => {
    const { visitor } = await ownerOf('greta-2')
    const path = '/agents/greta-2/tasks/form'
    const wrong = { action: 'run', 'member.seats': 'many', 'member.note': '<b>', as: 'text' }
    const page = await visitor.post(path, wrong)
    expect(page.status).toBe(422)
    expect(page.text).toContain('id="member.company-problem"')
    expect(page.text).toContain('It must be a number without a fraction.')
    expect(page.text).toMatch(/>\s*&lt;b&gt;<\/textarea/)
    const both = { action: 'run', 'member.company': 'Tides', input: '{}', as: 'json' }
    expect((await visitor.post(path, both)).text).toContain('not both')
    const broken = await visitor.post(path, { action: 'run', input: '{', as: 'json' })
    expect(broken.text).toContain('This is not JSON.')
    expect(await server.abode.ports.store.runs.count({ char_id: 'greta-2' })).toBe(0)
    const form = { action: 'run', 'member.company': 'Tides', 'member.seats': '3' }
    const { goesTo } = await visitor.post(path, form)
    expect(await runOf(goesTo.slice('/runs/'.length))).toMatchObject({
      input: { company: 'Tides', seats: 3, plan: '', note: '' },
    })
    const whole = await visitor.post(path, { action: 'run', input: '[1]', as: 'json' })
    expect(await runOf(whole.goesTo.slice('/runs/'.length))).toMatchObject({ input: [1] })
  })

  it('keeps what was typed while the person signs in again', async () => {
    const { visitor } = await ownerOf('greta-3')
    const path = '/agents/greta-3/tasks/offer'
    visitor.cookie = undefined
    const form = { action: 'run', input: 'Ten seats', as: 'text' }
    const away = await visitor.post(path, form, {})
    expect(away.heading).toBe('Sign in again')
    expect(fieldOf(away, 'typed.input')).toBe('Ten seats')
    expect(await server.abode.ports.store.runs.count({ char_id: 'greta-3' })).toBe(0)
  })
})

describe('the switches of a task and of an agent', () => {
  it('pause and resume one, with the reason', async () => {
    const { visitor, on } = await ownerOf('greta-4')
    const path = '/agents/greta-4/tasks/letter'
    const paused = await visitor.post(path, { action: 'pause', reason: 'Holidays <b>' })
    expect(paused.goesTo).toBe(`${path}?done=pause`)
    const page = await visitor.get(paused.goesTo)
    expect(page.text).toContain('Holidays &lt;b&gt;')
    expect(page.text).toContain('Let it go on')
    await visitor.post(path, { action: 'resume' })
    expect(await on('GET', '/api/characters/greta-4/tasks/letter')).toMatchObject({ enabled: true })
    expect((await visitor.post(path, { action: 'skip' })).goesTo).toBe(`${path}?done=skip`)
    const other = await ownerAt(url)
    expect((await other.visitor.post(path, { action: 'pause' })).status).toBe(404)
    const foreign = { origin: 'https://elsewhere.example' }
    expect((await visitor.post(path, { action: 'pause' }, foreign)).status).toBe(403)
    expect(await on('GET', '/api/characters/greta-4/tasks/letter')).toMatchObject({ enabled: true })
  })

  it('pause all, and let those go on that were paused so', async () => {
    const { visitor, on } = await ownerOf('greta-5')
    await on('POST', '/api/characters/greta-5/tasks/form/pause', { reason: 'Broken.' })
    await visitor.post('/agents/greta-5', { action: 'pause' })
    const all = () =>
      on<{ items: { task_id: string; enabled: boolean }[] }>('GET', '/api/characters/greta-5/tasks')
    expect((await all()).items.filter(({ enabled }) => enabled)).toEqual([])
    await visitor.post('/agents/greta-5', { action: 'resume' })
    const off = (await all()).items.filter(({ enabled }) => !enabled)
    expect(off.map(({ task_id }) => task_id)).toEqual(['form'])
  })
})
