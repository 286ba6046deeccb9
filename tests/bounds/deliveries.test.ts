import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postBytes } from '#src/feed/post.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const day = 86_400_000
const url = 'https://receiver.example/in'
const long = 'x'.repeat(3000)

describe.each(stores())('what is owed to addresses outside on $name', (kind) => {
  let world: World
  let work: Work
  let owner: { key: string; id: string }

  beforeEach(async () => {
    world = openWorld(await kind.open())
    work = startWork(world.ports, ['runner', 'scheduler'], 4)
    owner = await world.account()
  })
  afterEach(async () => {
    await work.stop()
    await world.ports.store.close()
  })

  const own = async () =>
    (await world.ports.quotas.usage({ accountId: owner.id, claimed: false })).stored_bytes
  const received = () => world.ports.quotas.received.of(owner.id)
  /** Waits for the end of all that is done here. */
  const owed = async (count: number): Promise<void> => {
    const { deliveries } = world.ports.store
    await until(async () => (await deliveries.count({})) === count)
    await work.stop()
  }
  const sent = async (): Promise<void> => {
    const { deliveries } = world.ports.store
    const $set = { status: 'delivered', due_at: null } as const
    for (const { id } of await deliveries.find({})) await deliveries.update({ id }, { $set })
  }
  /** What deliveries take as they are kept. */
  const size = async () => JSON.stringify(await world.ports.store.deliveries.find({})).length
  const passed = async (days: number) => {
    await upkeep(world.ports, new Date(Date.now() + days * day))
  }

  test('counts for the account for as long as it is kept', async () => {
    const agents = [{ local_id: 'a', name: 'Ada' }]
    const manifest = { app_id: 'news', name: long.slice(0, 80), agents, webhook: { url } }
    const before = await own()
    await world.ask('agent_apps.provision', { manifest }, owner.key)
    await owed(1)
    await sent()
    const counted = await own()
    expect(counted - before).toBeGreaterThan(await size())
    const kept = await size()
    await passed(29)
    expect(await own()).toBe(counted)
    await passed(31)
    expect(await world.ports.store.deliveries.count({})).toBe(0)
    expect(counted - (await own())).toBeGreaterThan(kept * 0.8)
  })

  test('counts for the stranger who has set it going', async () => {
    const brain = { hooks: [{ event: 'run.completed', action: `webhook:${url}` }] }
    const tasks = [
      {
        task_id: 'in',
        name: 'In',
        runtime: 'template',
        prompt: long,
        triggers: [{ type: 'webhook', config: { path: 'in' } }],
        social_posting: { enabled: true, channels: ['out'] },
      },
    ]
    const control = { channels: [{ name: 'out', type: 'webhook', config: { url } }] }
    const character = { id: 'ada', name: 'Ada', brain, control, heart: { tasks } }
    await world.ask('characters.create', { character }, owner.key)
    const before = await own()
    await world.ask('hooks.receive', { char_id: 'ada', path: 'in', body: 'hi' })
    await owed(2)
    const [run] = await world.ports.store.runs.find({})
    const posts = await world.ports.store.posts.find({})
    const rest = posts.reduce((sum, post) => sum + postBytes(post), run?.bytes ?? 0)
    expect((await received()) - rest).toBeGreaterThan((await size()) * 0.8)
    expect(await own()).toBe(before)
    await sent()
    await passed(31)
    expect(await world.ports.store.deliveries.count({})).toBe(0)
    expect(await received()).toBe(rest)
  })
})
