import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { cardWithBook, elizaCharacter, fileOf, secondCard } from './samples.ts'

/** Numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const names = [
  '7',
  '0',
  '-1',
  '1e3',
  'a.b',
  'a/b',
  '~',
  '$set',
  '',
  'ünï',
  'ключ',
  '名',
  '👩‍🚀',
  'constructor',
  'extensions',
  'note',
]
const texts = [
  '',
  'plain',
  'ümläut',
  '日本語',
  '"\\/\n\t',
  '👩‍🚀',
  '{{input}}',
  '{{char}}',
  '<user>',
  '***x',
  '0',
  'null',
  'x'.repeat(300),
]

function anything(roll: (sides: number) => number, depth = 0): unknown {
  switch (roll(depth > 3 ? 5 : 7)) {
    case 0:
      return null
    case 1:
      return roll(2) === 0
    case 2:
      return [0, -1, 0.5, 1e21 / 1e9, Number.MAX_SAFE_INTEGER, -0.000_001][roll(6)]
    case 3:
    case 4:
      return texts[roll(texts.length)]
    case 5:
      return Array.from({ length: roll(4) }, () => anything(roll, depth + 1))
    default:
      return members(roll, depth + 1)
  }
}

function members(roll: (sides: number) => number, depth = 0): Record<string, unknown> {
  const some = Array.from({ length: roll(5) }, (): [string, unknown] => [
    names[roll(names.length)] ?? '',
    anything(roll, depth),
  ])
  return Object.fromEntries(some)
}

const triggers = [
  { type: 'cron', config: { cron: '0 9 * * 1-5' } },
  { type: 'webhook', config: { path: 'orders/new' } },
  { type: 'event', config: { event: 'run.completed', filter: { 'a.b': 1 } } },
  { type: 'manual' },
  { type: 'message', enabled: false },
]

function agent(roll: (sides: number) => number): Record<string, unknown> {
  const list = (): string[] => Array.from({ length: roll(3) }, () => texts[1 + roll(4)] ?? '')
  const task = (i: number): object => ({
    ...members(roll),
    ...(roll(2) === 0 && { task_id: `task-${i}` }),
    name: `Task ${i}`,
    order: i,
    prompt: texts[roll(texts.length)],
    variables: { 'a.b': 'one', '1': 'two' },
    triggers: triggers.slice(0, roll(6)),
    ...(roll(3) === 0 && { approval_gate: { requires_approval: true, extra: anything(roll) } }),
    ...(roll(3) === 0 && { reliability: { overlap_policy: 'skip' } }),
  })
  return {
    ...members(roll),
    name: `Agent ${roll(1000)}`,
    bio: texts[roll(texts.length)],
    skills: list(),
    tools: list(),
    ...(roll(2) === 0 && { personality: { traits: list(), ...members(roll) } }),
    ...(roll(2) === 0 && { appearance: { photos: ['https://pictures.example/a.png'] } }),
    ...(roll(2) === 0 && {
      brain: {
        temperature: roll(20) / 10,
        mcps: [
          {
            name: 'm',
            url: 'https://tools.example/mcp',
            env: { MODE: '{{secret.MODE}}' },
            ...members(roll),
          },
        ],
        hooks: [{ event: 'after_run', action: 'memory:notes/last' }],
        ...members(roll),
      },
    }),
    ...(roll(2) === 0 && { visibility: { profile_visibility: 'unlisted', allow_cloning: true } }),
    ...(roll(2) === 0 && {
      control: { channels: [{ name: 'w', type: 'web', config: members(roll) }] },
    }),
    ...(roll(2) === 0 && {
      heart: {
        heartbeat_interval: '2h',
        tasks: Array.from({ length: roll(4) }, (_, i) => task(i)),
        ...members(roll),
      },
    }),
  }
}

interface Exported {
  character: { id: string; heart: { tasks: { task_id: string }[] } | null }
}

describe.each(oneStore())('what is exported on $name', (kind) => {
  let store: OpenedStore
  let world: World
  let key: string
  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    key = (await world.account()).key
  })
  afterAll(async () => {
    await world.ports.copyist.close()
    await store.close()
  })

  const exported = (char_id: string): Promise<Exported> =>
    world.ask<Exported>('characters.export', { char_id }, key)
  const imported = (content: unknown, new_id?: string) =>
    world.ask<{ id: string; import_report: { dropped: unknown[]; notes: unknown[] } }>(
      'characters.import',
      { file: fileOf(content), ...(new_id !== undefined && { new_id }) },
      key,
    )

  it('is the same agent when it is imported, for any members', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const roll = dice(seed)
      const id = `agent-${seed}`
      await world.ask('characters.create', { character: { ...agent(roll), id } }, key)
      const first = await exported(id)
      const made = await imported(first, `${id}.again`)
      expect(made.import_report, `seed ${seed}`).toMatchObject({ dropped: [], notes: [] })
      const second = await exported(made.id)
      expect(second, `seed ${seed}`).toEqual({
        ...first,
        character: { ...first.character, id: made.id },
      })
    }
  })

  it.each([
    ['a card', secondCard],
    ['an elizaOS character', elizaCharacter],
    ['a card with a large book', cardWithBook(1)],
  ])('stays the same agent when it began as %s', async (name, sample) => {
    const id = `began-${name.replaceAll(/\W/g, '-')}`
    await imported(sample, id)
    const first = await exported(id)
    await imported(first, `${id}.again`)
    const second = await exported(`${id}.again`)
    expect(second).toEqual({ ...first, character: { ...first.character, id: `${id}.again` } })
  })

  it('is what reads of the agent give, but for what only the platform sets', async () => {
    const id = 'as-read'
    await world.ask('characters.create', { character: { ...agent(dice(5)), id } }, key)
    const read = await world.ask<Record<string, unknown>>('characters.get', { char_id: id }, key)
    const { character } = await exported(id)
    const platform = ['owner_id', 'app_id', 'local_id', 'revision', 'created_at', 'updated_at']
    const { heart: _heart, ...rest } = read
    for (const name of platform) Reflect.deleteProperty(rest, name)
    expect(character).toMatchObject(rest)
  })
})
