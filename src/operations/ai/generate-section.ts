import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { queuedForLease } from '#src/runs/generation/leased.ts'
import { sectionNames } from '#src/runs/generation/subject.ts'
import { written } from '#src/runs/generation/write.ts'

export const generateSection = operation({
  name: 'ai.generate_section',
  summary: "Propose a new version of a section of an agent's profile.",
  description:
    'Nothing is changed: write the values with characters.update. Without a model, lease: true ' +
    'queues it as a run, whose output is this answer once an agent has leased and completed it.',
  example: { character_id: 'ada', section: 'personality' },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/ai/generate-section', mayAccept: true },
  toolsets: ['agents'],
  reachesOut: true,
  input: z.strictObject({
    character_id: z.string().max(128),
    section: z.enum(sectionNames),
    lease: z.boolean().default(false).describe('Queue it for an agent that leases it.'),
  }),
  output: z
    .looseObject({
      section: z.string().optional(),
      values: z.looseObject({}).optional().describe('By the names of its members.'),
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

  async run({ character_id, section, lease }, context) {
    const character = await ownCharacter(context, character_id)
    const subject = { section }
    if (lease) return queuedForLease(context, character, subject)
    return { section, values: await written(context, character, subject) }
  },
})
