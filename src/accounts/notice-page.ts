import { openCursor, sealCursor, type Order, type Page } from '#src/core/page.ts'
import type { Store } from '#src/ports/store.ts'
import { isOpenNotice, shownTo, type OwnerNotice } from './notice.ts'

/** So many notices are looked at for those that are asked for; then the page ends, and its cursor goes on. */
const lookedAtMost = 1000
const lookedAtOnce = 100

/** A notice as its reader is shown it, and who has read it. */
export interface Read {
  id: string
  readers: string[]
  shown: OwnerNotice
}

/** Which notices are asked for; by default all. */
export interface Wanted {
  /** Those that this reader has not read. */
  unread?: boolean
  /** Those whose cause is not known to be gone. */
  open?: boolean
}

/** A page of the notices to an account, newest first. */
export async function noticePage(
  store: Pick<Store, 'notices'>,
  accountId: string,
  reader: string,
  { limit, cursor }: Page,
  { unread = false, open = false }: Wanted = {},
): Promise<{ notices: Read[]; next: string | null }> {
  const list = `inbox ${accountId} ${unread}${open ? ' open' : ''}`
  const order: Order = { list, by: 'id', direction: -1 }
  const notices: Read[] = []
  const after = (id: string): string => sealCursor(order, [id, id])
  let below = cursor && openCursor(order, cursor)[1]
  for (let looked = 0; looked < lookedAtMost; looked += lookedAtOnce) {
    const filter = { owner_id: accountId, ...(below !== undefined && { id: { $lt: below } }) }
    const stored = await store.notices.find(filter, { sort: { id: -1 }, limit: lookedAtOnce })
    for (const one of stored) {
      const shown = shownTo(reader, one)
      if ((unread && shown.read) || (open && !isOpenNotice(shown))) continue
      const last = notices.at(-1)
      if (last && notices.length === limit) return { notices, next: after(last.id) }
      notices.push({ id: one.id, readers: one.readers ?? [], shown })
    }
    if (stored.length < lookedAtOnce) return { notices, next: null }
    below = stored.at(-1)?.id
  }
  return { notices, next: below === undefined ? null : after(below) }
}
