import { purgeRows, type Purge } from '#src/core/counts/purge.ts'

/** Addresses that are no longer told of a chat. */
export const purgePushTargets: Purge = ({ store }, now) =>
  purgeRows(store.push_targets, { expires_at: { $lt: now.toISOString() } })
