import { deletionLogged } from '#src/events/log/also.ts'
import { agentBytes, taskBytes } from '#src/agents/counted.ts'
import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { inPlace } from '#src/apps/places.ts'
import { ownApp } from '#src/apps/access.ts'
import type { App } from '#src/agents/app/app.ts'
import { lifecycleData } from '#src/apps/lifecycle.ts'
import { appDelivery } from '#src/agents/app/webhook.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Removal } from '#src/agents/removal.ts'
import { removalOf } from '#src/departures/agent.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { sizeSteps } from '#src/core/counts/size-steps.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { inPieces } from '#src/core/turns/pieces.ts'
import { timestamp } from '#src/core/time.ts'
import { buried } from '#src/core/tombstones.ts'
import { Unmet, type Write } from '#src/ports/store.ts'

const Gone = z.object({ id: z.string(), action: z.enum(['deleted', 'kept', 'missing']) })

export const teardown = operation({
  name: 'agent_apps.teardown',
  summary: 'Tear down an app with its agents, or with keep_agents only the app.',
  description: 'What is kept stays with the account; local ids in its tasks no longer resolve.',
  use: 'Everything that the app created goes.',
  example: { app_id: 'newsroom', keep_agents: false },
  auth: 'key',
  http: { method: 'DELETE', path: '/api/agent-apps/{app_id}' },
  toolsets: ['core', 'apps'],
  input: z.strictObject({ app_id: z.string().max(128), keep_agents: z.boolean().default(false) }),
  output: z.object({ app_id: z.string(), deleted: z.literal(true), agents: z.array(Gone) }),
  refuses: ['app_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],
  destructive: true,

  run({ app_id, keep_agents }, context) {
    const attempt = async () => {
      const app = await ownApp(context, app_id)
      mustBe(app.revision, context.expected)
      const characters = await context.store.characters.find({ app_id })
      const found = new Set(characters.map(({ id }) => id))
      const removal = keep_agents
        ? await releaseOf(context, app, characters)
        : await removalOf(context, characters)
      const action = keep_agents ? ('kept' as const) : ('deleted' as const)
      const agents = app.agents.map(({ id }) => ({
        id,
        action: found.has(id) ? action : ('missing' as const),
      }))
      const kept = await revisionBytesOf(context, app_id)
      const burial = await buried(context.store, 'apps', [app], context.clock.now())
      const told = {
        type: 'agent_app.torn_down',
        data: lifecycleData(app, context.caller.keyId),
        now: context.clock.now(),
      }
      const insert = await appDelivery(context, app, told)
      const writes: Write[] = [
        { in: 'apps', update: { id: app_id, revision: app.revision }, change: bind(app) },
        { in: 'apps', delete: { id: app_id } },
        { in: 'app_revisions', delete: { app_id } },
        context.quotas.counted('apps', -1, context.caller),
        ...burial.writes,
        ...removal.writes,
        ...deletionLogged('app', [app], told.now),
        ...(insert ? [{ in: 'deliveries', insert } as const] : []),
      ]
      const gone = { app_id, deleted: true as const, agents }
      const bytes = burial.bytes - removal.bytes - sizeOf(app) - kept
      const note = { operation: 'agent_apps.teardown', about: { app_id } }
      const done = commitAudited(context, gone, writes, note, { bytes })
      const answer = await done.catch((cause: unknown) => {
        const isFull = cause instanceof Unmet && cause.in === 'usage'
        throw isFull ? context.quotas.exceeded('agents', context.caller) : cause
      })
      await removal.finish()
      return answer
    }
    return inPlace(context, () => retryUnmet(attempt))
  },
})

/**
 * The bytes that the revisions of an app count. Each is read in its own turn of the event loop: a
 * manifest has up to 5 MB.
 */
async function revisionBytesOf({ store, clock }: Context<'key'>, app_id: string): Promise<number> {
  let bytes = 0
  for (const [id] of await store.app_revisions.pick(['id'], { app_id })) {
    bytes += await inPortions(sizeSteps(await store.app_revisions.get(String(id))), clock)
  }
  return bytes
}

/** Bound to the revision, so that what is deleted is what was decided on. */
function bind({ revision }: App): { $set: { revision: number } } {
  return { $set: { revision } }
}

/** Agents that outlive their app become ordinary agents of the account. */
async function releaseOf(
  { store, clock, quotas, caller }: Context<'key'>,
  app: App,
  characters: readonly StoredCharacter[],
): Promise<Removal> {
  const ids = characters.map(({ id }) => id)
  const $set = { app_id: null, local_id: null, updated_at: timestamp(clock.now()) }
  const released = { $set: { app_id: null } }
  const tasks: string[] = []
  let less = 0
  for await (const piece of inPieces(clock, store.tasks, { char_id: { $in: ids } })) {
    tasks.push(...piece.map(({ id }) => id))
    less += taskBytes(piece) - taskBytes(piece.map((one) => ({ ...one, ...released.$set })))
  }
  const edges = await store.edges.find({ char_id: { $in: ids } })
  return {
    writes: [
      ...ids.map((id): Write => ({
        in: 'characters',
        update: { id, app_id: app.id },
        change: { $set, $inc: { revision: 1 } },
      })),
      ...tasks.map((id): Write => ({ in: 'tasks', update: { id }, change: released })),
      ...edges.map(({ id }): Write => ({ in: 'edges', update: { id }, change: released })),
      quotas.counted('agents', ids.length, caller),
    ],
    // They lose the names of their app; edges count against no quota.
    bytes:
      less + agentBytes(characters) - agentBytes(characters.map((one) => ({ ...one, ...$set }))),
    finish: () => Promise.resolve(),
  }
}
