import { purgeRows, type Purge } from '#src/core/counts/purge.ts'

/** Purges targets that get no more notifications. */
export const purgePushTargets: Purge = ({ store }, now) =>
  purgeRows(store.push_targets, { expires_at: { $lt: now.toISOString() } })
