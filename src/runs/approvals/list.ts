import type { Answer } from '#src/core/answer.ts'
import {
  pageAnswer,
  pageCharactersAtMost,
  readPage,
  rowsThatFit,
  type Page,
} from '#src/core/page.ts'
import type { Row, Store } from '#src/ports/store.ts'
import type { ApprovalState } from './approval.ts'
import type { ApprovalSeat } from './viewer-row.ts'

/** One page of the approvals that a viewer may see, newest first. @throws Refusal `cursor_invalid` */
export async function seatPage(
  store: Pick<Store, 'approvals' | 'approval_seats'>,
  viewer: string,
  state: ApprovalState | undefined,
  page: Page,
): Promise<Answer<{ items: never[]; next_cursor: string | null }>> {
  const filter = { viewer, ...(state && { state }) }
  const list = `approvals ${viewer} ${state ?? ''}`
  const order = { list, by: 'approval_id', direction: -1 } as const
  const read = (limit: number) => readPage(store.approval_seats, filter, { ...page, limit }, order)
  let seats = await read(page.limit)
  const shown = await approvalsOf(store, seats.rows)
  const fit = rowsThatFit(shown)
  // If they are large, the page and its cursor end with the last one that fits.
  if (fit < shown.length) seats = await read(fit)
  return pageAnswer(
    shown.slice(0, fit).map(({ text }) => text),
    seats.next,
  )
}

async function approvalsOf({ approvals }: Pick<Store, 'approvals'>, seats: Row[]): Promise<Row[]> {
  // The stored text of a seat.
  const ids = seats.map(({ text }) => (JSON.parse(text) as ApprovalSeat).approval_id)
  // In the order of the seats; nothing is read behind what fills the page.
  const newest = { sort: { id: -1 }, charactersAtMost: pageCharactersAtMost } as const
  const found = await approvals.text({ id: { $in: ids } }, newest)
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
