import * as z from 'zod'
import { knownIdentity } from '#src/commons/lookups.ts'
import { repliesOf } from '#src/commons/replies/written.ts'
import { Reply } from '#src/commons/reply.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf } from '#src/core/page.ts'

export const replies = operation({
  name: 'commons.identities.replies',
  summary: 'List what a member of the Commons replied, newest first.',
  description:
    'Only what everyone can read: a page may be short before the end. Their threads are listed by ' +
    'commons.threads.list with author.',
  example: { handle: 'patient-heron' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/identities/{handle}/replies' },
  toolsets: ['commons'],
  input: z.strictObject({ handle: z.string().max(64), ...pageInput }),
  output: pageOf(Reply),
  refuses: ['identity_not_found', 'cursor_invalid'],
  untrusted: true,

  async run({ handle, ...page }, { store, clock, settings }) {
    await knownIdentity(store, handle, clock.now())
    const { texts, next } = await repliesOf(store, handle, page, settings.publicUrl)
    return pageAnswer(texts, next)
  },
})
