import { expect } from 'vitest'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { slotKey, type StoredSlot } from '#src/runs/schedules/slot.ts'
import {
  agent,
  agentRefusals,
  agentWithTask,
  brokenCursor,
  given,
  needsKey,
  nowhere,
  type Case,
  type Made,
  type Stage,
} from '../case.ts'

const op = 'schedules.calendar'
const dayMs = 86_400_000
const daily = { triggers: [{ type: 'cron', config: { cron: '0 9 * * *' } }] }
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()
const entriesOf = (answer: Made): CalendarEntry[] => answer.items as unknown as CalendarEntry[]

const threeDays = (char_id: string): object => ({ from: inDays(0), to: inDays(3), char_id })

/** An agent whose task fired in the past, and the run of that. */
async function withPast(stage: Stage) {
  const subject = await agentWithTask(stage, daily)
  const { id: run_id, owner_id } = await stage.ask('tasks.run', { ...subject, input: 'a text' })
  const at = '2026-03-02T09:00:00.000Z'
  const common = { ...subject, owner_id, trigger: 'cron', to: null, count: 1 } as const
  const slots: StoredSlot[] = [
    { ...common, at, fires_at: at, status: 'fired', reason: null, message: 'It came.', run_id },
    {
      ...common,
      at: '2026-03-03T09:00:00.000Z',
      fires_at: '2026-03-03T09:00:00.000Z',
      status: 'skipped',
      reason: 'quota',
      message: 'A quota was used up.',
      run_id: null,
    },
  ].map((slot) => ({ ...slot, id: slotKey(`${subject.char_id}/digest`, slot.at) }) as StoredSlot)
  await stage.world.ports.store.commit(slots.map((insert) => ({ in: 'slots', insert })))
  return { ...subject, run_id }
}

const looking: Case[] = [
  given({
    op,
    title: 'the coming fires of one agent, in pages, oldest first',
    as: 'owner',
    given: (stage) => agentWithTask(stage, daily),
    input: ({ char_id }) => ({ ...threeDays(char_id), limit: 2 }),
    answer: (answer, subject) => {
      const entries = entriesOf(answer)
      expect(entries).toMatchObject(
        [0, 1].map(() => ({ ...subject, name: 'Digest', status: 'coming', count: 1, run: null })),
      )
      expect((entries[0]?.fires_at ?? 'z') < (entries[1]?.fires_at ?? '')).toBe(true)
      expect(answer.next_cursor).toEqual(expect.any(String))
    },
  }),
  given({
    op,
    title: 'a paused task is one entry with the count of its fires, and why they do not come',
    as: 'owner',
    given: async (stage) => {
      const subject = await agentWithTask(stage, daily)
      await stage.ask('tasks.pause', { ...subject, reason: 'Holidays.' })
      return subject
    },
    input: ({ char_id }) => threeDays(char_id),
    answer: (answer) =>
      expect(answer).toMatchObject({
        items: [
          {
            status: 'not_coming',
            reason: 'task_disabled',
            message: 'The task is paused: Holidays.',
            count: 3,
          },
        ],
        next_cursor: null,
      }),
  }),
  given({
    op,
    title: 'past fires say how their run stands, or why there was none',
    as: 'owner',
    given: withPast,
    input: ({ char_id }) => ({ char_id, from: '2026-03-02T00:00:00Z' }),
    answer: (answer, { run_id }) =>
      expect(answer.items).toMatchObject([
        { status: 'fired', run: { id: run_id, status: expect.any(String) } },
        { status: 'skipped', reason: 'quota', run: null },
      ]),
  }),
  given({
    op,
    title: 'a key that acts as an agent sees the schedules of that one alone',
    as: 'scoped',
    given: async (stage) => {
      const subject = await agentWithTask(stage, daily)
      const other = await agent(stage, 'linus')
      await stage.ask('tasks.create', { char_id: other, task: { name: 'T', ...daily } })
      await stage.scopeTo(subject.char_id)
      return subject
    },
    input: () => ({ from: inDays(0), to: inDays(1) }),
    answer: (answer, { char_id }) => expect(answer.items).toMatchObject([{ char_id }]),
  }),
  given({
    op,
    title: 'everything of the account, where nothing narrows it',
    as: 'owner',
    given: withPast,
    input: () => ({ from: '2026-03-03T00:00:00Z', limit: 500 }),
    answer: (answer, { char_id }) =>
      expect(entriesOf(answer).filter((one) => one.char_id === char_id)).toMatchObject([
        { at: '2026-03-03T09:00:00.000Z' },
      ]),
  }),
]

const bad = (title: string, span: object): Case =>
  given({
    op,
    title,
    as: 'owner',
    input: () => span,
    refusal: 'invalid_input',
    error: (error) => expect(error.errors).toMatchObject([{ pointer: '/to' }]),
  })

export const calendars: readonly Case[] = [
  ...looking,
  bad('a span that ends before it begins is refused', {
    from: '2026-03-02T00:00:00Z',
    to: '2026-03-01T00:00:00Z',
  }),
  bad('more than five weeks are refused', {
    from: '2026-03-02T00:00:00Z',
    to: '2026-04-07T00:00:00Z',
  }),
  bad('more than a year ahead is refused', { from: '9999-03-02T00:00:00Z' }),
  ...agentRefusals(op, (char_id) => ({ from: inDays(0), char_id })),
  given({
    op,
    title: 'an app that does not exist is not found',
    as: 'owner',
    input: () => ({ from: inDays(0), app_id: nowhere }),
    refusal: 'app_not_found',
  }),
  brokenCursor(op, () => ({ from: inDays(0) })),
  ...needsKey(op, { from: '2026-03-02T00:00:00Z' }),
]
