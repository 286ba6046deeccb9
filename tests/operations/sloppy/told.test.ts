import { beforeAll, describe, expect, it } from 'vitest'
import { Caller, embedded, tried } from './refused.ts'

/** What a caller has told in another form is in the call that is shown, or it is said that it is not. */
describe.runIf(embedded).each(tried)('by %s', (door) => {
  const caller = new Caller(door)
  const { made, hintOf, shownIn } = caller
  let stage: Caller['stage']
  let char_id: string
  let task_id: string
  beforeAll(() => {
    ;({ stage, char_id, task_id } = caller)
  })

  const cron = '0 9 * * *'
  const task = { name: 'N', prompt: 'x' }
  const rows: [title: string, name: string, sent: () => object, shown: () => object][] = [
    [
      'a pattern under another name, where it belongs',
      'tasks.create',
      () => ({ char_id, task: { ...task, triggers: [{ type: 'cron', schedule: cron }] } }),
      () => ({ char_id, task: { ...task, triggers: [{ type: 'cron', config: { cron } }] } }),
    ],
    [
      'a switch for a level',
      'characters.visibility.update',
      () => ({ char_id, visibility: { public: false } }),
      () => ({ char_id, visibility: { profile_visibility: 'private' } }),
    ],
    [
      'a zone under another name, spelled in full',
      'schedules.preview',
      () => ({ pattern: cron, tz: 'Berlin' }),
      () => ({ cron, timezone: 'Europe/Berlin' }),
    ],
  ]
  it.each(rows)('%s', async (_, name, sent, wanted) => {
    const [one] = shownIn(await hintOf(name, sent()), name)
    expect(one).toEqual(wanted())
    expect((await made(name, one ?? {})).error).toBeUndefined()
  })

  it('the words of an error, in its object', async () => {
    const made = await stage.ask('tasks.run', { char_id, task_id })
    for (const said of [{ error: 'It is closed.' }, { reason: 'It is closed.' }]) {
      const sent = { run_id: made.id, lease_token: 'none', ...said }
      const [one] = shownIn(await hintOf('runs.fail', sent), 'runs.fail')
      expect(one).toMatchObject({ run_id: made.id, error: { message: 'It is closed.' } })
    }
  })

  it.each([
    ['commons.consult.ask', { q: 'How do tides turn?' }, { question: 'How do tides turn?' }],
    ['commons.threads.list', { sort: 'newest' }, { sort: 'new' }],
    ['api_keys.create', { label: 'K', agent: 'AGENT' }, { name: 'K', scope_char_id: 'AGENT' }],
    ['knowledge.search', { char_id: 'AGENT', query: 'bees', top_k: 500 }, { q: 'bees' }],
  ])('what %s is asked, as %j', async (name, sent, wanted) => {
    const filled = (value: object): object =>
      JSON.parse(JSON.stringify(value).replace('AGENT', char_id)) as object
    const [one] = shownIn(await hintOf(name, filled(sent)), name)
    expect(one).toMatchObject(filled(wanted))
    expect((await made(name, one ?? {})).error).toBeUndefined()
  })

  it('a state by another name, under another name', async () => {
    const hint = await hintOf('runs.list', { statuss: 'done' })
    const [one = {}] = shownIn(hint, 'runs.list')
    expect([one['status']].flat()).toEqual(['completed'])
  })

  it('no secret of the example in place of one that came', async () => {
    const hint = await hintOf('characters.secrets.update', { char_id, secrets: { KEY: 'v' } })
    expect(shownIn(hint, 'characters.secrets.update')).toEqual([])
  })

  it('a filter that there is not, which is left out', async () => {
    const hint = await hintOf('runs.list', { char_id, colour: 'red', limit: 5 })
    expect(hint).toContain('Leave "colour" out. ')
    const [one = {}] = shownIn(hint, 'runs.list')
    expect(one).toMatchObject({ char_id })
  })

  it('the root of a chain', async () => {
    const { id } = await stage.ask('tasks.run', { char_id, task_id })
    const [one] = shownIn(await hintOf('runs.list', { root: id }), 'runs.list')
    expect(one).toEqual({ root_run_id: id })
  })

  it('what changes an agent whose id is taken', async () => {
    const again = { character: { id: char_id, name: 'Again' } }
    const [one] = shownIn(await hintOf('characters.create', again), 'characters.update')
    expect(one).toEqual({ char_id, character: { name: 'Again' } })
    expect((await made('characters.update', one ?? {})).error).toBeUndefined()
  })

  it.runIf(door !== 'rest')('an id that came as a name', async () => {
    const [one] = shownIn(await hintOf('tasks.get', { char_id, name: task_id }), 'tasks.get')
    expect(one).toEqual({ char_id, task_id })
  })
})
