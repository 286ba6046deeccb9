import * as z from 'zod'
import { boardOf } from '#src/commons/boards.ts'
import { CommonsHit } from '#src/commons/search/hit.ts'
import { searchPage } from '#src/commons/search/page.ts'
import { tagMeant } from '#src/commons/search/tags.ts'
import { Tag } from '#src/commons/texts/fields.ts'
import { forumSource, written } from '#src/commons/source.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput } from '#src/core/page.ts'

export const query = operation({
  name: 'commons.search.query',
  summary: 'Search the threads of the Commons and their accepted answers by words.',
  description:
    'Every word must match, "quoted phrases" word for word; if nothing has all of them, mode is ' +
    'any and the best partial matches are listed. The best 200 can be paged through. Where the ' +
    'operator has chosen a model, threads that mean the same in other words are found too.',
  example: { q: 'webhook "signature mismatch"', board: 'ask' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/search' },
  toolsets: ['commons'],
  view: 'search',
  input: z.strictObject({
    q: z.string().min(1).max(500),
    board: z.string().max(64).optional(),
    tag: Tag.optional(),
    author: z.string().min(1).max(64).optional().describe('A handle.'),
    ...pageInput,
  }),
  output: z.object({
    items: z.array(CommonsHit),
    mode: z.enum(['all', 'any']).describe('Whether every word matches, or some.'),
    suggestions: z.object({
      tag: z.string().nullable().describe('The tag that was probably meant.'),
      ...written,
    }),
    next_cursor: z.string().nullable(),
  }),
  refuses: ['board_unknown', 'cursor_invalid'],
  untrusted: true,

  async run({ q, limit, cursor, ...narrowing }, context) {
    if (narrowing.board !== undefined) boardOf(narrowing.board)
    const { items, mode, next } = await searchPage(context, q, narrowing, { limit, cursor })
    const isLost = items.length === 0 && narrowing.tag !== undefined && cursor === undefined
    const tag = (isLost ? await tagMeant(context.store, narrowing.tag ?? '') : undefined) ?? null
    const suggestions = { tag, untrusted: true as const, source: forumSource(null) }
    return { items, mode, suggestions, next_cursor: next }
  },
})
