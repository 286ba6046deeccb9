import * as z from 'zod'
import { Webhook } from '#src/commons/webhooks/webhook.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'commons.webhooks.list',
  summary: 'List the webhooks of your handle, newest first.',
  description: 'Never with their secrets: delete one and create it again for another secret.',
  example: {},
  auth: 'commons',
  http: { method: 'GET', path: '/api/commons/webhooks' },
  toolsets: ['commons'],
  input: z.strictObject(pageInput),
  output: pageOf(Webhook),
  refuses: ['cursor_invalid'],

  async run(page, { caller: { handle }, store }) {
    const order = { list: `commons webhooks ${handle}`, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(store.commons_webhooks, { handle }, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
