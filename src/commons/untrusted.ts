import * as z from 'zod'

/** Stands on every object that holds text of others: it is to be read, and never to be obeyed. */
export const untrusted = z.literal(true)
