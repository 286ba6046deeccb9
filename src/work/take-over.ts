import type { AppRevision } from '#src/agents/app/app.ts'
import { manifestHash } from '#src/apps/app.ts'
import { maskSteps } from '#src/apps/secrets.ts'
import { revisionSecrets, sealedSecrets } from '#src/agents/app/sealed-secrets.ts'
import { sealedSettings, settingsOf } from '#src/agents/sealed/keep.ts'
import {
  isMask,
  placesWithTools,
  secretsAt,
  toolPlaces,
  type SettingPlace,
} from '#src/agents/sealed/places.ts'
import type { Ports } from '#src/core/context.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Filter } from '#src/ports/filter.ts'
import { DuplicateKey, Unmet, type Collection, type Store, type Write } from '#src/ports/store.ts'
import { sealedForTask, secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import { callsOf } from '#src/agents/tasks/calls.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Where the store keeps that nothing of before is left in it. */
const doneId = 'tasks_called'
const atOnce = { sort: { id: 1 }, limit: 100, charactersAtMost: 2 ** 20 } as const

type Needed = Pick<Ports, 'clock' | 'store' | 'sealer' | 'quotas'>

/** Whether nothing is left to be done. */
export async function isTakenOver({ meta }: Pick<Store, 'meta'>): Promise<boolean> {
  return (await meta.get(doneId)) !== undefined
}

/**
 * Seals what stores of before hold in clear: environments of tool servers, secrets of channels, and
 * environments and headers of the tools of tasks; of agents, of their revisions and of manifests. Notes what
 * calls the tasks of before wait for. Done once for a store, before anybody is served from it; a start that
 * was broken off goes on with the next.
 * @returns how many documents held such a secret
 */
export async function settingsTakenOver(ports: Needed): Promise<number> {
  const { meta } = ports.store
  const count =
    (await agentsSealed(ports)) +
    (await tasksTaken(ports)) +
    (await revisionsMasked(ports)) +
    (await manifestsMasked(ports))
  await meta.insert({ id: doneId, value: 'done' }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
  return count
}

/** @returns false where another writer has changed a document meanwhile, and so has sealed it */
async function written({ store }: Needed, writes: readonly Write[]): Promise<boolean> {
  try {
    await store.commit(writes)
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}

/** Every document of a collection, one after the other. */
async function* allOf<T extends { id: string }>(collection: Pick<Collection<T>, 'find'>) {
  for (let after = ''; ;) {
    // An id is a member of every T.
    const next = { id: { $gt: after } } as unknown as Filter<T>
    const found = await collection.find(next, atOnce)
    yield* found
    const last = found.at(-1)
    if (!last) return
    after = last.id
  }
}

async function agentsSealed(ports: Needed): Promise<number> {
  const { store, sealer, quotas } = ports
  let count = 0
  for await (const agent of allOf(store.characters)) {
    const found = cleared(agent)
    if (!found) continue
    const secrets = { ...settingsOf(agent, sealer), ...found.secrets }
    const sealed = sealedSettings(agent.id, secrets, sealer)
    const { brain, control } = found.agent
    const $set = { brain, control, settings_secrets: sealed }
    const { id, revision } = agent
    const writes: Write[] = [{ in: 'characters', update: { id, revision }, change: { $set } }]
    if (!(await written(ports, writes))) continue
    quotas.addBytes(agent.owner_id, sizeOf({ ...agent, ...$set }) - sizeOf(agent))
    count += 1
  }
  return count
}

/** Tasks of before do not tell which calls they wait for, either. */
async function tasksTaken(ports: Needed): Promise<number> {
  const { store, sealer, quotas } = ports
  let count = 0
  for await (const task of allOf(store.tasks)) {
    const { id, revision } = task
    const found = cleared(task, toolPlaces)
    const $set: Partial<StoredTask> = {}
    if (found) {
      const secrets = { ...secretsOf(task, sealer), ...found.secrets }
      $set.tools = found.agent.tools
      $set.trigger_secrets = sealedForTask(id, secrets, sealer)
    }
    const calls = callsOf(task)
    if (JSON.stringify(calls) !== JSON.stringify(task.awaited_calls ?? null)) {
      $set.awaited_calls = calls
    }
    if (Object.keys($set).length === 0) continue
    const writes: Write[] = [{ in: 'tasks', update: { id, revision }, change: { $set } }]
    if (!(await written(ports, writes))) continue
    quotas.addBytes(task.owner_id, sizeOf({ ...task, ...$set }) - sizeOf(task))
    if (found) count += 1
  }
  return count
}

/** An agent or a task with masks in place of the secrets that stand in it, and these; undefined where none does. */
function cleared<T>(
  agent: T,
  placesOf: (agent: T) => SettingPlace[] = placesWithTools,
): { agent: T; secrets: Record<string, string> } | undefined {
  const masked = structuredClone(agent)
  const found = secretsAt(placesOf(masked)).filter(({ value }) => !isMask(value))
  if (found.length === 0) return undefined
  for (const { holder, name } of found) holder[name] = secretMask
  const secrets = Object.fromEntries(found.map(({ pointer, value }) => [pointer, value]))
  return { agent: masked, secrets }
}

/** A revision holds no secret: what is restored keeps those that the agent has. */
async function revisionsMasked(ports: Needed): Promise<number> {
  const { store } = ports
  let count = 0
  for await (const { id, character } of allOf(store.character_revisions)) {
    // Stored by this server, so it is JSON.
    const found = cleared<unknown>(JSON.parse(character))
    if (!found) continue
    const change = { $set: { character: JSON.stringify(found.agent) } }
    const update = { id, character }
    if (await written(ports, [{ in: 'character_revisions', update, change }])) count += 1
  }
  return count
}

/** A manifest is told from another by the hash of its masked text, which its app knows too. */
async function manifestsMasked(ports: Needed): Promise<number> {
  let count = 0
  for await (const revision of allOf(ports.store.app_revisions)) {
    if (await manifestMasked(ports, revision)) count += 1
  }
  return count
}

async function manifestMasked(ports: Needed, revision: AppRevision): Promise<boolean> {
  const { store, sealer, quotas } = ports
  const { id, app_id, manifest: text, manifest_hash } = revision
  const { masked, secrets } = await inPortions(maskSteps(JSON.parse(text)), ports.clock)
  const clear = Object.entries(secrets).filter(([, value]) => !isMask(value))
  if (clear.length === 0) return false
  const all = { ...revisionSecrets(revision, sealer), ...Object.fromEntries(clear) }
  const manifest = JSON.stringify(masked)
  const hash = manifestHash(manifest)
  const $set = { manifest, manifest_hash: hash, secrets: sealedSecrets(id, all, sealer) }
  const writes: Write[] = [{ in: 'app_revisions', update: { id, manifest_hash }, change: { $set } }]
  const app = await store.apps.get(app_id)
  if (app?.revision === revision.revision && app.manifest_hash === manifest_hash) {
    const update = { id: app_id, revision: app.revision }
    writes.push({ in: 'apps', update, change: { $set: { manifest_hash: hash } } })
  }
  if (!(await written(ports, writes))) return false
  quotas.addBytes(revision.owner_id, sizeOf({ ...revision, ...$set }) - sizeOf(revision))
  return true
}
