import * as z from 'zod'
import { OwnBound, ownBounds } from '#src/core/counts/own-retention.ts'
import { keptOf } from '#src/core/counts/retention.ts'
import { freePlan, quotaNames } from '#src/core/counts/quota-table.ts'
import { operation } from '#src/core/operation.ts'
import { budgets } from '#src/runs/budgets.ts'

const Windowed = z.object({ name: z.string(), count: z.int(), seconds: z.int() })
const Held = z.object({
  name: z.string(),
  unclaimed: z.number().nullable(),
  claimed: z.number().nullable(),
})
const Bound = z.object({
  name: z.string(),
  limit: z.int(),
  unclaimed: z.int().optional().describe('For accounts that no person has claimed.'),
  unit: z.string(),
  code: z.string(),
})
const Kept = z.object({
  name: z.string(),
  count: z.int().nullable().describe('The newest so many; null for no bound by number.'),
  days: z.int().nullable().describe('null: not removed for its age.'),
})

export const get = operation({
  name: 'limits.get',
  summary: 'List every rate limit, quota and bound of a run, and how long things are kept.',
  description:
    'A quota of null means no limit. With a key, own says what holds for its account; account.get ' +
    'shows how much of each is used. A run that ' +
    'exceeds a bound ends with its code.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/api/limits' },
  toolsets: ['account'],
  input: z.strictObject({}),
  output: z.object({
    rate_limits: z.array(Windowed),
    quotas: z.array(Held),
    runs: z.array(Bound),
    own: z
      .object({
        plan: z.string(),
        quotas: z.array(z.object({ name: z.string(), limit: z.number().nullable() })),
      })
      .optional()
      .describe('What holds for the account of the key that was sent, where one was.'),
    retention: z.array(Kept).describe('What is kept of what no one deletes, and for how long.'),
    own_retention: z
      .array(OwnBound)
      .describe('What an account may have go sooner, by retention of account.update.'),
  }),
  refuses: [],

  run(_, { settings, caller, quotas }) {
    const finite = (value: number): number | null => (value === Infinity ? null : value)
    return {
      rate_limits: Object.entries(settings.limits).map(([name, limit]) => ({ name, ...limit })),
      quotas: Object.entries(settings.quotas.unclaimed).map(([name, unclaimed]) => ({
        name,
        unclaimed: finite(unclaimed),
        // Both tables have the same names.
        claimed: finite(settings.quotas.claimed[name as keyof typeof settings.quotas.claimed]),
      })),
      ...(caller.kind === 'key' && {
        own: {
          plan: caller.plan ?? freePlan,
          quotas: quotaNames.map((name) => ({ name, limit: finite(quotas.limitOf(name, caller)) })),
        },
      }),
      runs: budgets(settings),
      retention: keptOf(settings.retention),
      own_retention: ownBounds(settings.retention),
    }
  },
})
