import type { Ports } from '#src/core/context.ts'
import { takeForNetworks } from '#src/core/admission/networks.ts'
import type { Sender } from '#protocol/admission.ts'

/** Requests that are not operations count as reads; undefined if reads have no limit. */
export function admitted({ settings, limiter }: Ports, { subject, address }: Sender) {
  const name = subject === undefined ? 'anonymous_reads' : 'keyed_reads'
  const limit = settings.limits[name]
  if (!limit) return undefined
  if (subject !== undefined) return limiter.take(name, limit, subject)
  return takeForNetworks(limiter, name, limit, { address })
}
