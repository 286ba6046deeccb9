import * as z from 'zod'
import { localTimes } from '../schedules/outlook.ts'
import { skipReasons } from '../schedules/slot.ts'

const place = { char_id: z.string(), task_id: z.string() }
const times = {
  at: z.string().describe('When the schedule names it.'),
  fires_at: z.string().describe('The same with jitter.'),
  ...localTimes,
  trigger: z.enum(['cron', 'heartbeat']),
}

export const SimulatedFire = z.object({ ...place, ...times }).meta({ id: 'SimulatedFire' })
/** A fire that comes. */
export type SimulatedFire = z.infer<typeof SimulatedFire>

export const SimulatedSkip = z
  .object({
    ...place,
    ...times,
    reason: z.enum(skipReasons),
    message: z.string(),
    to: z.string().nullable().describe('The last of the fires that this one stands for.'),
    count: z.int(),
  })
  .meta({ id: 'SimulatedSkip' })
/** A fire that does not come, or all fires of a task that never come. */
export type SimulatedSkip = z.infer<typeof SimulatedSkip>

export const handoffReasons = [
  'no_such_agent',
  'no_such_task',
  'not_selected',
  'not_friends',
  'chain_too_deep',
  'too_many_runs',
  'task_disabled',
  'autonomy_manual',
  'quota',
  'no_listener',
] as const

export const SimulatedHandoff = z
  .object({
    at: z.string().describe('When the fire came that set it off.'),
    from: z.object(place),
    to: z.object({ char_id: z.string(), task_id: z.string().nullable() }),
    depth: z.int(),
    outcome: z.enum(['run', 'inbox', 'skipped', 'dropped']),
    reason: z.enum(handoffReasons).nullable(),
    message: z.string(),
  })
  .meta({ id: 'SimulatedHandoff' })
/** A result that is handed on, or why it is not. */
export type SimulatedHandoff = z.infer<typeof SimulatedHandoff>

export const Simulation = z
  .object({
    from: z.string(),
    to: z.string(),
    tasks: z.int().describe('How many tasks were played.'),
    fires: z.array(SimulatedFire),
    skips: z.array(SimulatedSkip),
    handoffs: z.array(SimulatedHandoff),
    counts: z.object({
      fires: z.int(),
      skips: z.record(z.string(), z.int()).describe('By reason.'),
      handoffs: z.record(z.string(), z.int()).describe('By outcome.'),
      runs: z.int().describe('What the fires and handoffs would start.'),
    }),
    complete: z.boolean().describe('False where there was too much to play to the end.'),
  })
  .meta({ id: 'Simulation' })
/** What schedules would do in some days, in the order in which it would happen. */
export type Simulation = z.infer<typeof Simulation>
