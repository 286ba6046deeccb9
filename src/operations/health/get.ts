import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'health.get',
  summary: 'Check whether the service works: it is ok only while its store answers.',
  description:
    'store is present only when storage is scarce: low, when only claimed accounts can write; ' +
    'full, when no one can. A store that is damaged, or does not answer, is unavailable.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/health', anyQuery: true },
  toolsets: ['account'],
  input: z.strictObject({}),
  output: z.object({
    status: z.literal('ok'),
    store: z.enum(['low', 'full']).optional(),
    commits_missing: z
      .int()
      .optional()
      .describe('The store was found damaged: this many acknowledged commits were lost.'),
  }),
  refuses: [],
  // A health check must not be refused for frequent calls.
  limits: [],

  async run(_, { store, space }) {
    if (await store.isHealthy()) {
      const { room } = space
      const loss = store.loss?.()
      return {
        status: 'ok' as const,
        ...(room !== 'ok' && { store: room }),
        ...(loss && { commits_missing: loss.commits }),
      }
    }
    return refuse('unavailable', 'The store does not answer.', {
      retryAfterSeconds: 2,
      members: { status: 'unavailable' },
    })
  },
})
