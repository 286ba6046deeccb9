import { openedOf } from '#src/agents/secrets/permits.ts'
import { asRead } from '#src/agents/secrets/remove.ts'
import { sendingsOf } from '#src/agents/secrets/sendings.ts'
import { withOrigins, type SecretShelf } from '#src/agents/secrets/stored-secrets.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import type { Ports } from '#src/core/context.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Filter } from '#src/ports/filter.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'

/** Where the store keeps that it is done. */
const doneId = 'secret_origins'
const atOnce = { sort: { id: 1 }, limit: 100, charactersAtMost: 2 ** 20 } as const

type Needed = Pick<Ports, 'store' | 'sealer' | 'quotas' | 'clock'>

/** Whether the secrets of the store have the origins that its tasks name. */
export async function areOriginsTakenOver({ meta }: Pick<Store, 'meta'>): Promise<boolean> {
  return (await meta.get(doneId)) !== undefined
}

/**
 * Gives the secrets of stores of before the origins to which their tasks send them, so that no run waits that
 * went on without its owner before. Done once for a store; a start that was broken off goes on with the next.
 * @returns how many agents have such secrets
 */
export async function originsTakenOver(ports: Needed): Promise<number> {
  const { store } = ports
  let count = 0
  for (let after = ''; ;) {
    const next: Filter<SecretShelf> = { id: { $gt: after } }
    const shelves = await store.secrets.find(next, atOnce)
    for (const { id } of shelves) if (await retryUnmet(() => takenOver(ports, id))) count += 1
    const last = shelves.at(-1)
    if (!last) break
    after = last.id
  }
  await store.meta.insert({ id: doneId, value: 'done' }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
  return count
}

async function takenOver(ports: Needed, charId: string): Promise<boolean> {
  const shelf = await ports.store.secrets.get(charId)
  const whole = shelf && (await withTasksOrigins(ports, shelf))
  if (!whole) return false
  await ports.store.commit([{ in: 'secrets', update: asRead(shelf), replace: whole }])
  ports.quotas.addBytes(shelf.owner_id, sizeOf(whole) - sizeOf(shelf))
  return true
}

/** The shelf with the origins that the tasks of its agent name; undefined if they name none. */
async function withTasksOrigins(
  ports: Needed,
  shelf: SecretShelf,
): Promise<SecretShelf | undefined> {
  const agent = await ports.store.characters.get(shelf.id)
  if (!agent) return undefined
  const tasks = await tasksOf(ports, [shelf.id])
  const sent = tasks
    .flatMap((task) => sendingsOf(openedOf(task, agent, ports.sealer)))
    .flatMap(({ secret, origin }) => (origin === undefined ? [] : { secret, origin }))
    .filter(({ secret }) => Object.hasOwn(shelf.secrets, secret))
  return sent.length > 0 ? withOrigins(shelf, sent) : undefined
}
