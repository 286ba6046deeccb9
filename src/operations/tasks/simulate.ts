import * as z from 'zod'
import { ownApp } from '#src/apps/access.ts'
import { ownCharacter } from '#src/agents/access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { Simulation } from '#src/runs/simulations/answer.ts'
import { inPlace } from '#src/runs/simulations/places.ts'
import { Moment } from '#src/core/schema-parts.ts'
import { simulated } from '#src/runs/simulations/simulate.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

const dayMs = 86_400_000

export const simulate = operation({
  name: 'tasks.simulate',
  summary: 'Simulate some days of an agent or an app on a separate clock, with no effect.',
  description:
    'Lists fires, skips and handoffs with their reasons, as if every run succeeded at once; up ' +
    'to 500 of each are listed, and all are counted. With app_id all agents of the app are ' +
    'simulated. An account runs four simulations at once.',
  example: { char_id: 'ada', days: 7 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks/simulate' },
  toolsets: ['tasks'],
  input: z.strictObject({
    char_id: z.string().max(128),
    from: Moment.optional().describe('By default now.'),
    days: z.int().min(1).max(31).default(7),
    app_id: z.string().max(128).optional().describe('The app that the agent belongs to.'),
  }),
  output: Simulation,
  refuses: ['character_not_found', 'forbidden', 'app_not_found'],
  reads: true,

  async run({ char_id, from, days, app_id }, context) {
    const { store, clock, caller, signal } = context
    const agent = await ownCharacter(context, char_id)
    const agents = app_id === undefined ? [agent] : await agentsOf(context, app_id, agent)
    const rhythms = new Map(agents.map(({ id, heart }) => [id, rhythmOf(heart)]))
    const begin = from === undefined ? clock.now().getTime() : Date.parse(from)
    const span = { from: begin, to: begin + days * dayMs }
    return inPlace(caller.accountId, async () => {
      const tasks = await tasksOf({ store, clock }, [...rhythms.keys()])
      const players = tasks.map((task) => ({ task, rhythm: rhythms.get(task.char_id) ?? still }))
      return simulated(context, players, span, caller, signal)
    })
  },
})

const still = { heartbeat: null, timezone: null }

function rhythmOf(heart: StoredCharacter['heart']) {
  return { heartbeat: heart?.heartbeat_interval ?? null, timezone: heart?.timezone ?? null }
}

/** The agents of an app of the caller's that this agent belongs to. */
async function agentsOf(
  context: Context<'key'>,
  appId: string,
  agent: StoredCharacter,
): Promise<StoredCharacter[]> {
  if (context.caller.charId !== undefined) {
    return refuse('forbidden', 'A key that acts as one agent sees only the tasks of that agent.')
  }
  const app = await ownApp(context, appId)
  if (agent.app_id !== app.id) {
    const message = `The agent "${agent.id}" does not belong to the app "${app.id}".`
    const errors = [{ pointer: '/app_id', message, code: 'not_its_app' }]
    return refuse('invalid_input', message, { errors })
  }
  return context.store.characters.find({ app_id: app.id, owner_id: context.caller.accountId })
}
