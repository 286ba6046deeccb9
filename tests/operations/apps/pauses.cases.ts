import { expect } from 'vitest'
import { given, needsKey, nowhere, staleRevision, type Case, type Stage } from '../case.ts'
import { appRefusals } from './refusals.ts'

const pause = 'agent_apps.pause'
const resume = 'agent_apps.resume'

const taskOf = (task_id: string, more: object = {}): object => ({
  task_id,
  name: task_id,
  prompt: 'Write.',
  triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }],
  ...more,
})

const manifestOf = (app_id: string, further: readonly object[] = []) => ({
  manifest_version: 1,
  app_id,
  name: 'Newsroom',
  agents: [
    {
      local_id: 'will',
      name: 'Will',
      heart: { tasks: [taskOf('write'), taskOf('idle', { enabled: false }), ...further] },
    },
  ],
})

interface Team {
  app_id: string
  char_id: string
}

async function provisioned(stage: Stage): Promise<Team> {
  const app_id = stage.id('news')
  const { agents } = await stage.ask('agent_apps.provision', { manifest: manifestOf(app_id) })
  return { app_id, char_id: agents[0]?.id ?? '' }
}

async function pausedTeam(stage: Stage): Promise<Team> {
  const team = await provisioned(stage)
  await stage.ask(pause, { app_id: team.app_id, reason: 'Holidays.' })
  return team
}

const task = (stage: Stage, { char_id }: Team, task_id = 'write') =>
  stage.ask('tasks.get', { char_id, task_id })

/** A team as it was made, for a key that acts as its agent. */
const scopedTo = (make: (stage: Stage) => Promise<Team>) => async (stage: Stage) => {
  const team = await make(stage)
  await stage.scopeTo(team.char_id)
  return team
}

const refusals = (op: string): Case[] => [
  ...appRefusals(op, async (stage) => (await provisioned(stage)).app_id),
  given({
    op,
    title: 'a key that acts as one of its agents may not',
    as: 'scoped',
    given: scopedTo(provisioned),
    input: ({ app_id }) => ({ app_id }),
    refusal: 'scope_forbidden',
  }),
  staleRevision(op, async (stage) => ({ app_id: (await provisioned(stage)).app_id })),
  ...needsKey(op, { app_id: nowhere }),
]

export const appPauses: readonly Case[] = [
  given({
    op: pause,
    title: 'its tasks are paused with it, say so, and it shows that too',
    as: 'owner',
    given: provisioned,
    input: ({ app_id }) => ({ app_id, reason: 'Holidays.' }),
    again: true,
    answer: async (answer, team, stage) => {
      const { app_id } = team
      expect(answer).toMatchObject({
        status: 'paused',
        pause: { reason: 'Holidays.' },
        revision: 1,
      })
      expect(await stage.ask('agent_apps.get', { app_id })).toMatchObject({
        status: 'paused',
        drift: [],
      })
      expect(await task(stage, team)).toMatchObject({
        enabled: false,
        reliability: { pause_reason: `The app "${app_id}" is paused: Holidays.` },
      })
      expect((await task(stage, team, 'idle')).reliability).toBeNull()
    },
  }),
  given({
    op: pause,
    title: 'pausing it again takes the new reason, and the time of the first',
    as: 'owner',
    given: pausedTeam,
    input: ({ app_id }) => ({ app_id }),
    answer: (answer) => expect(answer).toMatchObject({ pause: { reason: 'Paused on request.' } }),
  }),
  ...refusals(pause),
  given({
    op: resume,
    title: 'what was paused with it goes on, and what was off stays off',
    as: 'owner',
    given: pausedTeam,
    input: ({ app_id }) => ({ app_id }),
    again: true,
    answer: async (answer, team, stage) => {
      expect(answer).toMatchObject({ status: 'active', pause: null })
      const { enabled, reliability } = await task(stage, team)
      expect({ enabled, reason: reliability.pause_reason }).toEqual({ enabled: true, reason: null })
      expect(await task(stage, team, 'idle')).toMatchObject({ enabled: false })
    },
  }),
  given({
    op: resume,
    title: 'a task that was paused by itself meanwhile stays paused',
    as: 'owner',
    given: async (stage) => {
      const team = await pausedTeam(stage)
      await stage.ask('tasks.pause', { char_id: team.char_id, task_id: 'write', reason: 'Own.' })
      return team
    },
    input: ({ app_id }) => ({ app_id }),
    answer: async (_, team, stage) =>
      expect(await task(stage, team)).toMatchObject({
        enabled: false,
        reliability: { pause_reason: 'Own.' },
      }),
  }),
  given({
    op: resume,
    title: 'an app that is not paused stays as it is',
    as: 'owner',
    given: provisioned,
    input: ({ app_id }) => ({ app_id }),
    answer: (answer) => expect(answer).toMatchObject({ status: 'active' }),
  }),
  ...refusals(resume),
  given({
    op: 'agent_apps.update',
    title: 'a paused app stays paused, and what comes into it begins paused',
    as: 'owner',
    given: pausedTeam,
    input: ({ app_id }) => ({ app_id, manifest: manifestOf(app_id, [taskOf('new')]) }),
    answer: async (answer, team, stage) => {
      expect(answer).toMatchObject({
        app: { status: 'paused', pause: { reason: 'Holidays.' }, revision: 2 },
        warnings: [{ code: 'app_paused' }],
      })
      expect(await task(stage, team, 'new')).toMatchObject({ enabled: false })
      await stage.ask(resume, { app_id: team.app_id })
      expect(await task(stage, team, 'new')).toMatchObject({ enabled: true })
    },
  }),
  given({
    op: 'tasks.create',
    title: 'a new task in a paused app begins paused with it',
    as: 'owner',
    given: pausedTeam,
    input: ({ char_id }) => ({ char_id, task: taskOf('new') }),
    answer: (answer) => expect(answer).toMatchObject({ enabled: false }),
  }),
  given({
    op: 'tasks.resume',
    title: 'a key that acts as the agent does not resume what was paused with the app',
    as: 'scoped',
    given: scopedTo(pausedTeam),
    input: ({ char_id }) => ({ char_id, task_id: 'write' }),
    refusal: 'owner_only',
  }),
  given({
    op: 'tasks.update',
    title: 'nor does it enable that',
    as: 'scoped',
    given: scopedTo(pausedTeam),
    input: ({ char_id }) => ({ char_id, task_id: 'write', task: { enabled: true } }),
    refusal: 'owner_only',
  }),
]
