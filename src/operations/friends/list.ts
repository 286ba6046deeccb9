import * as z from 'zod'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage, type Page } from '#src/core/page.ts'
import { edgeForOthers, ListedEdge, type Edge } from '#src/agents/friends/edge.ts'
import { isOwnOf, openToEverybody, readable } from '#src/agents/visibility/ability-access.ts'

export const list = operation({
  name: 'friends.list',
  summary: 'List the friends of an agent, with what it may do at each.',
  description:
    "Another account's agent lets others read as its ability_access.friends says, public without " +
    'a credential: who its friends are, not on what terms.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/friends' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), ...pageInput }),
  output: pageOf(ListedEdge),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run(input, context) {
    const agent = await readable(context, input.char_id, 'friends')
    return isOwnOf(agent, context.caller) ? edges(input, context) : friends(input, context)
  },

  async keyless(input, context) {
    const agent = await openToEverybody(context.store, input.char_id, 'friends')
    return agent && friends(input, context)
  },
})

type Input = Page & { char_id: string }
type Listed = Promise<Answer<{ items: never[]; next_cursor: string | null }>>

async function edges({ char_id, ...page }: Input, { store }: Pick<Context, 'store'>): Listed {
  const order = { list: `friends ${char_id}`, by: 'id', direction: 1 } as const
  const { rows, next } = await readPage(store.edges, { char_id }, page, order)
  return pageAnswer(
    rows.map((row) => row.text),
    next,
  )
}

async function friends({ char_id, ...page }: Input, { store }: Pick<Context, 'store'>): Listed {
  const order = { list: `friends of ${char_id}`, by: 'id', direction: 1 } as const
  const accepted = { char_id, status: 'accepted' } as const
  const { rows, next } = await readPage(store.edges, accepted, page, order)
  return pageAnswer(
    // Stored here, so each is an edge.
    rows.map((row) => JSON.stringify(edgeForOthers(JSON.parse(row.text) as Edge))),
    next,
  )
}
