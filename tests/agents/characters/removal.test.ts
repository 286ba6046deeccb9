import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import { shelved } from '#src/agents/memory/shelf.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { memoryFiles } from '#tests/support/kept-files.ts'
import { encoded, picture } from '#tests/support/pictures.ts'
import { gravesOf } from '#tests/bounds/graves.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

type Name = keyof typeof collections
const names = Object.keys(collections) as Name[]

/** What may stay: what happened, and what is deleted later by those who keep it. */
const kept = new Set<Name>([
  'audit',
  'events',
  'feed_leftovers',
  'idempotency',
  'knowledge_items',
  'knowledge_remains',
  'notices',
  'post_comments',
  'post_likes',
  'run_events',
  'runs',
  'tombstones',
  'usage',
])

describe.each(stores())('an agent that is deleted, on $name', (kind) => {
  let store: Store
  let world: World
  let key: string
  let files: ReturnType<typeof memoryFiles>

  beforeEach(async () => {
    store = await kind.open()
    files = memoryFiles()
    world = openWorld(store, { files })
    ;({ key } = await world.account())
  })
  afterEach(() => store.close())

  /** An agent with something of each kind that agents have. */
  async function furnished(char_id: string, friend_id: string, by: string): Promise<void> {
    const ask = (name: string, input: object): Promise<unknown> =>
      world.ask(name, { char_id, ...input }, by)
    const task = { task_id: 'digest', name: 'Digest', runtime: 'prompt', prompt: 'Think' }
    const character = { id: char_id, name: char_id, heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, by)
    await world.ask('characters.create', { character: { id: friend_id, name: friend_id } }, by)
    await ask('characters.update', { character: { tagline: 'Reads' } })
    await ask('characters.secrets.update', { secrets: [{ name: 'MAIL', value: 'marker' }] })
    await ask('characters.photos.add', { file: encoded(await picture()) })
    await ask('friends.request', { friend_id })
    await ask('memory.put', { namespace: 'readers', key: 'grace', value: { likes: ['tides'] } })
    await ask('knowledge.texts.add', { title: 'T', content: 'Otters.' })
    await ask('feed.post', { content: 'Otters.' })
    await world.ask('api_keys.create', { name: char_id, scope_char_id: char_id }, by)
  }

  /** Makes a run of its task, and the message that started it. */
  async function ran(char_id: string, by: string): Promise<void> {
    const run = await world.ask<{ id: string; created_at: string }>(
      'tasks.run',
      { char_id, task_id: 'digest' },
      by,
    )
    const owner_id = (await store.characters.get(char_id))?.owner_id ?? ''
    const chat = { task_id: 'digest', caller: 'someone', context_id: 'c', message_id: 'm' }
    const { id, created_at } = run
    await store.chats.insert({ id, char_id, owner_id, ...chat, created_at })
  }

  /** Of every collection the documents that speak of an agent, or that do not. */
  async function documents(which: (text: string, name: Name) => boolean): Promise<unknown[]> {
    const found: unknown[] = []
    for (const name of names) {
      for (const one of await store[name].find({})) {
        if (which(JSON.stringify(one), name)) found.push([name, one])
      }
    }
    return found
  }
  const deleteAda = () => world.ask('characters.delete', { char_id: 'ada' }, key)

  it('takes along all that is its own, and nothing of another', async () => {
    await furnished('ada', 'bob', key)
    await ran('ada', key)
    await furnished('eve', 'kim', key)
    await ran('eve', key)
    const another = (await world.account()).key
    await furnished('joe', 'pat', another)
    await ran('joe', another)
    const ofOthers = () =>
      documents((text, name) => name !== 'usage' && /"(eve|kim|joe|pat)\b/.test(text))
    const before = await ofOthers()
    const pictures = (await store.media.find({})).filter(({ char_id }) => char_id !== 'ada')
    await deleteAda()
    expect(await ofOthers()).toEqual(before)
    const shown = files.ids().filter((id) => id.startsWith('med_'))
    expect(shown.toSorted()).toEqual(pictures.map(({ id }) => id).toSorted())
    expect(await documents((text, name) => !kept.has(name) && /"ada\b/.test(text))).toMatchObject([
      ['api_keys', { scope_char_id: 'ada', revoked_at: expect.any(String) as string }],
    ])
  })

  it('gives its account back every byte that it counted', async () => {
    const { id } = await world.ask<{ id: string }>('account.get', {}, key)
    const owner = { accountId: id, claimed: false }
    const stored = async () => (await world.ports.quotas.usage(owner)).stored_bytes
    await furnished('eve', 'kim', key)
    const before = (await stored()) - (await gravesOf(store, id))
    await furnished('ada', 'bob', key)
    expect(await stored()).toBeGreaterThan(before)
    await deleteAda()
    await world.ask('characters.delete', { char_id: 'bob' }, key)
    const left = await gravesOf(store, id)
    expect(await stored()).toBe(before + left)
  })
  it('forgets much of its memory in portions, and gives back all that it counted', async () => {
    const deleted: number[] = []
    world = openWorld(
      {
        ...store,
        async commit(writes) {
          for (const write of writes) {
            if (write.in !== 'memory' || !('delete' in write)) continue
            deleted.push(await store.memory.count(write.delete))
          }
          return store.commit(writes)
        },
      },
      { files },
    )
    const { id } = await world.ask<{ id: string }>('account.get', {}, key)
    const owner = { accountId: id, claimed: false }
    const stored = async () => (await world.ports.quotas.usage(owner)).stored_bytes
    const before = await stored()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const put = { char_id: 'ada', namespace: 'n', key: 'k0', value: { n: 0 } }
    await world.ask('memory.put', put, key)
    const [entry] = await store.memory.find({})
    const shelf = await store.memory_shelves.get('ada')
    if (!entry || !shelf) throw new Error('nothing is remembered')
    // As 500 more calls would have left them.
    const more = Array.from({ length: 500 }, (_, n): Write => {
      return { in: 'memory', insert: { ...entry, id: `ada/n/k${n + 1}`, key: `k${n + 1}` } }
    })
    const texts = await store.memory.text({})
    await store.commit(more)
    const all = await store.memory.text({})
    const size = (rows: typeof all) => rows.reduce((sum, { text }) => sum + text.length, 0)
    const grown = size(all) - size(texts)
    await store.commit([shelved(shelf, grown)])
    world.ports.quotas.addBytes(id, grown)
    await world.ask('characters.delete', { char_id: 'ada' }, key)
    expect(await store.memory.count({})).toBe(0)
    expect(deleted).toEqual([200, 200, 101, 0])
    const left = await gravesOf(store, id)
    expect(await stored()).toBe(before + left)
  })

  it('is not what it was when its id is taken again', async () => {
    await furnished('ada', 'bob', key)
    const old = await world.ask<{ revision: number }>(
      'tasks.update',
      { char_id: 'ada', task_id: 'digest', task: { name: 'Weekly' } },
      key,
    )
    await deleteAda()
    const tasks = [{ task_id: 'digest', name: 'Digest', runtime: 'prompt', prompt: 'Think' }]
    const character = { id: 'ada', name: 'Ada', heart: { tasks } }
    await world.ask('characters.create', { character }, key)
    const place = { char_id: 'ada', task_id: 'digest' }
    const { revision } = await world.ask<{ revision: number }>('tasks.get', place, key)
    expect(revision).toBeGreaterThan(old.revision)
  })

  it('leaves one tombstone, beyond which its tasks go on, however many of them came and went', async () => {
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const revisions: number[] = []
    for (const round of [1, 2, 3]) {
      const extra = Array.from({ length: 5 }, (_, i) => ({ task_id: `r${round}-${i}`, name: 'T' }))
      const tasks = [{ task_id: 'digest', name: 'D' }, ...extra]
      await world.ask('characters.update', { char_id: 'ada', character: { heart: { tasks } } }, key)
      const digest = { char_id: 'ada', task_id: 'digest' }
      await world.ask('tasks.update', { ...digest, task: { name: `D${round}` } }, key)
      const { revision } = await world.ask<{ revision: number }>('tasks.get', digest, key)
      revisions.push(revision)
      await world.ask('tasks.delete', digest, key)
    }
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
    await world.ask('characters.delete', { char_id: 'ada' }, key)
    expect(await store.tombstones.count({})).toBe(1)
  })

  it('goes as it was changed in the moment of its end', async () => {
    await furnished('eve', 'kim', key)
    await furnished('ada', 'bob', key)
    const rename = { char_id: 'ada', character: { name: 'Ada II' } }
    let changed: Promise<{ revision: number }> | undefined
    const changing: Store = {
      ...store,
      async commit(writes) {
        const isEnd = writes.some((write) => write.in === 'edges' && 'delete' in write)
        if (isEnd) await (changed ??= world.ask('characters.update', rename, key))
        return store.commit(writes)
      },
    }
    await openWorld(changing, { files }).ask('characters.delete', { char_id: 'ada' }, key)
    const { revision = 0 } = (await changed) ?? {}
    expect(await store.tombstones.get('characters/ada')).toMatchObject({ revision })
  })

  const scope = { name: 'Late', scope_char_id: 'ada' }

  it('gets no key in the moment of its end', async () => {
    await furnished('ada', 'bob', key)
    const late = openWorld({
      ...store,
      async commit(writes) {
        await deleteAda().catch(() => undefined)
        return store.commit(writes)
      },
    })
    const refused = await late.refusal('api_keys.create', scope, key)
    expect(refused.code).toBe('character_not_found')
    expect(await store.api_keys.count({ scope_char_id: 'ada', revoked_at: null })).toBe(0)
  })

  it('takes along a key that was made, and used, while it was being deleted', async () => {
    await furnished('ada', 'bob', key)
    let made: Promise<string> | undefined
    const used = async (): Promise<string> => {
      const { key: late } = await world.ask<{ key: string }>('api_keys.create', scope, key)
      await slow.ask('characters.get', { char_id: 'ada' }, late)
      return late
    }
    const slow: World = openWorld(
      {
        ...store,
        async commit(writes) {
          const isEnd = writes.some((write) => write.in === 'edges' && 'delete' in write)
          if (isEnd) await (made ??= used())
          return store.commit(writes)
        },
      },
      { files },
    )
    await slow.ask('characters.delete', { char_id: 'ada' }, key)
    const late = await made
    expect(late).toMatch(/^ab_/)
    // The key must not act for an agent that takes the id later.
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    expect((await slow.refusal('characters.get', { char_id: 'ada' }, late)).code).toBe(
      'invalid_credential',
    )
  })
})
