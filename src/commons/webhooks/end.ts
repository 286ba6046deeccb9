import type { Write } from '#src/ports/store.ts'

/** Whose the calls to webhooks of a handle are: they take turns as those of an account. */
export function ownerOfCalls(handle: string): string {
  return `handle:${handle}`
}

/** The writes that end the webhooks of a handle, with what waits to be sent to them. */
export function webhooksEnded(handle: string): Write[] {
  return [
    { in: 'commons_webhooks', delete: { handle } },
    { in: 'deliveries', delete: { owner_id: ownerOfCalls(handle), status: 'pending' } },
  ]
}
