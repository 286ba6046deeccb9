import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import type { Character } from '#src/agents/character.ts'
import { copiedPhotos } from '#src/agents/media/copy-photos.ts'
import { mediaIdIn } from '#src/agents/media/media.ts'
import { Unavailable } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { memoryFiles } from '#tests/support/kept-files.ts'
import { encoded, picture } from '#tests/support/pictures.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const add = 'characters.photos.add'
const small = await picture()
const file = encoded(small)
const hour = 3_600_000

describe.each(stores())('photos on $name', (kind) => {
  let store: OpenedStore
  beforeAll(async () => {
    store = await kind.open()
  })
  afterAll(() => store.close())

  const agentIn = async (world: World, char_id = `ada-${crypto.randomUUID()}`) => {
    const { key, id } = await world.account()
    await world.ask('characters.create', { character: { id: char_id, name: 'Ada' } }, key)
    return { key, ownerId: id, char_id }
  }
  const read = (world: World, char_id: string, key: string): Promise<Character> =>
    world.ask<Character>('characters.get', { char_id }, key)

  it('that are added at once are all there, each described at its own position', async () => {
    const world = openWorld(store)
    const { key, char_id } = await agentIn(world)
    const prompts = Array.from({ length: 12 }, (_, i) => `photo ${i}`)
    await Promise.all(prompts.map((prompt) => world.ask(add, { char_id, file, prompt }, key)))
    const { appearance, revision } = await read(world, char_id, key)
    expect(revision).toBe(13)
    expect(appearance?.photo_meta.map(({ url }) => url)).toEqual(appearance?.photos)
    expect(appearance?.photo_meta.map(({ prompt }) => prompt).sort()).toEqual(prompts.sort())
    expect(await store.media.count({ char_id })).toBe(12)
  })

  it('count among the stored bytes, and come back with their agent', async () => {
    const world = openWorld(store)
    const used = async (ownerId: string): Promise<number> => {
      await world.ports.quotas.settle()
      return (await store.usage.get(ownerId))?.bytes ?? 0
    }
    const { key, ownerId, char_id } = await agentIn(world)
    const plain = await agentIn(world)
    const before = await used(ownerId)
    await world.ask(add, { char_id, file: encoded(await picture('png', { width: 900 })) }, key)
    const [media] = await store.media.find({ char_id })
    expect((await used(ownerId)) - before).toBeGreaterThan(media?.bytes ?? Infinity)
    await world.ask('characters.delete', { char_id }, key)
    await world.ask('characters.delete', { char_id: plain.char_id }, plain.key)
    expect(await used(ownerId)).toBe(await used(plain.ownerId))
    expect(await world.ports.files.read(media?.id ?? '')).toBeUndefined()
  })

  it('leave nothing behind where they come too late', async () => {
    const files = memoryFiles()
    const world = openWorld(store, { files })
    const { key, char_id } = await agentIn(world)
    const full = Array.from({ length: 49 }, (_, i) => `https://pictures.example/${i}`)
    const character = { appearance: { photos: full } }
    await world.ask('characters.update', { char_id, character }, key)
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => world.ask(add, { char_id, file }, key)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(files.ids()).toHaveLength(1)
    expect(await store.media.count({ char_id })).toBe(1)
  })

  it('keep their bytes where it is unknown whether the commit was done', async () => {
    const files = memoryFiles()
    const world = openWorld(store, { files })
    const { key, char_id } = await agentIn(world)
    const unsure: OpenedStore = {
      ...store,
      async commit(writes) {
        await store.commit(writes)
        if (!writes.some((write) => write.in === 'media')) return
        throw new Unavailable('the answer was lost', { outcomeUnknown: true })
      },
    }
    const other = openWorld(unsure, { files })
    const { code } = await other.refusal(add, { char_id, file }, key)
    expect(code).toBe('unavailable')
    const { appearance } = await read(world, char_id, key)
    expect(files.ids()).toEqual([mediaIdIn(appearance?.photos[0] ?? '')])
  })

  it('that no document speaks of are swept an hour later, and no others', async () => {
    const world = openWorld(store, { files: memoryFiles() })
    const { key, char_id } = await agentIn(world)
    await world.ask(add, { char_id, file }, key)
    const [media] = await store.media.find({ char_id })
    const { files } = world.ports
    await files.put('med_stray', Buffer.from('stray'))
    await upkeep(world.ports, new Date())
    expect(await files.read('med_stray')).toBeDefined()
    await upkeep(world.ports, new Date(Date.now() + 2 * hour))
    expect(await files.read('med_stray')).toBeUndefined()
    expect(await files.read(media?.id ?? '')).toBeDefined()
  })

  it('are copied for another agent, which has them when the first is gone', async () => {
    const world = openWorld(store)
    const { key, ownerId, char_id } = await agentIn(world)
    const elsewhere = 'https://pictures.example/ada.png'
    const character = { appearance: { photos: [elsewhere] } }
    await world.ask('characters.update', { char_id, character }, key)
    await world.ask(add, { char_id, file, prompt: 'First' }, key)
    await world.ask('characters.photos.set_as_profile', { char_id, index: 1 }, key)
    const { appearance } = await read(world, char_id, key)
    const copied = await copiedPhotos(
      world.ports,
      { id: char_id, appearance },
      { charId: 'copy', ownerId },
    )
    await store.commit(copied.kept.map(({ write }) => write))
    await world.ask('characters.delete', { char_id }, key)
    const [copy] = copied.kept
    expect(copied.kept).toHaveLength(1)
    expect(copied.appearance).toMatchObject({
      photos: [elsewhere, copy?.url],
      avatar_url: copy?.url,
      photo_meta: [{ url: elsewhere }, { url: copy?.url, prompt: 'First' }],
    })
    expect(copy?.url).not.toBe(appearance?.photos[1])
    expect(await world.ports.files.read(copy?.media.id ?? '')).toHaveLength(copy?.media.bytes ?? 0)
    await store.media.delete({ char_id: 'copy' })
  })
})
