import { expect, it } from 'vitest'
import { Unavailable } from '#src/ports/store.ts'
import { startWork } from '#src/work/work.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

it.each(oneStore())('a stop is in order where $name takes no writes any more', async (kind) => {
  const store = await kind.open()
  const { ports } = openWorld(store)
  const told: string[] = []
  const log = { ...ports.log, warn: (message: string) => void told.push(message) }
  const away = { settle: () => Promise.reject(new Unavailable('a newer version has it')) }
  const limiter = Object.assign(Object.create(ports.limiter), away) as typeof ports.limiter
  const work = startWork({ ...ports, log, limiter }, [], 1)
  await work.stop()
  expect(told).toEqual(['what was counted last could not be written'])
  await store.close()
})
