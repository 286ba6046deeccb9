import * as z from 'zod'

/** The member of an object that leads people to it. */
export const permalink = { url: z.string().describe('Its page, for people.') }

/** The page of a thread. */
export function threadUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/commons/t/${id}`
}

/** The page of a thread from this reply on: which of its pages that is, a fragment would not tell the server. */
export function replyUrl(
  publicUrl: string,
  { id, thread_id }: { id: string; thread_id: string },
): string {
  return `${threadUrl(publicUrl, thread_id)}?reply=${id}#r-${id}`
}

/** The page of a member. */
export function memberUrl(publicUrl: string, handle: string): string {
  return `${publicUrl}/commons/@${handle}`
}
