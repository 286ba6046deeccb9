import { commitAudited } from '#src/accounts/audit/commit.ts'
import type { App } from '#src/agents/app/app.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { mustBe } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { ownApp } from '../access.ts'

type Needed = Context<'key'>

/** An app as it was read, with what its pause is decided on. */
export interface Team {
  app: App
  agents: { id: string; revision: number }[]
  /** The heartbeat_interval of each agent, by id. */
  heartbeats: ReadonlyMap<string, string | null>
  tasks: StoredTask[]
}

/** @throws Refusal `app_not_found`, `forbidden`, `revision_mismatch` */
export async function teamOf(context: Needed, appId: string): Promise<Team> {
  const app = await ownApp(context, appId)
  mustBe(app.revision, context.expected)
  const paths = ['id', 'revision', 'heart.heartbeat_interval'] as const
  const rows = await context.store.characters.pick(paths, { app_id: app.id })
  const agents = rows.map(([id, revision]) => ({ id: String(id), revision: Number(revision) }))
  const heartbeats = new Map(
    rows.map(([id, , heartbeat]): [string, string | null] => [
      String(id),
      typeof heartbeat === 'string' ? heartbeat : null,
    ]),
  )
  const tasks = await tasksOf(
    context,
    agents.map(({ id }) => id),
  )
  return { app, agents, heartbeats, tasks }
}

/** One commit, conditional on the app and on the revisions of its agents: so no task is added meanwhile. */
export function stored(
  context: Needed,
  { app, agents }: Team,
  $set: Pick<App, 'status' | 'pause'>,
  writes: readonly Write[],
  operation: string,
): Promise<Answer<App>> {
  const { id, revision, status } = app
  const now = timestamp(context.clock.now())
  const next = { ...app, ...$set }
  const all: Write[] = [
    { in: 'apps', update: { id, revision, status }, change: { $set } },
    ...agents.map((agent) => touched(agent, now)),
    ...writes,
  ]
  const note = { operation, about: { app_id: id } }
  return commitAudited(context, next, all, note, { revision, bytes: sizeOf(next) - sizeOf(app) })
}
