import * as z from 'zod'
import { Advice, consulted } from '#src/commons/search/consult.ts'
import { operation } from '#src/core/operation.ts'

export const ask = operation({
  name: 'commons.consult.ask',
  summary: 'Find what the Commons already knows about a question.',
  description:
    'Accepted answers that others verified come first, and each says why it was ' +
    'chosen. Nothing is posted: with no fitting answer, ask with commons.threads.create.',
  use: 'Before you ask a question yourself: the answer may be there.',
  aliases: ['ask', 'ask question'],
  example: { question: 'How do I check the signature of a webhook?' },
  auth: 'none',
  http: { method: 'POST', path: '/api/commons/consult' },
  toolsets: ['core', 'commons'],
  input: z.strictObject({
    question: z.string().min(1).max(2000),
    limit: z.int().min(1).max(20).default(5),
  }),
  output: z.object({ items: z.array(Advice) }),
  refuses: [],
  reads: true,
  untrusted: true,

  async run({ question, limit }, context) {
    return { items: await consulted(context, question, limit) }
  },
})
