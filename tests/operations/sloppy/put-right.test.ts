import { beforeAll, describe, expect, it } from 'vitest'
import { agent } from '../case.ts'
import { callsIn } from '../doors/words.ts'
import { Caller, embedded, tried } from './refused.ts'

describe.runIf(embedded).each(tried)('a hint by %s', (door) => {
  const caller = new Caller(door)
  const { made, shown } = caller
  let stage: Caller['stage']
  let char_id: string
  let task_id: string
  beforeAll(() => {
    ;({ stage, char_id, task_id } = caller)
  })

  const post = { title: 'How do agents share what they know?', board: 'general' }
  const text = 'By a file, or by a message, or not at all?'
  const other = 'Which of two calendars wins when both are right?'
  const bad = { type: 'cron', cron: '0 9 * * *' }
  const right = { type: 'cron', config: { cron: '0 9 * * *' } }
  const rows: [title: string, name: string, sent: () => object, shown: () => object][] = [
    [
      'a pattern where it belongs',
      'tasks.update',
      () => ({ char_id, task_id, task: { triggers: [bad] } }),
      () => ({ char_id, task_id, task: { triggers: [right] } }),
    ],
    [
      'the task that was sent',
      'tasks.create',
      () => ({ char_id, task: { task_id: 'n', name: 'N', prompt: 'x', triggers: [bad] } }),
      () => ({ char_id, task: { task_id: 'n', name: 'N', prompt: 'x', triggers: [right] } }),
    ],
    [
      'the agent that the key is for',
      'api_keys.create',
      () => ({ name: 'x', agent_id: char_id }),
      () => ({ name: 'x', scope_char_id: char_id }),
    ],
    [
      'the agent whose runs are leased',
      'runs.lease',
      () => ({ agent_id: char_id }),
      () => ({ char_id }),
    ],
    [
      'who writes in the Commons',
      'commons.threads.create',
      () => ({ agent_id: char_id, ...post, content: text }),
      () => ({ as_char_id: char_id, ...post, body: text }),
    ],
    [
      'who was named rightly',
      'commons.threads.create',
      () => ({ as_char_id: char_id, ...post, title: other, text: `${other} I have two.` }),
      () => ({ as_char_id: char_id, ...post, title: other, body: `${other} I have two.` }),
    ],
    [
      'a member of a document in its right spelling',
      'characters.visibility.update',
      () => ({ char_id, visibility: { profileVisibility: 'public' } }),
      () => ({ char_id, visibility: { profile_visibility: 'public' } }),
    ],
    [
      'a choice that is spelled otherwise',
      'characters.visibility.update',
      () => ({ char_id, visibility: { profile_visibility: 'publik' } }),
      () => ({ char_id, visibility: { profile_visibility: 'public' } }),
    ],
  ]

  rows.push([
    'who acts, where an account has one agent',
    'feed.post',
    () => ({ content: 'The ferry is late.' }),
    () => ({ char_id, content: 'The ferry is late.' }),
  ])

  const named = (given: object): { character: object } => ({ character: { name: 'V', ...given } })
  const card = Buffer.from('{"name":"Card","role":"Host"}').toString('base64')
  rows.push(
    [
      'a level in the object of visibility',
      'characters.create',
      () => named({ visibility: 'private' }),
      () => named({ visibility: { profile_visibility: 'private' } }),
    ],
    [
      'the tasks in the heart',
      'characters.create',
      () => named({ heart: [{ name: 'T', prompt: 'x' }] }),
      () => named({ heart: { tasks: [{ name: 'T', prompt: 'x' }] } }),
    ],
    [
      'a card as the file that is imported',
      'characters.import',
      () => ({ name: 'Card', role: 'Host' }),
      () => ({ file: { filename: 'ada.json', data: card } }),
    ],
  )

  const access = (given: object): object => ({ char_id, visibility: given })
  const of = (task: object): object => ({
    char_id,
    task: { task_id: 'n2', name: 'N', prompt: 'x', ...task },
  })
  const cron = { cron: '0 9 * * *' }
  const [zone, berlin] = ['Berlin', 'Europe/Berlin'].map((timezone) => ({ ...cron, timezone }))
  rows.push(
    [
      'an ability in the object of abilities',
      'characters.visibility.update',
      () => access({ chat: 'public' }),
      () => access({ ability_access: { chat: 'public' } }),
    ],
    [
      'an ability next to another one',
      'characters.visibility.update',
      () => access({ memory: 'private', ability_access: { chat: 'friends' } }),
      () => access({ ability_access: { chat: 'friends', memory: 'private' } }),
    ],
    [
      'one ability where a level came for all',
      'characters.visibility.update',
      () => access({ ability_access: 'friends' }),
      () => access({ ability_access: { chat: 'friends' } }),
    ],
    [
      'an ability that came without any document',
      'characters.visibility.update',
      () => ({ char_id, visibility: { ability_access: null }, chat: 'public' }),
      () => access({ ability_access: { chat: 'public' } }),
    ],
    [
      'a trigger by its type here',
      'tasks.create',
      () => of({ triggers: [{ type: 'schedule', config: cron }] }),
      () => of({ triggers: [{ type: 'cron', config: cron }] }),
    ],
    [
      'a trigger that is the pattern alone',
      'tasks.create',
      () => of({ task_id: 'n4', triggers: ['0 9 * * *'] }),
      () => of({ task_id: 'n4', triggers: [{ type: 'cron', config: cron }] }),
    ],
    [
      'a pattern where triggers are listed',
      'tasks.create',
      () => of({ task_id: 'n5', triggers: '0 9 * * *' }),
      () => of({ task_id: 'n5', triggers: [{ type: 'cron', config: cron }] }),
    ],
    [
      'a trigger of another kind, with its pattern next to it',
      'tasks.create',
      () => of({ task_id: 'n6', triggers: [{ kind: 'schedule', schedule: '0 9 * * *' }] }),
      () => of({ task_id: 'n6', triggers: [{ type: 'cron', config: cron }] }),
    ],
    [
      'the zone of a city',
      'tasks.create',
      () => of({ task_id: 'n3', triggers: [{ type: 'cron', config: zone }] }),
      () => of({ task_id: 'n3', triggers: [{ type: 'cron', config: berlin }] }),
    ],
    [
      'a number of an agent within its bounds',
      'characters.update',
      () => ({ char_id, character: { brain: { temperature: 9 } } }),
      () => ({ char_id, character: { brain: { temperature: 2 } } }),
    ],
    [
      'a zone that is spelled wrongly',
      'schedules.preview',
      () => ({ cron: '0 9 * * *', cron_timezone: 'america/new york', count: 0 }),
      () => ({ cron: '0 9 * * *', cron_timezone: 'America/New_York', count: 1 }),
    ],
  )

  it('names the members of an object for which a text came', async () => {
    const { error } = await made('characters.create', named({ personality: 'kind' }))
    expect(error?.hint).toContain('it has "traits", "communication_style"')
  })

  it('shows a limit within its bounds', async () => {
    const [one = {}] = await shown('runs.list', { limit: 100_000 })
    expect(Number(one['limit'])).toBe(100)
    const hint = await caller.hintOf('runs.list', { limit: 100_000 })
    expect(hint).toContain('"limit" is from 1 to 100.')
    expect((await made('runs.list', one)).error).toBeUndefined()
  })

  it('shows the state of runs by its name here', async () => {
    const [one = {}] = await shown('runs.list', { status: ['done'] })
    expect([one['status']].flat()).toEqual(['completed'])
    expect((await made('runs.list', one)).error).toBeUndefined()
  })

  it.each(rows)('shows %s, and what it shows is done', async (_, name, sent, wanted) => {
    const [one] = await shown(name, sent())
    expect(one).toEqual(wanted())
    expect((await made(name, one ?? {})).error).toBeUndefined()
  })

  it.each([
    ['tasks.run', () => ({ char_id, task_id, dry: true })],
    ['api_keys.create', () => ({ name: 'x', only_for: char_id })],
  ] as const)('shows no call of %s that would do something else', async (name, sent) => {
    expect(await shown(name, sent())).toEqual([])
  })

  it('keeps the names in a path', async () => {
    const entry = { char_id, namespace: 'notes', key: 'k' }
    await made('memory.put', { ...entry, value: 1 })
    expect(await shown('memory.get', { ...entry, foo: '1' })).toEqual([entry])
  })

  it('names the agents that may act, where there are several', async () => {
    const post = await stage.ask('feed.post', { char_id, content: 'The sea is calm.' })
    const grace = await agent(stage, 'grace')
    const sent = { char_id, post_id: post.id, content: 'It is.' }
    const { error } = await made('posts.comment', sent)
    for (const id of [char_id, grace]) expect(error?.hint).toContain(`"${id}"`)
    expect(error?.hint).toContain('"author_id"')
    expect(callsIn(error?.hint ?? '', door).map(({ op }) => op.name)).toEqual(['characters.list'])
    expect((await made('posts.comment', { ...sent, author_id: grace })).error).toBeUndefined()
  })

  it.each([
    ['commons.identities.create', {}, 'commons.challenge.get'],
    ['commons.identities.prove', {}, 'commons.challenge.get'],
    ['runs.complete', { run_id: 'r', output: 'x' }, 'runs.lease'],
  ])('says what comes before %s', async (name, sent, first) => {
    const { error } = await made(name, sent)
    const calls = callsIn(error?.hint ?? '', door)
    expect(calls.map(({ op }) => op.name)).toEqual([first, name])
    expect(calls.at(-1)?.input).toMatchObject(sent)
  })

  it('shows the solution of a challenge in its place, as a text', async () => {
    const { challenge } = await stage.ask('commons.challenge.get', {})
    const sent = { handle: char_id, challenge, nonce: 48213 }
    const [one] = await shown('commons.identities.prove', sent)
    expect(one).toEqual({ as_char_id: char_id, challenge, counter: '48213' })
    const { error } = await made('commons.identities.prove', one ?? {})
    expect(error?.code ?? 'done').toMatch(/^(?:done|pow_invalid)$/)
  })

  it('shows no secret that came as a number', async () => {
    const sent = { char_id, key: 'PIN', value: 482_135, note: 'x' }
    const { error } = await made('characters.secrets.update', sent)
    expect(JSON.stringify(error)).not.toContain('482135')
  })

  it('names the agents that may write in the Commons, and takes a handle without its mark', async () => {
    const { handle } = await stage.member('other')
    const unnamed = await made('commons.messages.block', { handle })
    expect(unnamed.error?.hint).toContain(`"${char_id}"`)
    const other = await shown('commons.messages.block', { as_char_id: char_id, char_id: handle })
    if (door !== 'rest') expect(other).toEqual([{ as_char_id: char_id, handle }])
    const marked = await made('commons.messages.block', {
      as_char_id: char_id,
      handle: `@${handle}`,
    })
    expect(marked.error?.hint).toContain(`"${handle}"`)
    const right = await made('commons.messages.block', { as_char_id: char_id, handle })
    expect(right.error).toBeUndefined()
  })

  it('says that a key of the account names its agent in the Commons', async () => {
    const sent = {
      board: 'general',
      title: 'Is a sum of parts worth more?',
      content: `${text} So?`,
    }
    const { error } = await made('commons.threads.create', sent)
    expect(error?.hint).toContain('"as_char_id"')
    const [one] = callsIn(error?.hint ?? '', door)
    const named = { ...one?.input, as_char_id: char_id }
    expect((await made('commons.threads.create', named)).error).toBeUndefined()
  })
})
