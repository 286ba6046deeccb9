import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#adapters/store/open.ts'
import { runCommand } from '#tests/support/process.ts'
import { openWorld } from '#tests/support/world.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { masterKeyFor } from '#adapters/compose/master-key.ts'

interface Told {
  looked: number
  found: number
  items: { check: string; at: string; fault: string }[]
}

const key = '07'.repeat(32)

describe.each(stores())('what a store on $name holds', (kind) => {
  let place: Place
  let accountId = ''
  beforeAll(async () => {
    place = await kind.place()
    const store = await openStore(place)
    await masterKeyFor(store, Buffer.from(key, 'hex'), place.folder)
    const world = openWorld(store)
    const { key: credential, id } = await world.account()
    accountId = id
    await world.ask('characters.create', { id: 'ada', name: 'Ada' }, credential)
    const task = { char_id: 'ada', task_id: 't', name: 'T', runtime: 'template', prompt: 'x' }
    await world.ask('tasks.create', task, credential)
    // Agents of an app count as their app alone.
    const agents = [{ local_id: 'bea', name: 'Bea' }]
    const manifest = { app_id: 'team', name: 'Team', agents }
    await world.ask('agent_apps.provision', { manifest }, credential)
    await store.close()
  })
  afterAll(() => place.remove())

  async function verified() {
    const { folder, uri } = place
    const at = {
      DATA_DIR: folder,
      ABODE_MASTER_KEY: key,
      ...(uri !== undefined && { MONGODB_URI: uri }),
    }
    const { out, code, err } = await runCommand('verify', ['--json'], at)
    if (out === '') throw new Error(err)
    return { code, told: JSON.parse(out) as Told }
  }

  it('is found right as servers leave it, and what was broken is named', async () => {
    const right = await verified()
    expect(right).toMatchObject({ code: 0, told: { found: 0, items: [] } })
    expect(right.told.looked).toBeGreaterThan(2)
    const store = await openStore(place)
    await store.characters.delete({ id: 'ada' })
    await store.ledger.insert({
      id: 'checkout/none/paid',
      at: '2026-01-01T00:00:00.000Z',
      currency: 'eur',
      postings: [{ account: accountId, bucket: 'available', amount_cents: 5 }],
    })
    const sizes = { bytes: 1, media_type: 'image/webp', width: 1, height: 1, sha256: 'ab' }
    const media = { id: `med_${'0'.repeat(32)}`, char_id: 'ada', owner_id: accountId }
    await store.media.insert({ ...media, ...sizes, created_at: '2026-01-01T00:00:00.000Z' })
    await store.close()
    const { code, told } = await verified()
    expect(code).toBe(1)
    expect(told.items.map(({ check, fault }) => `${check}: ${fault}`).sort()).toEqual([
      'books: its postings sum to 5 cents',
      'counts: agents counts 1, and there are 0',
      'files: its file is missing',
      'references: names ada in characters, which is not there',
      'references: names ada in characters, which is not there',
    ])
  })

  it.runIf(kind.name === 'sqlite')(
    'is told of also where damage ends the look itself',
    async () => {
      const path = join(place.folder, 'abode.db')
      const raw = new DatabaseSync(path)
      const sql =
        "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'accounts'"
      const { rootpage, page_size } = raw.prepare(sql).get() ?? {}
      raw.close()
      await using file = await open(path, 'r+')
      const page = Number(page_size)
      await file.write(Buffer.alloc(page, 0xab), 0, page, (Number(rootpage) - 1) * page)
      const { code, told } = await verified()
      expect(code).toBe(1)
      expect(told.items).toContainEqual(expect.objectContaining({ check: 'database' }))
    },
  )
})
