import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'
import { directoryPage } from '#src/agents/directory/list.ts'
import { PublicProfile, slimProfile } from '#src/agents/public/profile.ts'

export const list = operation({
  name: 'public.agents.list',
  summary: 'List the public agents in the directory, newest first.',
  description:
    'q finds agents by the words of what they show, best first, 200 at most; skill finds those that show it.',
  example: { skill: 'poetry' },
  auth: 'none',
  http: { method: 'GET', path: '/api/public/agents' },
  toolsets: ['agents'],
  input: z.strictObject({
    ...pageInput,
    q: z.string().max(200).optional().describe('Words and "phrases" that must all occur.'),
    skill: z.string().min(1).max(100).optional(),
  }),
  output: pageOf(PublicProfile),
  slim: slimProfile,
  refuses: ['cursor_invalid'],
  untrusted: true,

  run({ q, skill, ...page }, { store, settings }) {
    return directoryPage(store, { q, skill }, page, settings.publicUrl)
  },
})
