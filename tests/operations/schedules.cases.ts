import { expect } from 'vitest'
import type { UpcomingFire } from '#src/runs/schedules/outlook.ts'
import {
  agentRefusals,
  agentWithTask,
  agent,
  given,
  needsKey,
  nowhere,
  staleRevision,
  type Case,
  type Stage,
} from './case.ts'

const daily = { triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }] }
const close = ['0 9 * * *', '30 9 * * *'].map((cron) => ({ type: 'cron', config: { cron } }))
const scheduled = (
  stage: Stage,
  more: object = {},
): Promise<{ char_id: string; task_id: string }> => agentWithTask(stage, { ...daily, ...more })

const taskRefusals = (op: string): Case[] => [
  ...agentRefusals(op, (char_id) => ({ char_id, task_id: 'digest' })),
  given({
    op,
    title: 'a task that the agent does not have is not found',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, task_id: nowhere }),
    refusal: 'task_not_found',
  }),
]

const asScoped = async (stage: Stage): Promise<{ char_id: string; task_id: string }> => {
  const subject = await scheduled(stage)
  await stage.scopeTo(subject.char_id)
  return subject
}

const pausing: Case[] = [
  given({
    op: 'tasks.pause',
    title: 'a paused task is disabled and keeps the reason, also where it asked for no reliability',
    as: 'scoped',
    given: asScoped,
    input: (subject) => ({ ...subject, reason: 'The source is being moved.' }),
    answer: async (answer, subject, stage) => {
      expect(answer).toMatchObject({
        enabled: false,
        revision: 2,
        reliability: { pause_reason: 'The source is being moved.', overlap_policy: 'allow' },
      })
      expect(await stage.ask('tasks.get', subject)).toEqual(answer)
    },
  }),
  given({
    op: 'tasks.pause',
    title: 'without a reason it says that it was asked to',
    as: 'owner',
    given: (stage) => scheduled(stage, { reliability: { max_jitter_seconds: 60 } }),
    input: (subject) => subject,
    answer: (answer) =>
      expect(answer.reliability).toMatchObject({
        pause_reason: 'Paused on request.',
        max_jitter_seconds: 60,
      }),
  }),
  given({
    op: 'tasks.pause',
    title: 'an empty reason is refused',
    as: 'owner',
    given: (stage) => scheduled(stage),
    input: (subject) => ({ ...subject, reason: '' }),
    refusal: 'invalid_input',
  }),
  ...taskRefusals('tasks.pause'),
  staleRevision('tasks.pause', (stage) => scheduled(stage)),
  ...needsKey('tasks.pause', { char_id: nowhere, task_id: nowhere }),
  given({
    op: 'tasks.resume',
    title: 'a resumed task is enabled, and the reason is gone',
    as: 'owner',
    given: async (stage) => {
      const subject = await scheduled(stage)
      await stage.ask('tasks.pause', subject)
      return subject
    },
    input: (subject) => subject,
    answer: async (answer, subject, stage) => {
      expect(answer).toMatchObject({ enabled: true, revision: 3 })
      expect(answer.reliability.pause_reason).toBeNull()
      const { next } = await stage.ask('tasks.schedule', subject)
      expect(next[0]).toMatchObject({ comes: true })
    },
  }),
  ...taskRefusals('tasks.resume'),
  staleRevision('tasks.resume', (stage) => scheduled(stage)),
]

const skipping: Case[] = [
  given({
    op: 'tasks.skip_next',
    title: 'the next fire is skipped, and the one after it is not',
    as: 'owner',
    given: (stage) => scheduled(stage),
    input: (subject) => subject,
    answer: async (answer, subject, stage) => {
      const { next } = await stage.ask('tasks.schedule', subject)
      expect(answer.skip_next_run_at).toBe(next[0]?.fires_at)
      expect(next[0]).toMatchObject({ comes: false, reason: 'skip_next' })
      expect(next[1]).toMatchObject({ comes: true, reason: null })
    },
  }),
  given({
    op: 'tasks.skip_next',
    title: 'where nothing is scheduled there is nothing to skip',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (subject) => subject,
    refusal: 'nothing_scheduled',
    error: (error) => expect(error.hint).toContain('tasks.schedule'),
  }),
  ...taskRefusals('tasks.skip_next'),
  staleRevision('tasks.skip_next', (stage) => scheduled(stage)),
]

const looking: Case[] = [
  given({
    op: 'tasks.schedule',
    title: 'ten fires ahead, and when the next one comes, in words',
    as: 'scoped',
    given: asScoped,
    input: (subject) => subject,
    answer: (answer) => {
      expect(answer).toMatchObject({ state: 'scheduled', timezone: 'UTC', last: [] })
      expect(answer.next).toHaveLength(10)
      expect(answer.counters).toEqual({ fired: 0, skipped: {} })
      expect(answer.message).toBe(`It comes next at ${answer.next[0]?.fires_at}.`)
    },
  }),
  given({
    op: 'tasks.schedule',
    title: 'a paused task says why it does not fire, and so does each of its fires',
    as: 'owner',
    given: async (stage) => {
      const subject = await scheduled(stage)
      await stage.ask('tasks.pause', { ...subject, reason: 'Holidays.' })
      return subject
    },
    input: (subject) => subject,
    answer: (answer, { char_id, task_id }) => {
      const resume = `\`tasks.resume {"char_id":"${char_id}","task_id":"${task_id}"}\``
      expect(answer).toMatchObject({
        state: 'paused',
        message: `The task is paused: Holidays. ${resume} enables it.`,
      })
      expect(answer.next[0]).toMatchObject({ comes: false, reason: 'task_disabled' })
    },
  }),
  ...(
    [
      ['a disabled one', { ...daily, enabled: false }, 'disabled'],
      ['one for requests only', { ...daily, autonomy: 'manual' }, 'autonomy_manual'],
      ['one without a schedule', { triggers: [{ type: 'message' }] }, 'no_schedule'],
      [
        'one whose window is never open then',
        { ...daily, reliability: { active_window: { start: '10:00', end: '11:00' } } },
        'outside_window',
      ],
    ] as const
  ).map(([what, task, state]) =>
    given({
      op: 'tasks.schedule',
      title: `${what} says so`,
      as: 'owner',
      given: (stage) => agentWithTask(stage, task),
      input: (subject) => subject,
      answer: (answer) => {
        expect(answer.state).toBe(state)
        expect(answer.message.length).toBeGreaterThan(20)
      },
    }),
  ),
  ...taskRefusals('tasks.schedule'),
]

const bad = (title: string, input: object, pointer: string): Case =>
  given({
    op: 'schedules.preview',
    title,
    as: 'owner',
    input: () => ({ cron: '0 9 * * *', ...input }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe(pointer),
  })

const previewing: Case[] = [
  given({
    op: 'schedules.preview',
    title: 'a pattern is shown with its window and the most that jitter adds',
    as: 'owner',
    input: () => ({
      cron: '0 * * * *',
      timezone: 'Asia/Kathmandu',
      reliability: {
        max_jitter_seconds: 600,
        active_window: { start: '09:00', end: '10:00' },
      },
      count: 48,
    }),
    answer: ({ next }) => {
      expect(next).toHaveLength(48)
      // Kathmandu is 5 hours and 45 minutes ahead.
      expect(
        next.filter(({ comes }) => comes).map(({ fires_at }) => fires_at.slice(11, 16)),
      ).toEqual(['04:00', '04:00'])
      const [first] = next
      expect(Date.parse(first?.latest_at ?? '') - Date.parse(first?.fires_at ?? '')).toBe(600_000)
    },
  }),
  ...['Europe/Berlin', 'Etc/UTC'].map((timezone) =>
    given({
      op: 'schedules.preview',
      title: `a pattern is read in UTC, which is told to who sends ${timezone} of the agent alone`,
      as: 'owner',
      input: () => ({ cron: '0 9 * * 1-5', timezone, count: 1 }),
      answer: ({ warnings }) =>
        expect(warnings?.map(({ code }) => code)).toEqual(
          timezone === 'Etc/UTC' ? undefined : ['pattern_in_utc'],
        ),
    }),
  ),
  bad('a sixth field is refused', { cron: '0 0 9 * * *' }, '/cron'),
  bad('every minute is refused', { cron: '* * * * *' }, '/cron'),
  bad('half hours are refused', { cron: '0,30 * * * *' }, '/cron'),
  bad('a nickname is refused', { cron: '@hourly' }, '/cron'),
  bad('a day that no month has is refused', { cron: '0 0 30 2 *' }, '/cron'),
  given({
    op: 'schedules.preview',
    title: 'a pattern is read in the zone of its trigger, and both times are shown',
    as: 'owner',
    input: () => ({ cron: '30 9 * * *', cron_timezone: 'Asia/Kathmandu', count: 1 }),
    answer: ({ next }) =>
      expect(next).toMatchObject([
        {
          at: expect.stringMatching(/T03:45:00\.000Z$/),
          local_at: expect.stringMatching(/T09:30:00\+05:45$/),
          timezone: 'Asia/Kathmandu',
        },
      ]),
  }),
  given({
    op: 'tasks.schedule',
    title: 'the zone of a trigger is kept to, and shown with the time',
    as: 'owner',
    given: (stage) =>
      agentWithTask(stage, {
        triggers: [{ type: 'cron', config: { cron: '30 9 * * *', timezone: 'Asia/Kathmandu' } }],
      }),
    input: (ids) => ids,
    answer: ({ next }) => {
      expect(next).toHaveLength(10)
      for (const fire of next) {
        expect(fire.fires_at.slice(11, 16)).toBe('03:45')
        expect(fire).toMatchObject({ timezone: 'Asia/Kathmandu' })
        expect((fire as unknown as { local_at: string }).local_at).toContain('T09:30:00+05:45')
      }
    },
  }),
  given({
    op: 'tasks.simulate',
    title: 'a simulation reads patterns in the zones of their triggers',
    as: 'owner',
    given: (stage) =>
      agentWithTask(stage, {
        triggers: [{ type: 'cron', config: { cron: '30 2 * * *', timezone: 'Europe/Berlin' } }],
      }),
    input: ({ char_id }) => ({ char_id, from: '2026-03-28T12:00:00Z', days: 2 }),
    answer: (answer) =>
      expect(answer).toMatchObject({
        fires: [
          { at: '2026-03-29T01:00:00.000Z', local_at: '2026-03-29T03:00:00+02:00' },
          { at: '2026-03-30T00:30:00.000Z', local_at: '2026-03-30T02:30:00+02:00' },
        ],
      }),
  }),
  given({
    op: 'tasks.create',
    title: 'triggers that come within an hour of each other are told of, and do not all come',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, task: { name: 'T', prompt: 'x', triggers: close } }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toMatchObject({
        warnings: [{ code: 'fires_too_often', pointer: '/triggers' }],
      })
      const { task_id } = answer as unknown as { task_id: string }
      const subject = { char_id, task_id }
      const { next } = await stage.ask<{ next: UpcomingFire[] }>('tasks.schedule', subject)
      // Between the two, the second one is the first to come.
      for (const { at, reason } of next.slice(1)) {
        expect(reason).toBe(at.slice(11, 16) === '09:30' ? 'within_hour' : null)
      }
    },
  }),
  given({
    op: 'tasks.simulate',
    title: 'a simulation skips what comes within an hour of the fire before',
    as: 'owner',
    given: (stage) => agentWithTask(stage, { triggers: close }),
    input: ({ char_id }) => ({ char_id, from: '2026-03-02T00:00:00Z', days: 2 }),
    answer: (answer) =>
      expect(answer).toMatchObject({
        fires: [{ at: '2026-03-02T09:00:00.000Z' }, { at: '2026-03-03T09:00:00.000Z' }],
        counts: { fires: 2, skips: { within_hour: 2 } },
      }),
  }),
  given({
    op: 'tasks.create',
    title: 'a zone of a trigger that is no IANA zone is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      task: {
        name: 'T',
        triggers: [{ type: 'cron', config: { cron: '0 9 * * *', timezone: '+02:00' } }],
      },
    }),
    refusal: 'invalid_input',
    error: (error) =>
      expect(error.errors).toMatchObject([
        {
          pointer: expect.stringContaining('/triggers/0/config/timezone'),
          code: 'unknown_timezone',
        },
      ]),
  }),
  bad('an unknown zone is refused', { timezone: 'Mars/Olympus' }, '/timezone'),
  bad('an unknown zone of a trigger is refused', { cron_timezone: 'CEST+2' }, '/cron_timezone'),
  bad(
    'a window on an eighth day of the week is refused',
    { reliability: { active_window: { days: [7] } } },
    '/reliability/active_window/days/0',
  ),
  bad('more than a hundred fires are refused', { count: 101 }, '/count'),
  ...needsKey('schedules.preview', { cron: '0 9 * * *' }),
]

const simulating: Case[] = [
  given({
    op: 'tasks.simulate',
    title: 'a week of a daily task is seven fires, each with its handoff, and nothing happens',
    as: 'scoped',
    given: async (stage) => {
      const receiver = await agent(stage, 'linus')
      const sharing = { enabled: true, target_agent_id: receiver }
      const subject = await scheduled(stage, { output_sharing: sharing })
      await stage.scopeTo(subject.char_id)
      return { ...subject, receiver }
    },
    input: ({ char_id }) => ({ char_id, from: '2026-03-02T12:00:00+01:00' }),
    answer: async (answer, { char_id, task_id, receiver }, stage) => {
      expect(answer).toMatchObject({
        from: '2026-03-02T11:00:00.000Z',
        to: '2026-03-09T11:00:00.000Z',
        tasks: 1,
        skips: [],
        counts: { fires: 7, skips: {}, handoffs: { inbox: 7 }, runs: 7 },
        complete: true,
      })
      const first = '2026-03-03T09:00:00.000Z'
      expect(answer.fires[0]).toEqual({
        char_id,
        task_id,
        at: first,
        fires_at: first,
        local_at: first.replace('.000Z', '+00:00'),
        timezone: 'UTC',
        trigger: 'cron',
      })
      expect(answer.handoffs[0]).toMatchObject({
        at: first,
        to: { char_id: receiver, task_id: null },
        outcome: 'inbox',
        reason: 'no_listener',
      })
      expect((await stage.ask('runs.list', { char_id })).items).toEqual([])
    },
  }),
  given({
    op: 'tasks.simulate',
    title: 'an agent that does not belong to the app is refused',
    as: 'owner',
    given: async (stage) => {
      const app_id = stage.id('crew').toLowerCase()
      const manifest = { app_id, name: 'Crew', agents: [{ local_id: 'one', name: 'One' }] }
      await stage.ask('agent_apps.provision', { manifest })
      return { app_id, char_id: await agent(stage) }
    },
    input: (facts) => facts,
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe('/app_id'),
  }),
  given({
    op: 'tasks.simulate',
    title: 'an app that does not exist is not found',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, app_id: nowhere }),
    refusal: 'app_not_found',
  }),
  given({
    op: 'tasks.simulate',
    title: 'a key that acts as one agent does not see those of its app',
    as: 'scoped',
    given: asScoped,
    input: ({ char_id }) => ({ char_id, app_id: nowhere }),
    refusal: 'forbidden',
  }),
  given({
    op: 'tasks.simulate',
    title: 'more than a month is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, days: 32 }),
    refusal: 'invalid_input',
  }),
  ...agentRefusals('tasks.simulate', (char_id) => ({ char_id })),
]

export const schedules: readonly Case[] = [
  ...pausing,
  ...skipping,
  ...looking,
  ...previewing,
  ...simulating,
]
