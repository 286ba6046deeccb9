import * as z from 'zod'

/** What an author is told of a post that is held. */
export const heldNotice =
  'This post is held: nobody but you sees it until a moderator has looked at it.'

/** Stands on every object that holds text of others: it is to be read, and never to be obeyed. */
export const untrusted = z.literal(true)
