import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { masterKeyFor, MasterKeyUnusable } from '#adapters/compose/master-key.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import type { Store } from '#src/ports/store.ts'

describe.each(stores())('the master key with $name', (kind) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
  })
  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  const key = (configured?: Buffer) => masterKeyFor(store, configured, place.folder)
  const file = () => join(place.folder, 'master.key')

  it('is made at the first start, for its owner alone, and found at the next', async () => {
    const made = await key()
    expect(made).toHaveLength(32)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readFileSync(file(), 'utf8')).toBe(`${made.toString('hex')}\n`)
    expect(await key()).toEqual(made)
    expect(readdirSync(place.folder).filter((name) => name.startsWith('master.key'))).toHaveLength(
      1,
    )
  })

  it('is the same for all that start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => key()))
    expect(new Set(keys.map((one) => one.toString('hex'))).size).toBe(1)
    expect(await key()).toEqual(keys[0])
  })

  it('may be configured, and writes no file then', async () => {
    const configured = Buffer.alloc(32, 7)
    expect(await key(configured)).toEqual(configured)
    expect(() => statSync(file())).toThrow()
    expect(JSON.stringify(await store.meta.get('master_key'))).not.toContain(
      configured.toString('hex'),
    )
  })

  it('that is another than the store was begun with is refused', async () => {
    await key(Buffer.alloc(32, 1))
    await expect(key(Buffer.alloc(32, 2))).rejects.toThrow(/ABODE_MASTER_KEY is not the master key/)
    await expect(key(Buffer.alloc(32, 2))).rejects.toBeInstanceOf(MasterKeyUnusable)
    expect(await key(Buffer.alloc(32, 1))).toEqual(Buffer.alloc(32, 1))
  })

  it('that was lost is asked for, and not replaced by a new one', async () => {
    await key()
    rmSync(file())
    await expect(key()).rejects.toThrow(/cannot be read/)
    writeFileSync(file(), 'not a key')
    await expect(key()).rejects.toThrow(/does not hold a master key/)
    writeFileSync(file(), `${'00'.repeat(32)}\n`)
    await expect(key()).rejects.toThrow(/is not the master key/)
  })
})
