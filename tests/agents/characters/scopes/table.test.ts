import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { Brain } from '#src/agents/brain.ts'
import { CharacterInput } from '#src/agents/character.ts'
import type { Store } from '#src/ports/store.ts'
import { TaskInput } from '#src/agents/tasks/task.ts'
import { startWork } from '#src/work/work.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import {
  brainMembers,
  characterMembers,
  placed,
  taskMembers,
  type Aimed,
  type Members,
} from './table.ts'

const scoped = catalog.filter(({ scope }) => scope === 'agent')
/** Copies, imports, updates of apps and what else is for keys of the whole account. */
const others = catalog.filter(({ auth, scope }) => auth === 'key' && scope !== 'agent')
/** It stands in everything that the sibling has. */
const marker = 'marker-of-grace'

describe('the table of what a key that acts as an agent may call', () => {
  it('holds every operation that such a key may call, and no other', () => {
    expect(Object.keys(placed).sort()).toEqual(scoped.map(({ name }) => name).sort())
  })

  it.each([
    ['a task', TaskInput.shape, taskMembers],
    ['an agent', CharacterInput.shape, characterMembers],
    ['a brain', Brain.shape, brainMembers],
  ])('places every member of %s', (_, shape, members) => {
    expect(Object.keys(members).sort()).toEqual(Object.keys(shape).sort())
  })

  it('calls nothing a read that writes', () => {
    for (const op of scoped) {
      const isRead = op.http.method === 'GET' || op.reads === true
      expect(placed[op.name]?.writes === 'nothing', op.name).toBe(isRead)
    }
  })
})

describe.each(oneStore())('a key that acts as an agent, held to the table on $name', (kind) => {
  let store: Store
  let world: World
  let owner: string
  let key: string
  let aimed: Aimed

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    const account = await world.account()
    owner = account.key
    const gate = { requires_approval: true }
    const tasks = [
      { task_id: 'digest', name: marker, prompt: marker, runtime: 'template' },
      { task_id: 'gated', name: marker, prompt: marker, approval_gate: gate },
    ]
    for (const id of ['ada', 'grace']) {
      const character = { id, name: id, ...(id === 'grace' && { bio: marker, heart: { tasks } }) }
      await world.ask('characters.create', { character }, owner)
    }
    aimed = await things(world, owner)
    const scope = { name: 'Scoped', scope_char_id: 'ada' }
    key = (await world.ask<{ key: string }>('api_keys.create', scope, owner)).key
  })
  afterAll(() => store.close())

  /** Everything of the sibling. */
  async function standing(): Promise<unknown[]> {
    const of = { char_id: 'grace' }
    // Without it, each look may have an order of its own.
    const sorted = { sort: { id: 1 } } as const
    return [
      await store.characters.get('grace'),
      await store.tasks.find(of, sorted),
      await store.runs.find(of, sorted),
      await store.approvals.find(of, sorted),
      await store.posts.find(of, sorted),
      await store.post_comments.find({ post_id: aimed.post_id }, sorted),
      await store.memory.find(of, sorted),
      await store.knowledge_items.find(of, sorted),
      await store.edges.find(of, sorted),
      await store.secrets.get('grace'),
    ]
  }

  it.each(scoped.map((op) => [op.name, op] as const))(
    'reads and changes nothing of a sibling by %s',
    async (name, op) => {
      const { sibling, aim } = placed[name] ?? { sibling: 'open' as const }
      const before = await standing()
      if (sibling === 'narrowed' || sibling === 'open') {
        const answer = JSON.stringify(await world.ask(name, op.example, key))
        expect(answer).not.toContain(marker)
      } else {
        const input = aim ? aim(aimed) : { ...op.example, char_id: 'grace' }
        const refused = await world.refusal(name, input, key)
        expect(refused.code).toBe('forbidden')
        expect(JSON.stringify(refused)).not.toContain(marker)
      }
      expect(await standing()).toEqual(before)
    },
  )

  it.each(others.map(({ name, example }) => [name, example] as const))(
    "is refused by %s, which is the whole account's",
    async (name, example) => {
      const before = await standing()
      const refused = await world.refusal(name, { ...example }, key)
      expect(refused.code).toBe('scope_forbidden')
      expect(await standing()).toEqual(before)
    },
  )

  const cases = (members: Members): (readonly [string, string, unknown])[] =>
    Object.entries(members)
      .filter(([, [whose]]) => whose !== 'platform')
      .map(([name, [whose, other]]) => [name, whose, other] as const)

  let made = 0
  async function task(): Promise<string> {
    const task_id = `t${made++}`
    const sent = { task_id, name: 'Task', runtime: 'template' }
    await world.ask('tasks.create', { char_id: 'ada', task: sent }, owner)
    return task_id
  }

  async function expectHeld(whose: string, name: string, input: object): Promise<void> {
    if (whose !== 'owner') {
      await world.ask(name, input, key)
      return
    }
    const refused = await world.refusal(name, input, key)
    expect(refused.code).toBe('owner_only')
  }

  it.each(cases(taskMembers))('of a task, %s is a matter of the %s', async (name, whose, other) => {
    const task_id = await task()
    const place = { char_id: 'ada', task_id }
    await expectHeld(whose, 'tasks.update', { ...place, task: { [name]: other } })
    const { heart } = await world.ask<{ heart: { tasks: { task_id: string }[] } }>(
      'characters.get',
      { char_id: 'ada' },
      owner,
    )
    const tasks = heart.tasks.map((one) =>
      one.task_id === task_id ? { ...one, [name]: other } : one,
    )
    await expectHeld(whose, 'characters.update', {
      char_id: 'ada',
      character: { heart: { tasks } },
    })
    await world.ask('tasks.delete', place, owner)
  })

  it.each(cases(characterMembers))('of an agent, %s is a matter of the %s', (name, whose, other) =>
    expectHeld(whose, 'characters.update', { char_id: 'ada', character: { [name]: other } }),
  )

  it.each(cases(brainMembers))('of a brain, %s is a matter of the %s', (name, whose, other) =>
    expectHeld(whose, 'characters.update', {
      char_id: 'ada',
      character: { brain: { [name]: other } },
    }),
  )
})

/** Something of the sibling in each place, with its mark. */
async function things(world: World, key: string): Promise<Aimed> {
  const grace = { char_id: 'grace' }
  const ask = <T = { id: string }>(name: string, more: object): Promise<T> =>
    world.ask<T>(name, { ...grace, ...more }, key)
  const run = await ask('tasks.run', { task_id: 'digest', input: marker })
  const gated = await ask('tasks.run', { task_id: 'gated', input: marker })
  const approval_id = await approvalOf(world, gated.id)
  const post = await ask('feed.post', { content: marker })
  const item = await ask('knowledge.texts.add', { title: marker, content: marker })
  await ask('memory.put', { namespace: 'notes', key: 'last', value: marker })
  await ask('characters.secrets.update', { secrets: [{ name: 'A', value: marker }] })
  await ask('messages.send', { to: 'grace', body: marker })
  return {
    grace: 'grace',
    run_id: run.id,
    approval_id,
    post_id: post.id,
    item_id: item.id,
  }
}

/** What a worker opens as it takes the run. */
async function approvalOf(world: World, runId: string): Promise<string> {
  const work = startWork(world.ports, ['runner'], 1)
  try {
    await until(async () => (await world.ports.store.runs.get(runId))?.approval_id != null)
  } finally {
    await work.stop()
  }
  return (await world.ports.store.runs.get(runId))?.approval_id ?? ''
}
