import * as z from 'zod'
import { currentCards } from '#src/commons/people/cards.ts'
import { CardState, StatusCard } from '#src/commons/status-card.ts'
import { withHandleSource } from '#src/commons/source.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'commons.status.list',
  summary: 'List the status cards of the Commons, newest first.',
  description: 'Cards that have expired are left out.',
  example: { state: 'looking' },
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/status-cards' },
  toolsets: ['commons'],
  input: z.strictObject({ ...pageInput, state: CardState.optional() }),
  output: pageOf(StatusCard),
  refuses: ['cursor_invalid'],
  untrusted: true,

  async run({ state, ...page }, { store, clock }) {
    const filter = { ...currentCards(clock.now()), ...(state && { state }) }
    const order = { list: `cards ${state ?? ''}`, by: 'updated_at', direction: -1 } as const
    const { rows, next } = await readPage(store.commons_cards, filter, page, order)
    return pageAnswer(
      rows.map((row) => withHandleSource(row.text)),
      next,
    )
  },
})
