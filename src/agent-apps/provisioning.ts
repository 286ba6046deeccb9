import type { Context } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { sizeOf } from '#src/core/quotas.ts'
import type { Warning } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import { publicEdge } from '#src/friends/edge.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { appRevisionId, manifestHash, type AppRevision } from './app.ts'
import type { Manifest } from './manifest.ts'
import { planProvision, type Provision } from './plan.ts'
import { maskManifest } from './secrets.ts'

type Needed = Pick<Context<'key'>, 'caller' | 'clock' | 'sealer' | 'store'>

/** What provisioning a checked manifest writes: one commit, all or nothing. */
export async function provisionOf(
  { caller, clock, sealer, store }: Needed,
  raw: unknown,
  manifest: Manifest,
): Promise<{ plan: Provision; writes: Write[]; bytes: number }> {
  const now = timestamp(clock.now())
  const { masked, secrets } = maskManifest(raw)
  const text = JSON.stringify(masked)
  const hash = manifestHash(text)
  const planned = planProvision(manifest, {
    ownerId: caller.accountId,
    now,
    hash,
    makeTaskId: () => newId('tsk'),
    seal: (values, id) => sealer.seal(JSON.stringify(values), { id, purpose: 'trigger_secrets' }),
  })
  const plan = await continued(store, planned)
  const id = appRevisionId(plan.app.id, plan.app.revision)
  const isSecret = Object.keys(secrets).length > 0
  const revision: AppRevision = {
    id,
    app_id: plan.app.id,
    owner_id: caller.accountId,
    revision: plan.app.revision,
    manifest: text,
    secrets: isSecret
      ? sealer.seal(JSON.stringify(secrets), { id, purpose: 'manifest_secrets' })
      : null,
    manifest_hash: hash,
    actor: caller.keyId,
    created_at: now,
  }
  const { app, characters, tasks } = plan
  return {
    plan,
    bytes: sizeOf(app, revision, ...characters, ...tasks),
    writes: [
      { in: 'apps', insert: plan.app },
      { in: 'app_revisions', insert: revision },
      ...plan.characters.map((insert): Write => ({ in: 'characters', insert })),
      ...plan.tasks.map((insert): Write => ({ in: 'tasks', insert })),
      ...plan.edges.map((insert): Write => ({ in: 'edges', insert })),
    ],
  }
}

/** Everything begins beyond the revisions that things with the same ids had come to before. */
async function continued(store: Store, plan: Provision): Promise<Provision> {
  const { app, characters, tasks } = plan
  const ids = (all: readonly { id: string }[]): string[] => all.map(({ id }) => id)
  const [ofApp, ofAgent, ofTask] = await Promise.all([
    firstRevisions(store, 'apps', [app.id]),
    firstRevisions(store, 'characters', ids(characters)),
    firstRevisions(store, 'tasks', ids(tasks)),
  ])
  return {
    ...plan,
    app: { ...app, revision: ofApp(app.id) },
    characters: characters.map((one) => ({ ...one, revision: ofAgent(one.id) })),
    tasks: tasks.map((one) => ({ ...one, revision: ofTask(one.id) })),
  }
}

/** What provisioning answers. */
export function shownProvision(provision: Provision, warnings: Warning[]) {
  const { app, characters, tasks, edges, plan } = provision
  return {
    app,
    agents: characters.map(({ id, local_id, name }) => ({
      local_id: local_id ?? id,
      id,
      name,
      tasks: tasks.filter((task) => task.char_id === id).map((task) => task.task_id),
    })),
    connections: edges.map(publicEdge),
    team: app.team,
    warnings,
    plan,
  }
}
