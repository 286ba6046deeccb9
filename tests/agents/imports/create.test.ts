import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import type { Store } from '#src/ports/store.ts'
import { encoded, picture } from '#tests/support/pictures.ts'
import { gravesOf } from '#tests/bounds/graves.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'
import { cardWithBook, fileOf, png, secondCard, textChunk } from './samples.ts'
import { auditBytes } from '#tests/support/suite/audit-bytes.ts'

interface Made {
  id: string
  appearance: { avatar_url: string; photos: string[] } | null
  import_report: { notes: { message: string }[] }
}

const small = await picture()
const card = (): object => fileOf(png(textChunk('chara', secondCard)), 'card.png')

describe.each(oneStore())('an agent that is imported or copied on $name', (kind) => {
  let store: OpenedStore
  const worlds: World[] = []
  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(async () => {
    await Promise.all(worlds.splice(0).map((world) => world.ports.copyist.close()))
    await store.close()
  })

  const open = (...options: Parameters<typeof openWorld>): World => {
    const world = openWorld(...options)
    worlds.push(world)
    return world
  }
  const filesOf = ({ ports }: World): Promise<string[]> =>
    ports.files.keptBefore(new Date(Date.now() + 60_000), '', 100)

  it('has pictures of its own, which stay when the original goes', async () => {
    const world = open(store)
    const { key } = await world.account()
    const first = await world.ask<Made>('characters.import', { file: card() }, key)
    const second = await world.ask<Made>('characters.clone', { char_id: first.id }, key)
    expect(second.appearance?.photos).toEqual([second.appearance?.avatar_url])
    expect(second.appearance?.avatar_url).not.toBe(first.appearance?.avatar_url)
    const exported = await world.ask('characters.export', { char_id: first.id }, key)
    const input = { file: fileOf(exported), new_id: 'third' }
    const third = await world.ask<Made>('characters.import', input, key)
    expect(await filesOf(world)).toHaveLength(3)
    await world.ask('characters.delete', { char_id: first.id }, key)
    const left = await store.media.find({})
    expect(left.map((media) => media.char_id).sort()).toEqual([second.id, third.id].sort())
    expect(third.appearance?.avatar_url).toContain(
      left.find((media) => media.char_id === third.id)?.id,
    )
  })

  it('leaves no picture behind where its id is taken', async () => {
    const world = open(store)
    const { key } = await world.account()
    await world.ask('characters.create', { character: { id: 'taken', name: 'A' } }, key)
    const refusal = await world.refusal('characters.import', { file: card(), new_id: 'taken' }, key)
    expect(refusal.code).toBe('character_id_taken')
    expect(await filesOf(world)).toEqual([])
    expect(await store.media.count({})).toBe(0)
  })

  it('is made without a picture that cannot be shown, and says so', async () => {
    const world = open(store)
    const { key } = await world.account()
    // Without its pixels.
    const whole = png(textChunk('chara', secondCard))
    const at = whole.indexOf('IDAT')
    const broken = Buffer.concat([
      whole.subarray(0, at + 4),
      Buffer.alloc(6),
      whole.subarray(at + 10),
    ])
    const made = await world.ask<Made>('characters.import', { file: fileOf(broken) }, key)
    expect(made.appearance).toBeNull()
    expect(made.import_report.notes.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^The picture is left out/),
    )
  })

  it('is not copied for an account that was allowed to a moment ago', async () => {
    let taken = false
    const changing: Store = {
      ...store,
      async commit(writes) {
        if (!taken && writes.some((write) => write.in === 'characters' && 'update' in write)) {
          taken = true
          await store.characters.update(
            { id: 'open' },
            { $set: { 'visibility.allow_cloning': false }, $inc: { revision: 1 } },
          )
        }
        return store.commit(writes)
      },
    }
    const world = open(changing)
    const [owner, other] = [await world.account(), await world.account()]
    const visibility = { profile_visibility: 'public', allow_cloning: true }
    const character = { id: 'open', name: 'Open', visibility }
    await world.ask('characters.create', { character }, owner.key)
    taken = false
    const refusal = await world.refusal('characters.clone', { char_id: 'open' }, other.key)
    expect([taken, refusal.code]).toEqual([true, 'forbidden'])
    expect(await store.characters.count({ owner_id: other.id })).toBe(0)
  })

  it('counts among the agents of the account', async () => {
    const quotas = { ...noQuotas, unclaimed: { ...noQuotas.unclaimed, agents: 2 } }
    const world = open(store, { quotas })
    const { key } = await world.account()
    const { id } = await world.ask<Made>('characters.import', { file: fileOf({ name: 'A' }) }, key)
    await world.ask('characters.clone', { char_id: id }, key)
    for (const [name, input] of [
      ['characters.clone', { char_id: id }],
      ['characters.import', { file: fileOf({ name: 'B' }) }],
    ] as const) {
      expect((await world.refusal(name, input, key)).code).toBe('quota_exceeded')
    }
  })

  it('counts its bytes, and gives them back', async () => {
    const world = open(store)
    const { key, id: accountId } = await world.account()
    const used = async (): Promise<number> =>
      (await world.ports.quotas.usage({ accountId, claimed: false })).stored_bytes
    const before = await used()
    for (const file of [card(), fileOf(cardWithBook(1))]) {
      const { id } = await world.ask<Made>('characters.import', { file }, key)
      const size = Buffer.from((file as { data: string }).data, 'base64').length
      // What was counted in memory is written by itself, and is nowhere meanwhile.
      const marks = await gravesOf(store, accountId)
      await until(async () => (await used()) - before - marks > size)
      const copy = await world.ask<Made>('characters.clone', { char_id: id }, key)
      await world.ask('characters.delete', { char_id: copy.id }, key)
      await world.ask('characters.delete', { char_id: id }, key)
      await until(async () => (await used()) === before + (await gravesOf(store, accountId)))
    }
  })

  it('counts the same when it is made, changed and deleted, with all that is its own', async () => {
    const world = open(store)
    const { key, id: accountId } = await world.account()
    const used = async (): Promise<number> =>
      (await world.ports.quotas.usage({ accountId, claimed: false })).stored_bytes
    const before = await used()
    const triggers = [
      { type: 'webhook', config: { path: 'in', secret: 'a secret of a hook' } },
      { type: 'cron', config: { cron: '0 0 1 1 *' } },
    ]
    const heart = { tasks: [{ name: 'First', triggers }, { name: 'Second' }] }
    // One with a warning, an entry in the directory and words that only the platform keeps.
    const character = {
      id: 'counted',
      name: 'Ada Lovelace',
      skills: ['reading', 'reading 😀'],
      heart,
      brain: { hooks: [{ event: 'on_message', action: 'webhook:http://127.0.0.1/x' }] },
      visibility: { profile_visibility: 'public', listed_in_directory: true },
      unknown: 'x'.repeat(200),
    }
    await world.ask('characters.create', { character }, key)
    const made = await used()
    expect(made).toBeGreaterThan(before)
    const clone = { char_id: 'counted', id: 'counted-too' }
    await world.ask('characters.clone', clone, key)
    await world.ask('characters.delete', { char_id: 'counted-too' }, key)
    expect(await used()).toBe(made + (await gravesOf(store, accountId)))
    await world.ask('characters.photos.add', { char_id: 'counted', file: encoded(small) }, key)
    await world.ask('characters.photos.set_as_profile', { char_id: 'counted', index: 0 }, key)
    await world.ask('characters.photos.remove', { char_id: 'counted', index: 0 }, key)
    await world.ask('characters.photos.add', { char_id: 'counted', file: encoded(small) }, key)
    await world.ask('characters.delete', { char_id: 'counted' }, key)
    expect(await used()).toBe(before + (await gravesOf(store, accountId)))
  })

  it('never counts less than nothing, though a crash forgot what was counted in memory', async () => {
    const first = open(store)
    const { key, id: accountId } = await first.account()
    await first.ask('characters.create', { character: { id: 'kept', name: 'Kept' } }, key)
    const next = open(store)
    await next.ask('characters.delete', { char_id: 'kept' }, key)
    const { stored_bytes } = await next.ports.quotas.usage({ accountId, claimed: false })
    // What the second has recorded counts, less what it gives back of the first.
    expect(stored_bytes).toBeGreaterThanOrEqual(0)
    expect(stored_bytes).toBeLessThanOrEqual(await auditBytes(store))
  })
})
