import * as z from 'zod'
import { refuse } from '../errors.ts'
import type { Retention } from './retention.ts'

/** Longer than any record. */
const daysAtMost = 36_500
const statesAtMost = 1_000_000
/** Who bought has some time to fetch what they paid for. */
const orderDaysAtLeast = 30

/** What an account may have go sooner than the operator has. Revisions are a number, the others days. */
export const ownNames = ['runs', 'events', 'messages', 'revisions', 'orders'] as const
/** One of them. */
export type OwnName = (typeof ownNames)[number]
/** The figures of an account; a name that is missing is as the operator has it. */
export type OwnRetention = Partial<Record<OwnName, number>>

function figure(most: number, describe: string, least = 1) {
  return z.int().min(least).max(most).nullable().optional().describe(describe)
}

/** What an account sends to change some of them; null: as the operator has it. */
export const OwnRetentionInput = z.strictObject({
  runs: figure(daysAtMost, 'Days of ended runs, however few there are.'),
  events: figure(daysAtMost, 'Days of what happened to runs.'),
  messages: figure(daysAtMost, 'Days of messages between agents of the account.'),
  revisions: figure(statesAtMost, 'How many earlier states of each agent.'),
  orders: figure(
    daysAtMost,
    'Days of what buyers sent and were given; orders and their money stay.',
    orderDaysAtLeast,
  ),
})

/** The least and the most that an account may set, one by one. */
export const OwnBound = z.object({
  name: z.enum(ownNames),
  unit: z.enum(['days', 'states']),
  least: z.int(),
  most: z.int(),
})

/** What accounts may set where the operator keeps so much. */
export function ownBounds(retention: Retention): z.infer<typeof OwnBound>[] {
  return ownNames.map((name) => {
    if (name === 'revisions') {
      return { name, unit: 'states', least: 1, most: Math.min(retention.revisions, statesAtMost) }
    }
    // Runs are bounded by their number too, so that no number of days is more than the operator keeps.
    const kept = name === 'runs' ? Infinity : retention[name]
    const most = Math.min(kept, daysAtMost)
    const least = name === 'orders' ? Math.min(orderDaysAtLeast, most) : 1
    return { name, unit: 'days', least, most }
  })
}

/**
 * The figures of an account after a change of some.
 * @throws Refusal `invalid_input` for one that keeps longer than the operator does
 */
export function changedRetention(
  before: OwnRetention | undefined,
  sent: z.infer<typeof OwnRetentionInput>,
  retention: Retention,
): OwnRetention {
  const after: OwnRetention = { ...before }
  for (const { name, most, unit } of ownBounds(retention)) {
    const value = sent[name]
    if (value === null) delete after[name]
    if (value === null || value === undefined) continue
    if (value > most) beyond(name, `${most} ${unit}`)
    after[name] = value
  }
  return after
}

function beyond(name: OwnName, most: string): never {
  const message = `The server keeps ${most} of this at most.`
  return refuse('invalid_input', `retention.${name}: ${message}`, {
    errors: [{ pointer: `/retention/${name}`, message, code: 'retention_beyond' }],
    hint: '<limits.get> lists what an account may set, in own_retention.',
  })
}
