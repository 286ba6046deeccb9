import { afterEach, describe, expect, test } from 'vitest'
import { StoredBytes } from '#src/core/counts/stored-bytes.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

const opened: Store[] = []
afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))

describe.each(stores())('the bytes of an account on $name', (kind) => {
  test('are counted once while they are written, at any moment', async () => {
    const store = await kind.open()
    opened.push(store)
    await store.usage.insert({ id: 'acc_1', agents: 0, apps: 0, bytes: 100 })
    const isWritten = Promise.withResolvers<void>()
    const isTold = Promise.withResolvers<void>()
    const usage: Store['usage'] = {
      ...store.usage,
      // The row is there for readers before the writer is told so.
      async update(...change) {
        const row = await store.usage.update(...change)
        isWritten.resolve()
        await isTold.promise
        return row
      },
    }
    const counts = new StoredBytes({ usage })
    counts.add('acc_1', 70_000)
    await isWritten.promise
    const read = counts.read('acc_1')
    counts.add('acc_1', 5)
    isTold.resolve()
    expect(await read).toMatchObject({ row: { bytes: 70_100 }, bytes: 70_105 })
  })
})
