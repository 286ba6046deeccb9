import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  given,
  needsKey,
  staleRevision,
  type Case,
  type Made,
  type Stage,
} from '../case.ts'

const pause = 'characters.pause'
const resume = 'characters.resume'

const taskOf = (task_id: string, more: object = {}): object => ({
  task_id,
  name: task_id,
  runtime: 'template',
  prompt: 'Write.',
  triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }],
  ...more,
})

/** An agent with tasks that are on, off, and paused by themselves. */
async function working(stage: Stage): Promise<string> {
  const tasks = [taskOf('write'), taskOf('read'), taskOf('idle', { enabled: false }), taskOf('own')]
  const char_id = await agent(stage, 'ada', { heart: { tasks } })
  await stage.ask('tasks.pause', { char_id, task_id: 'own', reason: 'Own.' })
  return char_id
}

async function pausedAgent(stage: Stage): Promise<string> {
  const char_id = await working(stage)
  await stage.ask(pause, { char_id, reason: 'Holidays.' })
  return char_id
}

const scopedTo = (make: (stage: Stage) => Promise<string>) => async (stage: Stage) => {
  const char_id = await make(stage)
  await stage.scopeTo(char_id)
  return char_id
}

/** Of each task, whether it is on, and why not. */
const standing = ({ heart }: Made) =>
  Object.fromEntries(
    (heart.tasks as readonly Made[]).map(({ task_id, enabled, reliability }) => [
      task_id,
      enabled ? 'on' : ((reliability as Made | null)?.pause_reason ?? 'off'),
    ]),
  )

const reason = 'Paused with the agent: Holidays.'
const still = { write: reason, read: reason, idle: 'off', own: 'Own.' }

const refusals = (op: string): Case[] => [
  ...agentRefusals(op, (char_id) => ({ char_id })),
  ...needsKey(op, { char_id: 'ada' }),
  staleRevision(op, async (stage) => ({ char_id: await working(stage) })),
]

export const agentPauses: readonly Case[] = [
  given({
    op: pause,
    title: 'all of its tasks that are on are paused at once, and say so',
    as: 'scoped',
    given: scopedTo(working),
    input: (char_id) => ({ char_id, reason: 'Holidays.' }),
    answer: async (answer, char_id, stage) => {
      expect(standing(answer)).toEqual(still)
      expect(await stage.ask('characters.get', { char_id })).toEqual(answer)
      // Where nothing is on, nothing is changed.
      expect(await stage.ask(pause, { char_id })).toEqual(answer)
    },
  }),
  given({
    op: pause,
    title: 'a key that acts as the agent pauses no task that a quorum decides',
    as: 'scoped',
    given: scopedTo(async (stage) => {
      const quorum = {
        runtime: 'human_approval',
        quorum: { min_approvals: 1, approver_agent_ids: ['ada'] },
      }
      const tasks = [taskOf('write'), taskOf('decide', { ...quorum, triggers: [] })]
      return agent(stage, 'ada', { heart: { tasks } })
    }),
    input: (char_id) => ({ char_id }),
    refusal: 'owner_only',
  }),
  ...refusals(pause),
  given({
    op: resume,
    title: 'what was paused with it goes on, and what was off or paused by itself stays so',
    as: 'owner',
    given: async (stage) => {
      const char_id = await pausedAgent(stage)
      await stage.ask('tasks.pause', { char_id, task_id: 'read', reason: 'Later.' })
      return char_id
    },
    input: (char_id) => ({ char_id }),
    answer: async (answer, char_id, stage) => {
      expect(standing(answer)).toEqual({ write: 'on', read: 'Later.', idle: 'off', own: 'Own.' })
      expect(await stage.ask('characters.get', { char_id })).toEqual(answer)
      const { due_at } = (await stage.world.ports.store.tasks.get(`${char_id}/write`)) ?? {}
      expect(due_at).toEqual(expect.any(String))
      expect(await stage.ask(resume, { char_id })).toEqual(answer)
    },
  }),
  given({
    op: resume,
    title: 'with held: "drop" what waits for it is cancelled',
    as: 'owner',
    given: async (stage) => {
      const tasks = [taskOf('write', { triggers: [{ type: 'message' }] })]
      const char_id = await agent(stage, 'ada', { heart: { tasks } })
      const from = await agent(stage, 'grace')
      await stage.ask('friends.request', { char_id: from, friend_id: char_id })
      await stage.ask(pause, { char_id })
      const sent = await stage.ask('messages.send', { char_id: from, to: char_id, body: 'Hi' })
      return { char_id, run_id: String((sent.runs as unknown as string[])[0]) }
    },
    input: ({ char_id }) => ({ char_id, held: 'drop' }),
    answer: async (_, { run_id }, stage) => {
      expect(await stage.ask('runs.get', { run_id })).toMatchObject({ reason: 'dropped' })
    },
  }),
  given({
    op: resume,
    title: 'while its app is paused, its tasks wait for that',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('news')
      const heart = { tasks: [taskOf('write')] }
      const agents = [{ local_id: 'will', name: 'Will', heart }]
      const manifest = { manifest_version: 1, app_id, name: 'News', agents }
      const made = await stage.ask('agent_apps.provision', { manifest })
      const char_id = made.agents[0]?.id ?? ''
      await stage.ask(pause, { char_id })
      await stage.ask('agent_apps.pause', { app_id, reason: 'Closed.' })
      return { app_id, char_id }
    },
    input: ({ char_id }) => ({ char_id }),
    answer: async (answer, { app_id, char_id }, stage) => {
      expect(standing(answer)).toEqual({ write: `The app "${app_id}" is paused: Closed.` })
      await stage.ask('agent_apps.resume', { app_id })
      expect(standing(await stage.ask('characters.get', { char_id }))).toEqual({ write: 'on' })
    },
  }),
  ...refusals(resume),
]
