import { expect, it } from 'vitest'
import { masterKeyFor } from '#adapters/compose/master-key.ts'
import { openStore } from '#adapters/store/open.ts'
import { openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { runCommand } from '#tests/support/process.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const kind = stores().find(({ name }) => name === 'mongodb')
const key = '07'.repeat(32)

it.skipIf(!kind)('says nothing of a store that goes away while it is looked through', async () => {
  const place = await kind?.place()
  if (!place) return
  const proxy = await openMongoProxy(place.uri ?? '')
  try {
    const store = await openStore(place)
    await masterKeyFor(store, Buffer.from(key, 'hex'), place.folder)
    await openWorld(store).account()
    await store.close()
    // Only the last check counts.
    proxy.fail('aggregate', 'lose request', 100)
    const env = { DATA_DIR: place.folder, MONGODB_URI: proxy.uri, ABODE_MASTER_KEY: key }
    const { out, code, err } = await runCommand('verify', ['--json'], env)
    expect(proxy.failed).toBeGreaterThan(0)
    expect({ out, code }).toEqual({ out: '', code: 69 })
    expect(err).toContain('The store does not answer.')
  } finally {
    await proxy.close()
    await place.remove()
  }
})
