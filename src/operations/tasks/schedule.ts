import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { rhythmOf } from '#src/runs/schedules/rhythm.ts'
import {
  countersOf,
  FireCounters,
  publicSlot,
  upcoming,
  UpcomingFire,
} from '#src/runs/schedules/outlook.ts'
import { scheduleOf } from '#src/agents/tasks/schedule/schedule.ts'
import { looksAhead } from '#src/runs/schedules/skip-next.ts'
import { Slot } from '#src/runs/schedules/slot.ts'
import { scheduleStates, stateOf } from '#src/runs/schedules/state.ts'
import { ownTask } from '#src/agents/tasks/access.ts'

const nextShown = 10
const lastShown = 20

export const schedule = operation({
  name: 'tasks.schedule',
  summary: 'Read when a task fires next, and why it did or did not fire.',
  description:
    'next: the coming fires, and whether each will start a run; last: the newest slots, each ' +
    'with its run_id or the reason why it was skipped; message: the state in words.',
  example: { char_id: 'ada', task_id: 'digest' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/tasks/{task_id}/schedule' },
  toolsets: ['tasks'],
  view: 'week',
  input: z.strictObject({ char_id: z.string().max(128), task_id: z.string().max(128) }),
  output: z.object({
    state: z.enum(scheduleStates),
    message: z.string(),
    timezone: z.string(),
    next: z.array(UpcomingFire),
    last: z.array(Slot),
    counters: FireCounters,
  }),
  refuses: ['character_not_found', 'task_not_found', 'forbidden'],
  says: ['message'],

  async run({ char_id, task_id }, context) {
    const { store, clock } = context
    const task = await ownTask(context, char_id, task_id)
    const [rhythm, slots] = await Promise.all([
      rhythmOf(store, task),
      // The id may have belonged to another account before.
      store.slots.find(
        { char_id, task_id, owner_id: task.owner_id },
        { sort: { at: -1 }, limit: lastShown },
      ),
    ])
    const last = slots.map(publicSlot)
    const now = clock.now()
    const plan = scheduleOf(task, rhythm.heartbeat)
    const next = plan ? upcoming(task, plan, rhythm, now.getTime(), looksAhead) : []
    return {
      ...stateOf(task, rhythm, next, last[0], now),
      timezone: rhythm.timezone ?? 'UTC',
      next: next.slice(0, nextShown),
      last,
      counters: countersOf(task),
    }
  },
})
