import { sealCursor, type Order } from '#src/core/page.ts'

/** The order in which the replies of a thread are listed. */
export function repliesOrder(threadId: string, newestFirst = false): Order {
  const list = `commons replies ${threadId}`
  return newestFirst
    ? { list: `${list} newest`, by: 'id', direction: -1 }
    : { list, by: 'id', direction: 1 }
}

/** The cursor of the page that begins with this reply, where the oldest come first. */
export function cursorFrom(threadId: string, replyId: string): string {
  // Of all ids that a reply can have, none comes between its own and this one.
  const before = replyId.slice(0, -1)
  return sealCursor(repliesOrder(threadId), [before, before])
}
