import { sealedSecretSteps } from '#src/agents/app/sealed-secrets.ts'
import { sealedSettings } from '#src/agents/sealed/keep.ts'
import type { SettingSecrets } from '#src/agents/sealed/take.ts'
import { sealedForTask } from '#src/agents/tasks/replace-tasks.ts'
import type { TaskSecrets } from '#src/agents/tasks/secrets.ts'
import type { Context } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import type { Warning } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { textSteps } from '#src/core/input/text-steps.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import { publicEdge } from '#src/agents/friends/edge.ts'
import type { Store } from '#src/ports/store.ts'
import { appRevisionId, type AppRevision } from '#src/agents/app/app.ts'
import { manifestHash } from './app.ts'
import type { Manifest } from './manifest.ts'
import { provisionSteps, type Provision, type Standing } from './plan.ts'
import type { Planned } from './planned.ts'
import { webhookSecretPointer } from '#src/agents/app/vocabulary.ts'
import { maskSteps } from './secrets.ts'

/** The result of planning an apply. */
export interface Applying {
  provision: Provision
  /** The manifest as it is stored. */
  revision: AppRevision
  /** The secret of its webhook. */
  webhookSecret: string | null
}

/**
 * What applying a checked manifest would do; nothing is written here.
 * @param raw the manifest as sent, with its secrets
 * @param standing the current state; undefined if the app is new
 */
export async function applyingOf(
  { caller, clock, sealer, store }: Pick<Context<'key'>, 'caller' | 'clock' | 'sealer' | 'store'>,
  { raw, manifest }: { raw: unknown; manifest: Manifest },
  standing?: Standing,
  prune = false,
): Promise<Applying> {
  const now = timestamp(clock.now())
  const { masked, secrets } = await inPortions(maskSteps(raw), clock)
  const text = await inPortions(textSteps(masked), clock)
  await turnOf(clock)
  const hash = manifestHash(text)
  await turnOf(clock)
  const place = {
    ownerId: caller.accountId,
    now,
    hash,
    prune,
    author: caller,
    makeTaskId: () => newId('tsk'),
    seal: (values: TaskSecrets, id: string) => sealedForTask(id, values, sealer),
    sealSettings: (id: string, values: SettingSecrets) => sealedSettings(id, values, sealer),
  }
  const planned = await inPortions(provisionSteps(manifest, place, standing), clock)
  const provision = await continued(store, planned, standing)
  const id = appRevisionId(provision.app.id, provision.app.revision)
  const sealed = await inPortions(sealedSecretSteps(id, secrets, sealer), clock)
  const revision: AppRevision = {
    id,
    app_id: provision.app.id,
    owner_id: caller.accountId,
    revision: provision.app.revision,
    manifest: text,
    secrets: sealed,
    manifest_hash: hash,
    actor: caller.keyId,
    created_at: now,
  }
  return { provision, revision, webhookSecret: secrets[webhookSecretPointer] ?? null }
}

/** Each thing starts above the last revision of a deleted thing with the same id. */
async function continued(
  store: Store,
  provision: Provision,
  standing: Standing | undefined,
): Promise<Provision> {
  const { app, planned } = provision
  const added = (all: readonly Planned<{ id: string }>[]): string[] =>
    all.flatMap(({ next, previous }) => (previous ? [] : [next.id]))
  const [ofApp, ofAgent, ofTask] = await Promise.all([
    firstRevisions(store, 'apps', standing ? [] : [app.id]),
    firstRevisions(store, 'characters', added(planned.characters)),
    firstRevisions(store, 'tasks', added(planned.tasks)),
  ])
  const first = <T extends { id: string; revision: number }>(
    all: readonly Planned<T>[],
    revisionOf: (id: string) => number,
  ): Planned<T>[] =>
    all.map((one) =>
      one.previous ? one : { ...one, next: { ...one.next, revision: revisionOf(one.next.id) } },
    )
  const characters = first(planned.characters, ofAgent)
  const tasks = first(planned.tasks, ofTask)
  return {
    ...provision,
    app: standing ? app : { ...app, revision: ofApp(app.id) },
    characters: characters.map(({ next }) => next),
    tasks: tasks.map(({ next }) => next),
    planned: { ...planned, characters, tasks },
  }
}

/** The answer of applying a manifest. */
export function shownProvision(provision: Provision, warnings: Warning[]) {
  const { app, characters, tasks, edges, plan } = provision
  const tasksOf = Map.groupBy(tasks, ({ char_id }) => char_id)
  return {
    app,
    agents: characters.map(({ id, local_id, name }) => ({
      local_id: local_id ?? id,
      id,
      name,
      tasks: (tasksOf.get(id) ?? []).map((task) => task.task_id),
    })),
    connections: edges.map(publicEdge),
    team: app.team,
    warnings,
    plan,
  }
}
