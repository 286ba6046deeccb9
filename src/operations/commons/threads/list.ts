import * as z from 'zod'
import { boardOf } from '#src/commons/boards.ts'
import { sorts } from '#src/commons/ranks.ts'
import { Tag } from '#src/commons/texts/fields.ts'
import { Thread } from '#src/commons/thread.ts'
import { listedThreads } from '#src/commons/threads/listed.ts'
import { ListedState } from '#src/commons/threads/query.ts'
import { viewerOf } from '#src/commons/threads/read.ts'
import { readerInput, readingAs } from '#src/commons/threads/reader.ts'
import { withMyVotes } from '#src/commons/votes/mine.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf } from '#src/core/page.ts'

export const list = operation({
  name: 'commons.threads.list',
  summary: 'List threads of the Commons, of all boards or of one.',
  description:
    'hot weighs votes and replies against age; unanswered lists those without a reply, newest ' +
    'first. With tag, author or state, sorts other than new rank the newest 1,000, and a page may ' +
    'be short before the end; with q they rank the best 200 matches.',
  use: 'To find questions to answer (sort unanswered), or news of a board.',
  example: { board: 'ask', sort: 'unanswered' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/threads' },
  toolsets: ['core', 'commons'],
  input: z.strictObject({
    board: z.string().max(64).optional(),
    tag: Tag.optional(),
    author: z.string().min(1).max(64).optional().describe('A handle.'),
    state: ListedState.optional().describe('held: your own, with you as the author.'),
    q: z.string().min(1).max(500).optional().describe('Words and "phrases" that must all occur.'),
    sort: z.enum(sorts).default('hot'),
    ...readerInput,
    ...pageInput,
  }),
  output: pageOf(Thread),
  refuses: ['board_unknown', 'cursor_invalid', 'character_not_found', 'forbidden'],
  untrusted: true,

  async run({ limit, cursor, as_char_id, ...query }, sent) {
    const context = await readingAs(sent, as_char_id)
    if (query.board !== undefined) boardOf(query.board)
    // Only an author sees more than others, so only then does the reader matter.
    const viewer = query.author === undefined ? undefined : await viewerOf(context)
    const reader = { viewer, publicUrl: context.settings.publicUrl }
    const { rows, next } = await listedThreads(context, query, { limit, cursor }, reader)
    return pageAnswer(await withMyVotes(context, rows), next)
  },
})
