import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyId, copyWords } from '#adapters/compose/master-key.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'
import { takeBackup } from '#adapters/commands/backups/take.ts'
import { storeLines } from '#adapters/commands/diagnosis/machine.ts'
import { readConfig } from '#adapters/config/read.ts'
import { join } from 'node:path'
import { stores, type Place } from '#tests/support/stores.ts'

const key = '07'.repeat(32)

for (const kind of stores()) {
  let place: Place
  let env: Record<string, string>
  beforeAll(async () => {
    place = await kind.newPlace()
    env = { DATA_DIR: place.folder, ABODE_MASTER_KEY: key }
    if (place.uri !== undefined) env = { ...env, MONGODB_URI: place.uri }
    const store = await place.open()
    await store.meta.insert({ id: copyId, value: '{}' })
    await store.close()
  })
  afterAll(() => place.remove())

  it(`the commands say of a copy that was broken off in ${kind.name} how it goes on`, async () => {
    await expect(storeOfServer(env)).rejects.toThrow(copyWords)
    const [line] = await storeLines(readConfig(env), env)
    expect(line).toMatchObject({ of: 'store', state: 'fail', says: copyWords })
    if (place.uri !== undefined) return
    const to = join(place.folder, 'backups')
    const taking = { dataDir: place.folder, to, keep: 1, version: '1', now: new Date() }
    await expect(takeBackup(taking)).rejects.toThrow(copyWords)
  })
}
