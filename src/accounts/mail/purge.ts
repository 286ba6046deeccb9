import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { timestamp } from '#src/core/time.ts'

/** Deletes mails once what they say is over, sent or not. */
export const purgeMails: Purge = ({ store }, now) =>
  purgeRows(store.mails, { expires_at: { $lt: timestamp(now) } })

/** Deletes links that no longer work. */
export const purgeMailLinks: Purge = ({ store }, now) =>
  purgeRows(store.mail_links, { expires_at: { $lt: timestamp(now) } })
