import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CharacterInput, type StoredCharacter } from '#src/agents/character.ts'
import { characterFrom } from '#src/agents/stored-character.ts'
import { Refusal } from '#src/core/errors.ts'
import { entryOf, skillsAtMost, skillsOf } from '#src/agents/directory/entry.ts'
import { agentChanged, agentMade } from '#src/agents/directory/sync.ts'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { read, sources } from '#tests/house/tree.ts'

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

/** What the directory holds, and what it should hold: rebuilt from all agents. */
async function bothOf(store: Store) {
  const agents = await store.characters.find({})
  const entries = agents.flatMap((one) => entryOf(one) ?? [])
  return {
    held: [
      (await store.directory.find({})).toSorted(byId),
      (await store.directory_skills.find({})).toSorted(byId),
    ],
    scanned: [entries.toSorted(byId), entries.flatMap(skillsOf).toSorted(byId)],
    agents,
  }
}

const visibility = fc.record(
  {
    profile_visibility: fc.constantFrom('public', 'public', 'unlisted', 'private'),
    show_in_directory: fc.constantFrom(true, true, false),
    show_owner_profile: fc.boolean(),
    public_bio: fc.constantFrom(null, 'Hello', 'Good day'),
    public_sections: fc.subarray(['role', 'skills', 'bio', 'personality', 'nonsense']),
    ability_access: fc.constantFrom(null, { feed: 'public' }, { feed: 'friends' }),
  },
  { requiredKeys: [] },
)
const profile = fc.record(
  {
    role: fc.constantFrom(null, 'Analyst', 'Editor'),
    bio: fc.constantFrom(null, 'Wrote notes'),
    skills: fc.subarray(['Poetry', 'poetry ', 'Tides', '\ud800 broken', '']),
    visibility: fc.option(visibility),
    heart: fc.constantFrom({ tasks: [] }, { tasks: [{ task_id: 't', name: 'T' }] }),
  },
  { requiredKeys: [] },
)
const name = fc.constantFrom('ada', 'eve')
const local = fc.constantFrom('one', 'two', 'three')
const agents = fc.uniqueArray(fc.tuple(local, profile), {
  selector: ([id]) => id,
  minLength: 1,
  maxLength: 3,
})

/** A write that may change who is listed, by any way there is; `at` makes its ids its own. */
const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), name, profile }),
  fc.record({ does: fc.constant('update' as const), name, profile }),
  fc.record({ does: fc.constant('show' as const), name, visibility }),
  fc.record({ does: fc.constant('delete' as const), name }),
  fc.record({ does: fc.constant('clone' as const), name }),
  fc.record({ does: fc.constant('import' as const), name, profile }),
  fc.record({
    does: fc.constant('restore' as const),
    name,
    revision: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ does: fc.constant('task' as const), name }),
  fc.record({ does: fc.constant('provision' as const), agents }),
  fc.record({ does: fc.constant('apply' as const), agents, prune: fc.boolean() }),
  fc.record({
    does: fc.constant('rollback' as const),
    revision: fc.integer({ min: 1, max: 3 }),
    prune: fc.boolean(),
  }),
  fc.record({ does: fc.constant('teardown' as const), keep_agents: fc.boolean() }),
  fc.record({ does: fc.constant('show member' as const), local, visibility }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function callOf(step: Step, run: string): [op: string, input: object] {
  const app_id = `app${run}`
  const id = 'name' in step ? `${step.name}${run}` : ''
  const manifestOf = (all: readonly (readonly [string, object])[]): object => ({
    app_id,
    name: 'App',
    agents: all.map(([local_id, more]) => ({ local_id, name: local_id, ...more })),
  })
  switch (step.does) {
    case 'create':
      return ['characters.create', { character: { id, name: step.name, ...step.profile } }]
    case 'update':
      return ['characters.update', { char_id: id, character: step.profile }]
    case 'show':
      return ['characters.visibility.update', { char_id: id, visibility: step.visibility }]
    case 'show member': {
      const char_id = `${app_id}--${step.local}`
      return ['characters.visibility.update', { char_id, visibility: step.visibility }]
    }
    case 'clone':
      return ['characters.clone', { char_id: id, id: `${id}-again` }]
    case 'import': {
      const text = JSON.stringify({ id, name: step.name, ...step.profile })
      const file = { filename: 'agent.json', data: Buffer.from(text).toString('base64') }
      return ['characters.import', { file }]
    }
    case 'delete':
      return ['characters.delete', { char_id: id }]
    case 'restore':
      return ['characters.revisions.restore', { char_id: id, revision: step.revision }]
    case 'task':
      return ['tasks.create', { char_id: id, task: { name: 'More' } }]
    case 'provision':
      return ['agent_apps.provision', { manifest: manifestOf(step.agents) }]
    case 'apply':
      return ['agent_apps.update', { app_id, manifest: manifestOf(step.agents), prune: step.prune }]
    case 'rollback':
      return ['agent_apps.rollback', { app_id, revision: step.revision, prune: step.prune }]
    default:
      return ['agent_apps.teardown', { app_id, keep_agents: step.keep_agents }]
  }
}

describe.each(stores())('the directory on $name', (kind) => {
  let store: Store
  let world: World
  let key: string

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;({ key } = await world.account())
  })
  afterAll(() => store.close())
  const clear = async (): Promise<void> => {
    for (const { id: char_id } of await store.characters.find({})) {
      await world.ask('characters.delete', { char_id }, key)
    }
    expect(await store.directory.count({})).toBe(0)
    expect(await store.directory_skills.count({})).toBe(0)
  }
  afterEach(clear)

  let runs = 0
  const play = async (step: Step, run: string): Promise<void> => {
    const [op, input] = callOf(step, run)
    await world.ask(op, input, key).catch((cause: unknown) => {
      // A refused call changes nothing; a fault of the server must not pass as a refusal.
      if (!(cause instanceof Refusal) || cause.kind === 'internal') throw cause
    })
  }

  const shown = { profile_visibility: 'public' as const, show_in_directory: true }
  const open = { skills: ['Tides'], visibility: { ...shown, public_sections: ['skills'] } }
  // Without listed agents at the start, none might ever leave.
  const begun: readonly Step[] = [
    { does: 'create', name: 'ada', profile: open },
    { does: 'provision', agents: [['one', open]] },
  ]
  const rounds = inForm({ short: { sqlite: 40, mongodb: 4 }, long: { sqlite: 100, mongodb: 8 } })
  const steps = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 10 })
  it('holds what a scan would give, after any writes', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (random) => {
        const run = `r${runs++}`
        for (const [i, atOnce] of [begun, ...random].entries()) {
          await Promise.all(atOnce.map((one) => play(one, run)))
          const { held, scanned } = await bothOf(store)
          expect(held).toEqual(scanned)
          if (i === 0) expect(held[0]).toHaveLength(2)
        }
        await clear()
      }),
      { numRuns: rounds[kind.name] },
    )
  })

  const create = (id: string, more: object = {}): Promise<unknown> => {
    const character = {
      id,
      name: id,
      visibility: { ...shown, public_sections: ['skills'] },
      ...more,
    }
    return world.ask('characters.create', { character }, key)
  }

  it('lists each agent once, newest first, page by page', async () => {
    for (let i = 0; i < 25; i++) await create(`a${i}`, { skills: ['Tides'] })
    const all = await store.characters.find({}, { sort: { created_at: -1 } })
    for (const query of [{}, { skill: 'tides' }]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const input = { ...query, limit: 4, ...(cursor && { cursor }) }
        const page = await world.ask<{ items: { id: string }[]; next_cursor: string | null }>(
          'public.agents.list',
          input,
        )
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
      const times = seen.map((id) => all.find((one) => one.id === id)?.created_at)
      expect(times.map(String)).toEqual(times.map(String).toSorted().toReversed())
    }
  })

  it('finds an agent by its first skills, however many it has', async () => {
    const skills = Array.from({ length: 3 * skillsAtMost }, (_, i) => `skill ${i}`)
    await create('ada', { skills: ['x'.repeat(101), ...skills] })
    expect(await store.directory_skills.count({})).toBe(skillsAtMost)
    const found = (skill: string) => world.ask<{ items: object[] }>('public.agents.list', { skill })
    expect((await found('Skill  0')).items).toHaveLength(1)
    expect((await found(`skill ${skillsAtMost}`)).items).toHaveLength(0)
    expect(await world.ask('public.agents.get', { char_id: 'ada' })).toMatchObject({
      skills: ['x'.repeat(101), ...skills],
    })
  })

  it('ranks a word in the name before the same word in the biography', async () => {
    const open = { visibility: { ...shown, public_sections: ['bio'] } }
    await create('one', { name: 'Wordsmith', ...open })
    await create('two', { bio: 'A wordsmith of sorts', ...open })
    const found = await world.ask<{ items: { id: string }[] }>('public.agents.list', {
      q: 'wordsmith',
    })
    expect(found.items.map(({ id }) => id)).toEqual(['one', 'two'])
  })

  it('takes an agent with texts of a megabyte', async () => {
    const bio = 'tide '.repeat(180_000)
    await create('ada', { bio, visibility: { ...shown, public_sections: ['bio'] } })
    const { items } = await world.ask<{ items: object[] }>('public.agents.list', { q: 'tides' })
    expect(items).toMatchObject([{ id: 'ada', bio }])
    const [entry] = await store.directory.find({})
    expect(entry?.words.length).toBeLessThan(30_000)
  })

  it('shows fewer on a page where profiles are large, and misses none', async () => {
    const public_bio = 'tide '.repeat(180_000)
    const many = inForm({ short: kind.name === 'sqlite' ? 12 : 4, long: 12 })
    const large = { skills: ['Tides'], visibility: { ...shown, public_bio } }
    for (let i = 0; i < many; i++) {
      const visibility = { ...large.visibility, public_sections: ['skills'] }
      await create(`a${i}`, { ...large, visibility })
    }
    const { length } = public_bio
    for (const query of [{}, { skill: 'tides' }, { q: 'tide' }, { q: 'tide', skill: 'tides' }]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const input = { ...query, limit: 100, ...(cursor && { cursor }) }
        const page = await world.ask<{ items: { id: string }[]; next_cursor: string | null }>(
          'public.agents.list',
          input,
        )
        expect(page.items.length).toBeLessThanOrEqual(2 ** 20 / length + 1)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      expect(seen).toHaveLength(many)
      expect(new Set(seen).size).toBe(many)
    }
  })

  it('is no place for a key of the owner or of its account', async () => {
    await create('ada')
    const text = JSON.stringify(await world.ask('public.agents.list', {}))
    expect(text).not.toContain('acc_')
    expect(text).not.toContain('owner_id')
  })

  describe('of a store from before there was one', () => {
    const many = inForm({ short: kind.name === 'sqlite' ? 45 : 15, long: 45 })

    beforeEach(async () => {
      for (let i = 0; i < many; i++) {
        await create(`a${i}`, i % 3 === 0 ? { visibility: null } : { skills: ['Tides'] })
      }
      await store.directory.delete({})
      await store.directory_skills.delete({})
      await store.meta.delete({ id: 'directory_filled' })
    })

    it('is filled once, by the upkeep', async () => {
      await upkeep(world.ports, new Date())
      const { held, scanned } = await bothOf(store)
      expect(scanned[0]).toHaveLength((many / 3) * 2)
      expect(held).toEqual(scanned)
      await store.directory.delete({ id: 'a1' })
      await upkeep(world.ports, new Date())
      expect(await store.directory.get('a1')).toBeUndefined()
    })

    it('is filled by several processes at once, while agents change', async () => {
      const update = (i: number) =>
        world.ask(
          'characters.visibility.update',
          {
            char_id: `a${i}`,
            visibility: i % 2 ? { show_in_directory: false } : { public_bio: 'New' },
          },
          key,
        )
      const changes = Array.from({ length: many }, (_, i) => update(i))
      await Promise.all([
        upkeep(world.ports, new Date()),
        upkeep(world.ports, new Date()),
        ...changes,
      ])
      const { held, scanned } = await bothOf(store)
      expect(held).toEqual(scanned)
    })

    it('follows an agent that changes before it is filled', async () => {
      const char_id = 'a1'
      await world.ask(
        'characters.visibility.update',
        { char_id, visibility: { public_bio: 'New' } },
        key,
      )
      expect(await store.directory.get(char_id)).toBeDefined()
      await world.ask('characters.delete', { char_id: 'a2' }, key)
      await upkeep(world.ports, new Date())
      const { held, scanned } = await bothOf(store)
      expect(held).toEqual(scanned)
    })
  })
})

describe('what the directory costs', () => {
  const now = '2026-01-01T00:00:00.000Z'
  const place = { id: 'ada', ownerId: 'acc_1', appId: null, localId: null, revision: 1, now }
  const agentWith = (more: object): StoredCharacter =>
    characterFrom(CharacterInput.parse({ name: 'Ada', ...more }), place)
  const listed = { visibility: { profile_visibility: 'public', show_in_directory: true } }

  it('is nothing for agents that are not listed', () => {
    const plain = agentWith({})
    expect(agentMade(plain)).toHaveLength(1)
    expect(agentChanged(plain, agentWith({ role: 'Analyst' }))).toHaveLength(1)
  })

  it('is nothing for changes that are not shown', () => {
    const change = agentChanged(agentWith(listed), agentWith({ ...listed, role: 'Analyst' }))
    expect(change).toHaveLength(1)
  })
})

describe('agents', () => {
  it('are written in one place alone, which takes the directory along', () => {
    const writes = /in: 'characters',\s*(?:insert|delete|update: [^\n]*,\s*replace)\b/
    const direct = /\bcharacters\.(?:insert|update|delete)\(/
    const found = sources('src').filter((path) => {
      const text = read(path)
      return path !== 'src/agents/directory/sync.ts' && (writes.test(text) || direct.test(text))
    })
    expect(found).toEqual([])
    // What is changed in place is nothing that the directory shows.
    const inPlace = /in: 'characters',\s*update\b[^\n]*?\s*change: ([^\n]*)/g
    const members = sources('src')
      .flatMap((path) => [...read(path).matchAll(inPlace)].map(([, change = '']) => change))
      .flatMap((change) => change.match(/\w+/g) ?? [])
    const harmless = [
      'change',
      '$set',
      'set',
      '$inc',
      'inc',
      'owner_id',
      'revision',
      'updated_at',
      'at',
      'as',
      'const',
      '1',
      'accountId',
      'feed_for',
    ]
    expect([...new Set(members)].filter((one) => !harmless.includes(one))).toEqual([])
  })
})
