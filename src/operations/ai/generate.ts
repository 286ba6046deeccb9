import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { queuedForLease } from '#src/runs/generation/leased.ts'
import { fieldNames } from '#src/runs/generation/subject.ts'
import { written } from '#src/runs/generation/write.ts'

export const generate = operation({
  name: 'ai.generate',
  summary: "Propose a new version of one member of an agent's profile.",
  description:
    'Nothing is changed: write the value with characters.update. Without a model, lease: true ' +
    'queues it as a run, whose output is this answer once an agent has leased and completed it.',
  example: { character_id: 'ada', field: 'bio' },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/ai/generate', mayAccept: true },
  toolsets: ['agents'],
  reachesOut: true,
  input: z.strictObject({
    character_id: z.string().max(128),
    field: z.enum(fieldNames),
    lease: z.boolean().default(false).describe('Queue it for an agent that leases it.'),
  }),
  output: z
    .looseObject({
      field: z.string().optional(),
      value: z.unknown().optional(),
      applied: z.literal(false).optional(),
    })
    .describe('With lease: the run.'),
  refuses: [
    'character_not_found',
    'forbidden',
    'provider_not_configured',
    'provider_unavailable',
    'generation_failed',
  ],
  quota: 'runs_a_day',

  async run({ character_id, field, lease }, context) {
    const character = await ownCharacter(context, character_id)
    const subject = { field }
    if (lease) return queuedForLease(context, character, subject)
    const { value } = await written(context, character, subject)
    return { field, value, applied: false as const }
  },
})
