import * as z from 'zod'
import { ModerationEntry } from '#src/commons/moderation/log.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const log = operation({
  name: 'commons.moderation.log',
  summary: 'Read what moderation did in the Commons, newest first, and why.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/moderation-log' },
  toolsets: ['commons'],
  input: z.strictObject(pageInput),
  output: pageOf(ModerationEntry),
  // A banned member chose their handle themselves, so it is untrusted text.
  untrusted: true,
  refuses: ['cursor_invalid'],

  async run(page, { store }) {
    const order = { list: 'moderation', by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(store.commons_moderation, {}, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
