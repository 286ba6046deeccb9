import { appRevisionId, type App, type AppRevision } from '#src/agents/app/app.ts'
import { parseSteps } from '../parsed.ts'
import { items, members } from '#src/core/input/loose.ts'
import type { Standing } from '../plan.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import { settingsOf } from '#src/agents/sealed/keep.ts'
import type { Ports } from '#src/core/context.ts'
import { parsedSteps } from '#src/core/input/json-steps.ts'
import { inPortions, type Steps } from '#src/core/turns/portions.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import { byAge } from './match.ts'
import { revisionSecretSteps } from '#src/agents/app/sealed-secrets.ts'
import { unmaskSteps, type KeptManifest, type Live } from './unmask.ts'

type Needed = Pick<Ports, 'store' | 'sealer' | 'clock'>

/** The current state of an app, and the secrets behind the masks of a manifest for it. */
export interface StandingApp extends Standing {
  kept: KeptManifest
  live: Live
}

/** Reads the whole state of an app. @throws Unavailable */
export async function standingOf({ store, sealer, clock }: Needed, app: App): Promise<StandingApp> {
  const [characters, revision] = await Promise.all([
    store.characters.find({ app_id: app.id }),
    store.app_revisions.get(appRevisionId(app.id, app.revision)),
  ])
  const ids = characters.map(({ id }) => id)
  const [tasks, edges] = await Promise.all([
    tasksOf({ store, clock }, ids),
    store.edges.find({ char_id: { $in: ids } }),
  ])
  // A manifest has up to 5 MB.
  const kept = await inPortions(keptSteps(revision, sealer), clock)
  const whole = await inPortions(wholeSteps(kept, sealer), clock)
  const last = (await inPortions(parseSteps(whole), clock)).data
  const localIds = new Map(characters.map(({ id, local_id }) => [id, local_id ?? id]))
  return {
    app,
    characters,
    tasks,
    edges,
    secretsOf: (task) => secretsOf(task, sealer),
    settingsOf: (character) => settingsOf(character, sealer),
    last,
    still: stillOf(revision, characters),
    kept,
    live: {
      tasks: Map.groupBy(tasks.toSorted(byAge), ({ char_id }) => localIds.get(char_id) ?? char_id),
      agents: new Map(characters.map((one) => [one.local_id ?? one.id, one])),
    },
  }
}

/**
 * The same as far as it shows changes by hand: an agent that still has the revision with which it was
 * applied is as the manifest made it, with all its tasks, and is neither read nor compared.
 * @throws Unavailable
 */
export async function movedOf({ store, sealer, clock }: Needed, app: App): Promise<Standing> {
  const [rows, revision] = await Promise.all([
    store.characters.pick(['id', 'revision'], { app_id: app.id }),
    store.app_revisions.get(appRevisionId(app.id, app.revision)),
  ])
  const there = rows.map(([id, number]) => ({ id: String(id), revision: Number(number) }))
  const still = stillOf(revision, there)
  const moved = there.map(({ id }) => id).filter((id) => !still.has(id))
  const raw = await inPortions(movedSteps(revision, sealer, app, still), clock)
  const last = (await inPortions(parseSteps(raw), clock)).data
  const [characters, tasks, edges] = await Promise.all([
    moved.length > 0 ? store.characters.find({ id: { $in: moved } }) : [],
    tasksOf({ store, clock }, moved),
    last?.connections.length
      ? store.edges.find({ char_id: { $in: there.map(({ id }) => id) } })
      : [],
  ])
  return {
    app,
    characters,
    tasks,
    edges,
    secretsOf: (task) => secretsOf(task, sealer),
    settingsOf: (character) => settingsOf(character, sealer),
    last,
    still,
  }
}

/** The agents that still have the revision with which they were applied. */
function stillOf(
  revision: AppRevision | undefined,
  characters: readonly { id: string; revision: number }[],
): ReadonlySet<string> {
  const applied = new Map(revision?.agents?.map((one) => [one.id, one.revision]))
  const still = characters.filter((one) => applied.get(one.id) === one.revision)
  return new Set(still.map(({ id }) => id))
}

/** A stored manifest with its secrets; of agents that were not changed, only their names and ids. */
function* movedSteps(
  revision: AppRevision | undefined,
  sealer: Ports['sealer'],
  app: App,
  still: ReadonlySet<string>,
): Steps<unknown> {
  const kept = yield* keptSteps(revision, sealer)
  const raw = members(kept.masked)
  const asLeft = new Set<unknown>(
    app.agents.filter(({ id }) => still.has(id)).map(({ local_id }) => local_id),
  )
  const agents = items(raw.agents).map((agent) => {
    const { local_id, id, name } = members(agent)
    return asLeft.has(local_id) ? { local_id, id: id ?? null, name } : agent
  })
  return yield* unmaskSteps({ ...raw, agents }, kept, noAgents, sealer)
}

const noAgents: Live = { tasks: new Map(), agents: new Map() }

function* keptSteps(
  revision: AppRevision | undefined,
  sealer: Ports['sealer'],
): Steps<KeptManifest> {
  if (!revision) return { masked: {}, secrets: {} }
  const masked = yield* parsedSteps(revision.manifest)
  yield
  return { masked, secrets: yield* revisionSecretSteps(revision, sealer) }
}

/** A stored manifest as it was sent, with its secrets. */
export async function wholeManifest(
  { sealer, clock }: Pick<Needed, 'sealer' | 'clock'>,
  revision: AppRevision,
): Promise<unknown> {
  const kept = await inPortions(keptSteps(revision, sealer), clock)
  return inPortions(wholeSteps(kept, sealer), clock)
}

function wholeSteps(kept: KeptManifest, sealer: Ports['sealer']): Steps<unknown> {
  return unmaskSteps(kept.masked, kept, noAgents, sealer)
}
