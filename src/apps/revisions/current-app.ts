import { appRevisionId, type App, type AppRevision } from '#src/agents/app/app.ts'
import { Manifest } from '../manifest.ts'
import type { Standing } from '../plan.ts'
import { settingsOf } from '#src/agents/sealed/keep.ts'
import type { Ports } from '#src/core/context.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import { byAge } from './match.ts'
import { revisionSecrets } from '#src/agents/app/sealed-secrets.ts'
import { unmasked, type KeptManifest, type Live } from './unmask.ts'

type Needed = Pick<Ports, 'store' | 'sealer'>

/** An app as it stands, and what the masks of a manifest for it stand for. */
export interface StandingApp extends Standing {
  kept: KeptManifest
  live: Live
}

/** Reads all that there is of an app. @throws Unavailable */
export async function standingOf({ store, sealer }: Needed, app: App): Promise<StandingApp> {
  const [characters, revision] = await Promise.all([
    store.characters.find({ app_id: app.id }),
    store.app_revisions.get(appRevisionId(app.id, app.revision)),
  ])
  const ids = characters.map(({ id }) => id)
  const [tasks, edges] = await Promise.all([
    store.tasks.find({ char_id: { $in: ids } }),
    store.edges.find({ char_id: { $in: ids } }),
  ])
  const kept = keptManifest(revision, sealer)
  const localIds = new Map(characters.map(({ id, local_id }) => [id, local_id ?? id]))
  return {
    app,
    characters,
    tasks,
    edges,
    secretsOf: (task) => secretsOf(task, sealer),
    settingsOf: (character) => settingsOf(character, sealer),
    last: Manifest.safeParse(wholeManifest(revision, sealer)).data,
    kept,
    live: {
      tasks: Map.groupBy(tasks.toSorted(byAge), ({ char_id }) => localIds.get(char_id) ?? char_id),
      agents: new Map(characters.map((one) => [one.local_id ?? one.id, one])),
    },
  }
}

function keptManifest(revision: AppRevision | undefined, sealer: Ports['sealer']): KeptManifest {
  if (!revision) return { masked: {}, secrets: {} }
  const masked: unknown = JSON.parse(revision.manifest)
  return { masked, secrets: revisionSecrets(revision, sealer) }
}

/** A kept manifest as it was sent, with its secrets. */
export function wholeManifest(revision: AppRevision | undefined, sealer: Ports['sealer']): unknown {
  const kept = keptManifest(revision, sealer)
  return unmasked(kept.masked, kept, { tasks: new Map(), agents: new Map() }, sealer)
}
