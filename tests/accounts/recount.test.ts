import { expect, it } from 'vitest'
import { recount } from '#src/accounts/recount.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

it.each(stores())('counts again without the agents of apps, on $name', async (kind) => {
  const world = openWorld(await kind.open())
  const { ports } = world
  try {
    const { id, key } = await world.account()
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const agents = [{ local_id: 'bea', name: 'Bea' }]
    await world.ask(
      'agent_apps.provision',
      { manifest: { app_id: 'team', name: 'Team', agents } },
      key,
    )
    await recount(ports, id)
    expect(await ports.store.usage.get(id)).toMatchObject({ agents: 1, apps: 1 })
    await ports.store.usage.update({ id }, { $set: { agents: 7 } })
    await recount(ports, id)
    expect(await ports.store.usage.get(id)).toMatchObject({ agents: 1, apps: 1 })
  } finally {
    await ports.store.close()
  }
})

it.each(stores())('has bytes that are far below 0 begin again, on $name', async (kind) => {
  const world = openWorld(await kind.open())
  const { ports } = world
  try {
    const { id } = await world.account()
    // Another process may have yet to write what was added.
    for (const [bytes, mended] of [
      [5000, 5000],
      [-65_536, -65_536],
      [-2_000_000, 0],
    ] as const) {
      await ports.store.usage.update({ id }, { $set: { bytes } })
      await recount(ports, id)
      expect(await ports.store.usage.get(id)).toMatchObject({ bytes: mended })
    }
  } finally {
    await ports.store.close()
  }
})
