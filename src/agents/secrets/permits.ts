import type { Ports } from '#src/core/context.ts'
import { addressNames, keyOrigins } from '#src/ports/model.ts'
import type { StoredCharacter } from '../character.ts'
import { openedAgent, openedTools } from '../sealed/keep.ts'
import { tasksOf } from '../tasks/tasks-of.ts'
import { fixedOrigin } from '../tasks/policy/targets.ts'
import type { StoredTask } from '../tasks/task.ts'
import { localOrigin } from './origins.ts'
import { sendingsOf, sendingText, type Opened, type Sending } from './sendings.ts'
import { opened, type KeptSecret, type SecretShelf } from './stored-secrets.ts'

/** A secret and an origin that only its owner may bring together. */
export interface Unpermitted {
  secret: string
  origin: string
}

/** What one reading of a task may send, as `secret origin`. */
const permitted = new WeakMap<StoredTask, ReadonlySet<string>>()

/** Whether a run may send a secret to an address or, as `local`, to a command, by what `unpermittedOf` found for this reading of its task. */
export function maySend(task: StoredTask, secret: string, address: string): boolean {
  const origin = address === localOrigin ? localOrigin : fixedOrigin(address)
  return origin !== undefined && (permitted.get(task)?.has(sendingText(secret, origin)) ?? false)
}

/**
 * What a run of this task would send where its owner has not said that it may go. Notes for this
 * reading of the task what it may send. @throws Unavailable
 */
export async function unpermittedOf(
  ports: Pick<Ports, 'store' | 'sealer' | 'clock'>,
  task: StoredTask,
): Promise<Unpermitted[]> {
  if (task.selected_secrets.length === 0) return []
  const { store, sealer } = ports
  const [shelf, agent] = await Promise.all([
    store.secrets.get(task.char_id),
    store.characters.get(task.char_id),
  ])
  if (!shelf || !agent) return []
  const sent = sendingsOf(openedOf(task, agent, sealer)).filter(({ secret }) =>
    Object.hasOwn(shelf.secrets, secret),
  )
  const home = homesOf(shelf, sealer)
  const direct = sent.filter((one) => isPermitted(shelf.secrets[one.secret], one, home))
  const open = sent.filter((one) => !direct.includes(one))
  const byOthers = open.length > 0 ? await ownersSendings(ports, task, agent) : new Set<string>()
  const isOwners = ({ secret, origin }: Sending): boolean =>
    byOthers.has(sendingText(secret, origin))
  const allowed = open.filter((one) =>
    isPermitted(shelf.secrets[one.secret], { ...one, isOwners: isOwners(one) }, home),
  )
  permitted.set(
    task,
    new Set([...direct, ...allowed].map((one) => sendingText(one.secret, one.origin))),
  )
  const left = open.flatMap(({ secret, origin }) =>
    origin === undefined ? [] : { secret, origin },
  )
  const missing = new Map(left.map((one) => [sendingText(one.secret, one.origin), one]))
  for (const one of allowed) missing.delete(sendingText(one.secret, one.origin))
  return [...missing.values()]
}

/** A task with its agent, and the secrets of their settings in place of masks. */
export function openedOf(
  task: StoredTask,
  agent: StoredCharacter,
  sealer: Ports['sealer'],
): Opened {
  const { tools } = openedTools(task, sealer)
  const servers = openedAgent(agent, sealer).brain?.mcps ?? []
  return { task, tools, servers, agentsWords: agent.by_agent ?? [] }
}

/** Where else the owner has a task of the agent send its secrets. */
async function ownersSendings(
  ports: Pick<Ports, 'store' | 'sealer' | 'clock'>,
  task: StoredTask,
  agent: StoredCharacter,
): Promise<ReadonlySet<string>> {
  const all = await tasksOf(ports, [task.char_id])
  const sent = all
    .filter(({ selected_secrets }) => selected_secrets.length > 0)
    .flatMap((one) => sendingsOf(openedOf(one, agent, ports.sealer)))
  return new Set(
    sent.filter(({ isOwners }) => isOwners).map((one) => sendingText(one.secret, one.origin)),
  )
}

/** The origins of each provider's key: the provider's own, and the address that the agent has for it. */
function homesOf(shelf: SecretShelf, sealer: Ports['sealer']): ReadonlyMap<string, string[]> {
  const own = Object.values(opened(shelf, addressNames, sealer)).flatMap(
    (address) => fixedOrigin(address) ?? [],
  )
  return new Map(
    Object.entries(keyOrigins).map(([name, origin]) => [
      name,
      [...(origin ? [origin] : []), ...(name.startsWith('OPENAI_') ? own : [])],
    ]),
  )
}

function isPermitted(
  kept: KeptSecret | undefined,
  { secret, origin, isOwners }: Sending,
  homes: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (!kept || origin === undefined) return false
  const home = homes.get(secret)
  if (kept.origins?.includes(origin) || home?.includes(origin)) return true
  return isOwners && !kept.bound && !home
}
