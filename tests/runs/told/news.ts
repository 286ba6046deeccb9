import { newsWrite } from '#src/runs/told/news.ts'
import { deliverer } from '#src/work/deliveries.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import { until } from '#tests/support/until.ts'
import type { World } from '#tests/support/world.ts'

/** So many runs of an account fail. @param first numbers the first of them */
export function runsFail(
  { ports }: World,
  owner_id: string,
  many: number,
  { first = 0, task_id = 't' } = {},
): Promise<void> {
  const items = Array.from({ length: many }, (_, nth) => ({
    kind: 'run_failed' as const,
    char_id: 'ada',
    task_id,
    run_id: `run_${first + nth}`,
    approval_id: null,
  }))
  const news = { owner_id, kind: 'run_failed' as const, count: many, items }
  return ports.store.commit([newsWrite(news, ports.clock.now())])
}

/** What is to be sent to a person. */
export function owedTo({ ports }: World, told_person: string): Promise<StoredDelivery[]> {
  return ports.store.deliveries.find({ told_person })
}

/** What is due to be sent to a person is tried once. */
export async function sentTo(world: World, person: string): Promise<void> {
  const sending = deliverer(world.ports, () => undefined)
  await sending.tick()
  await until(async () => (await owedTo(world, person)).every(({ claim }) => claim === null))
  await sending.stop()
}
