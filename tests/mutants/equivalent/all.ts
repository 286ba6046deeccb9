import type { Equivalents } from '../equivalents.ts'
import { approvals } from './approvals.ts'
import { commit } from './commit.ts'
import { doors } from './doors.ts'
import { handOffs } from './hand-offs.ts'
import { leases } from './leases.ts'
import { ownership } from './ownership.ts'
import { payments } from './payments.ts'
import { quotas } from './quotas.ts'
import { schedules } from './schedules.ts'
import { visibility } from './visibility.ts'
import { votes } from './votes.ts'

/** By area, the mutants that may survive. */
export const equivalents: Readonly<Record<string, readonly Equivalents[]>> = {
  approvals,
  commit,
  doors,
  'hand-offs': handOffs,
  leases,
  ownership,
  payments,
  quotas,
  schedules,
  visibility,
  votes,
}
