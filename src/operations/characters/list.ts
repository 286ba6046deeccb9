import * as z from 'zod'
import { Character, slimCharacter } from '#src/agents/character.ts'
import { withTasks } from '#src/agents/view.ts'
import { wordsIn } from '#src/agents/words.ts'
import { ownApp } from '#src/apps/access.ts'
import { unknownFilters } from '#src/core/words/empty-list.ts'
import { operation } from '#src/core/operation.ts'
import { cursorAfter, pageAnswer, pageInput, readPage, warnedPageOf } from '#src/core/page.ts'

export const list = operation({
  name: 'characters.list',
  summary: 'List the agents of the account, newest first.',
  description: 'q finds agents whose id, name, role, tagline and skills hold all of its words.',
  use: 'Then: characters_get.',
  example: { limit: 20 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/' },
  toolsets: ['core', 'agents'],
  proposes: { member: 'char_id', from: 'id' },
  input: z.strictObject({
    ...pageInput,
    limit: z.int().min(1).max(1000).default(1000).describe('Items a page.'),
    app_id: z.string().max(128).optional().describe('Only agents of this app.'),
    q: z.string().max(200).optional(),
  }),
  output: warnedPageOf(Character),
  slim: slimCharacter,
  refuses: ['cursor_invalid'],

  async run({ app_id, q, ...page }, context) {
    const { store, clock, caller } = context
    const words = wordsIn(q ?? '')
    const filter = {
      owner_id: caller.accountId,
      ...(caller.charId !== undefined && { id: caller.charId }),
      ...(app_id !== undefined && { app_id }),
      ...(words.length > 0 && { words: { $all: words } }),
    }
    const narrowed = `characters ${caller.accountId} ${app_id ?? ''} ${words.join(' ')}`
    const order = { list: narrowed, by: 'created_at', direction: -1 } as const
    const { rows, next } = await readPage(store.characters, filter, page, order)
    if (rows.length === 0) {
      const app = app_id === undefined ? undefined : () => ownApp(context, app_id)
      return pageAnswer([], next, await unknownFilters({ rows, ...page }, { app_id: app }))
    }
    const texts = await withTasks({ store, clock }, rows)
    const last = texts.length < rows.length ? rows[texts.length - 1] : undefined
    return pageAnswer(texts, last ? cursorAfter(order, last) : next)
  },
})
