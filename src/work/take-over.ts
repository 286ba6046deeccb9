import type { AppRevision } from '#src/agents/app/app.ts'
import { manifestHash } from '#src/apps/app.ts'
import { maskManifest } from '#src/apps/secrets.ts'
import { revisionSecrets, sealedSecrets } from '#src/agents/app/sealed-secrets.ts'
import type { CharacterRevision } from '#src/agents/revision-record.ts'
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
import { DuplicateKey, Unmet, type Store, type Write } from '#src/ports/store.ts'
import { sealedForTask, secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'

/** Where the store keeps that nothing of before is left in it, in tools of tasks neither. */
const doneId = 'tools_sealed'
const atOnce = 100
const inOrder = { id: 1 } as const

type Needed = Pick<Ports, 'store' | 'sealer' | 'quotas'>

/** Whether nothing is left to be done. */
export async function isTakenOver({ meta }: Pick<Store, 'meta'>): Promise<boolean> {
  return (await meta.get(doneId)) !== undefined
}

/**
 * Seals what stores of before hold in clear: environments of tool servers, secrets of channels, and
 * environments and headers of the tools of tasks; of agents, of their revisions and of manifests. Done once for a store, before anybody is served from it; a
 * start that was broken off goes on with the next.
 * @returns how many documents held such a secret
 */
export async function settingsTakenOver(ports: Needed): Promise<number> {
  const { meta } = ports.store
  const count =
    (await agentsSealed(ports)) +
    (await tasksSealed(ports)) +
    (await revisionsMasked(ports)) +
    (await manifestsMasked(ports))
  await meta.insert({ id: doneId, value: 'done' }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
  return count
}

/** Whoever has changed a document meanwhile has sealed it. */
async function written({ store }: Needed, writes: readonly Write[]): Promise<boolean> {
  try {
    await store.commit(writes)
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}

async function agentsSealed(ports: Needed): Promise<number> {
  const { store, sealer, quotas } = ports
  let count = 0
  for (let after = ''; ;) {
    const page = await store.characters.find(
      { id: { $gt: after } },
      { sort: inOrder, limit: atOnce },
    )
    for (const agent of page) {
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
    const last = page.at(-1)
    if (!last || page.length < atOnce) return count
    after = last.id
  }
}

async function tasksSealed(ports: Needed): Promise<number> {
  const { store, sealer, quotas } = ports
  let count = 0
  for (let after = ''; ;) {
    const page = await store.tasks.find({ id: { $gt: after } }, { sort: inOrder, limit: atOnce })
    for (const task of page) {
      const found = cleared(task, toolPlaces)
      if (!found) continue
      const secrets = { ...secretsOf(task, sealer), ...found.secrets }
      const { id, revision } = task
      const sealed = sealedForTask(id, secrets, sealer)
      const $set = { tools: found.agent.tools, trigger_secrets: sealed }
      const writes: Write[] = [{ in: 'tasks', update: { id, revision }, change: { $set } }]
      if (!(await written(ports, writes))) continue
      quotas.addBytes(task.owner_id, sizeOf({ ...task, ...$set }) - sizeOf(task))
      count += 1
    }
    const last = page.at(-1)
    if (!last || page.length < atOnce) return count
    after = last.id
  }
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
  for (let after = ''; ;) {
    const page: CharacterRevision[] = await store.character_revisions.find(
      { id: { $gt: after } },
      { sort: inOrder, limit: atOnce },
    )
    for (const { id, character } of page) {
      // The text of a read of ours.
      const found = cleared<unknown>(JSON.parse(character))
      if (!found) continue
      const change = { $set: { character: JSON.stringify(found.agent) } }
      const update = { id, character }
      if (await written(ports, [{ in: 'character_revisions', update, change }])) count += 1
    }
    const last = page.at(-1)
    if (!last || page.length < atOnce) return count
    after = last.id
  }
}

/** A manifest is told from another by the hash of its masked text, which its app knows too. */
async function manifestsMasked(ports: Needed): Promise<number> {
  let count = 0
  for (let after = ''; ;) {
    const page: AppRevision[] = await ports.store.app_revisions.find(
      { id: { $gt: after } },
      { sort: inOrder, limit: atOnce },
    )
    for (const revision of page) if (await manifestMasked(ports, revision)) count += 1
    const last = page.at(-1)
    if (!last || page.length < atOnce) return count
    after = last.id
  }
}

async function manifestMasked(ports: Needed, revision: AppRevision): Promise<boolean> {
  const { store, sealer, quotas } = ports
  const { id, app_id, manifest: text, manifest_hash } = revision
  const { masked, secrets } = maskManifest(JSON.parse(text))
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
