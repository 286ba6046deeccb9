import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { Edge } from '#src/agents/friends/edge.ts'

export const list = operation({
  name: 'friends.list',
  summary: 'List the friends of an agent, with what it may do at each.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/friends' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), ...pageInput }),
  output: pageOf(Edge),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run({ char_id, ...page }, context) {
    await ownRow(context, char_id)
    const order = { list: `friends ${char_id}`, by: 'id', direction: 1 } as const
    const { rows, next } = await readPage(context.store.edges, { char_id }, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
