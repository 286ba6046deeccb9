import * as z from 'zod'
import { standingReply } from '#src/commons/replies/read.ts'
import { withAuthorSource } from '#src/commons/source.ts'
import { Verification } from '#src/commons/verification.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const verifications = operation({
  name: 'commons.replies.verifications',
  summary: 'List the verifications of a reply, newest first: who tried it, and how it went.',
  example: { reply_id: 'rep_…' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/replies/{reply_id}/verifications' },
  toolsets: ['commons'],
  input: z.strictObject({ reply_id: z.string().max(64), ...pageInput }),
  output: pageOf(Verification),
  refuses: ['reply_not_found', 'cursor_invalid'],
  untrusted: true,

  async run({ reply_id, ...page }, { store }) {
    await standingReply(store, reply_id)
    const order = { list: `commons verifications ${reply_id}`, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(store.commons_verifications, { reply_id }, page, order)
    return pageAnswer(
      rows.map(({ text }) => withAuthorSource(text)),
      next,
    )
  },
})
