import { describe, expect, test } from 'vitest'
import { randomSuffix } from '#src/core/ids.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import { marketOn, order, orderThatIs, payAndTell, type Shop } from '#tests/support/orders.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** A shop whose agent is of an app. */
interface AppShop extends Shop {
  app_id: string
  /** The heart of the agent, and the manifest of the app, with this label on what it offers. */
  heart: (cta_label: string) => object
  manifest: (cta_label: string) => object
}

type Change = readonly [name: string, input: (shop: AppShop) => object, label: string]

const changes: readonly Change[] = [
  [
    'agent_apps.update',
    ({ app_id, manifest }) => ({ app_id, manifest: manifest('Third') }),
    'Third',
  ],
  ['agent_apps.rollback', ({ app_id }) => ({ app_id, revision: 1 }), 'First'],
  [
    'characters.update',
    ({ service: { char_id }, heart }) => ({ char_id, character: { heart: heart('Third') } }),
    'Third',
  ],
  ['tasks.update', ({ service }) => ({ ...service, task: { cta_label: 'Third' } }), 'Third'],
]

describe.each(oneStore())('a rating that comes while a change is decided, on $name', (kind) => {
  let world: World
  marketOn(kind, (market) => {
    world = market.world
  })

  /** The app has two revisions, of which the second changed the task. */
  const appShop = async (): Promise<AppShop> => {
    const seller = await world.account()
    const app_id = `app-${randomSuffix(8)}`
    const visibility = { profile_visibility: 'public' }
    const task = {
      task_id: 'portrait',
      name: 'Portrait',
      runtime: 'template',
      prompt: 'Drawn: {{input}}',
      service_enabled: true,
      price_cents: 100,
    }
    const heart = (cta_label: string): object => ({ tasks: [{ ...task, cta_label }] })
    const manifest = (cta_label: string): object => {
      const agents = [{ local_id: 'a', name: 'A', visibility, heart: heart(cta_label) }]
      return { manifest_version: 1, app_id, name: 'App', agents }
    }
    await world.ask('agent_apps.provision', { manifest: manifest('First') }, seller.key)
    const second = { app_id, manifest: manifest('Second') }
    await world.ask('agent_apps.update', second, seller.key)
    const service = { char_id: `${app_id}--a`, task_id: 'portrait' }
    return { seller, service, app_id, heart, manifest }
  }

  /** Buys it, and gives what rates it. */
  const bought = async (shop: Shop): Promise<(stars: number) => Promise<unknown>> => {
    const { order: made } = await order(world, shop)
    await payAndTell(world, made.checkout?.id ?? '')
    await orderThatIs(world, made, 'completed')
    const { id, token } = made
    return (stars) => world.ask('orders.rate', { order_id: id, token, stars })
  }

  /** The same world, where this happens just before the first commit. */
  const interrupted = (before: () => Promise<unknown>): World => {
    const { store } = world.ports
    let happening: Promise<unknown> | undefined
    return openWorld({
      ...store,
      async commit(writes) {
        await (happening ??= before())
        return store.commit(writes)
      },
    })
  }

  test.each(changes)('outlives %s, and counts', async (name, inputOf, label) => {
    const shop = await appShop()
    const { seller, service } = shop
    const [rateFirst, rateSecond] = await Promise.all([bought(shop), bought(shop)])
    await rateFirst(2)
    const slow = interrupted(() => rateSecond(5))
    await slow.ask(name, inputOf(shop), seller.key)
    expect(await world.ask<Task>('tasks.get', service, seller.key)).toMatchObject({
      cta_label: label,
      rating_summary: { average: 3.5, count: 2 },
    })
    // The next one is counted from it.
    const kept = await world.ports.store.tasks.get(`${service.char_id}/${service.task_id}`)
    expect(kept).toMatchObject({ rating_sum: 7 })
  })
})
