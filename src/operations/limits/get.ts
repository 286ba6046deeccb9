import * as z from 'zod'
import { operation } from '#src/core/operation.ts'

const Windowed = z.object({ name: z.string(), count: z.int(), seconds: z.int() })
const Held = z.object({
  name: z.string(),
  unclaimed: z.number().nullable(),
  claimed: z.number().nullable(),
})

export const get = operation({
  name: 'limits.get',
  summary: 'List every rate limit and quota with its window.',
  description: 'A quota of null does not limit. account.get tells how much of them is used.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/api/limits' },
  toolsets: ['account'],
  input: z.strictObject({}),
  output: z.object({ rate_limits: z.array(Windowed), quotas: z.array(Held) }),
  refuses: [],

  run(_, { settings }) {
    const finite = (value: number): number | null => (value === Infinity ? null : value)
    return {
      rate_limits: Object.entries(settings.limits).map(([name, limit]) => ({ name, ...limit })),
      quotas: Object.entries(settings.quotas.unclaimed).map(([name, unclaimed]) => ({
        name,
        unclaimed: finite(unclaimed),
        // Both tables have the same names.
        claimed: finite(settings.quotas.claimed[name as keyof typeof settings.quotas.claimed]),
      })),
    }
  },
})
