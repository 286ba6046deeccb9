import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Character } from '#src/agents/character.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const filled = { visibility: { ability_access: { feed: 'public' } } }
const set = { visibility: { ability_access: { feed: 'public', friends: 'private' } } }

describe.each(oneStore())('a private level of friends on $name', (kind) => {
  let store: Store
  let world: World
  let owner: { id: string; key: string }
  let stranger: string
  let made = 0
  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    owner = await world.account()
    stranger = (await world.account()).key
  })
  afterAll(() => store.close())

  const create = async (more: object): Promise<string> => {
    const id = `agent-${(made += 1)}`
    await world.ask('characters.create', { character: { id, name: id, ...more } }, owner.key)
    return id
  }
  const as = (name: string, input: object) => world.ask<Character>(name, input, owner.key)
  /** Whether a stranger's agent may ask; both show the same visibility. */
  const isAsked = async (friend_id: string): Promise<boolean> => {
    const { visibility } = await as('characters.get', { char_id: friend_id })
    expect(visibility?.ability_access?.friends).toBe('private')
    const char_id = `asks-${(made += 1)}`
    await world.ask('characters.create', { character: { id: char_id, name: char_id } }, stranger)
    return world.ask('friends.request', { char_id, friend_id }, stranger).then(
      () => true,
      (cause: { code: string }) => {
        expect(cause.code).toBe('forbidden')
        return false
      },
    )
  }

  it('closes an agent where it was set, and not where it was filled in', async () => {
    expect(await isAsked(await create(filled))).toBe(true)
    expect(await isAsked(await create(set))).toBe(false)
  })

  it('stays what it is through changes of other members', async () => {
    for (const [visibility, may] of [
      [filled, true],
      [set, false],
    ] as const) {
      const char_id = await create(visibility)
      await as('characters.update', { char_id, character: { tagline: 'new' } })
      await as('characters.visibility.update', { char_id, visibility: { public_bio: 'new' } })
      const appearance = { photos: [] }
      await as('characters.update', { char_id, character: { appearance } })
      expect(await isAsked(char_id)).toBe(may)
    }
  })

  it('is set by either update, and unset with the block that it stands in', async () => {
    const one = await create(filled)
    await as('characters.update', { char_id: one, character: set })
    expect(await isAsked(one)).toBe(false)
    const other = await create(filled)
    await as('characters.visibility.update', { char_id: other, ...set })
    expect(await isAsked(other)).toBe(false)
    await as('characters.update', { char_id: other, character: { visibility: null } })
    await as('characters.update', { char_id: other, character: filled })
    expect(await isAsked(other)).toBe(true)
  })

  it('is restored, copied and exported as it was', async () => {
    for (const [visibility, may] of [
      [filled, true],
      [set, false],
    ] as const) {
      const char_id = await create(visibility)
      const { id } = await as('characters.clone', { char_id })
      expect(await isAsked(id)).toBe(may)
      const exported = await as('characters.export', { char_id })
      const file = {
        filename: 'agent.json',
        media_type: 'application/json',
        data: Buffer.from(JSON.stringify(exported)).toString('base64'),
      }
      const imported = await as('characters.import', { file, new_id: `in-${(made += 1)}` })
      expect(await isAsked(imported.id)).toBe(may)
      const open = { visibility: { ability_access: { friends: 'public' } } }
      await as('characters.update', { char_id, character: open })
      await as('characters.revisions.restore', { char_id, revision: 1 })
      expect(await isAsked(char_id)).toBe(may)
    }
  })

  it('is not set by a key that acts as the agent and sends back what it read', async () => {
    const char_id = await create(filled)
    const { key } = await world.ask<{ key: string }>(
      'api_keys.create',
      { name: 'scoped', scope_char_id: char_id },
      owner.key,
    )
    const { visibility } = await as('characters.get', { char_id })
    const character = { visibility, tagline: 'mine' }
    await world.ask('characters.update', { char_id, character }, key)
    expect(await isAsked(char_id)).toBe(true)
  })

  it('counts as filled in on an agent of before, until it is set', async () => {
    const char_id = await create(set)
    await store.characters.update({ id: char_id }, { $unset: { friends_private: true } })
    expect(await isAsked(char_id)).toBe(true)
    await as('characters.visibility.update', { char_id, ...set })
    expect(await isAsked(char_id)).toBe(false)
  })

  it('is what the manifest of an app says', async () => {
    const manifest = (more: object) => ({
      manifest_version: 1,
      app_id: 'levels',
      name: 'Levels',
      agents: [{ local_id: 'a', name: 'A', ...more }],
    })
    await as('agent_apps.provision', { manifest: manifest(filled) })
    expect(await isAsked('levels--a')).toBe(true)
    const changed = expect.objectContaining({ kind: 'agent', members: ['visibility'] }) as object
    const change = { app_id: 'levels', manifest: manifest(set) }
    const done = await as('agent_apps.update', change)
    expect(done).toMatchObject({ plan: { update: expect.arrayContaining([changed]) as object[] } })
    expect(await isAsked('levels--a')).toBe(false)
    expect(await as('agent_apps.plan', change)).toMatchObject({ update: [] })
  })
})
