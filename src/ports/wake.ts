/** Tells the background work of this process that something may be due, so that it need not wait for its next tick. */
export interface Wake {
  /** That many runs were queued for this account, or have found a place. */
  runs(count: number, ownerId?: string): void
  /** Something happened that others may wait for. */
  events(): void
  /** A call is owed to an address outside. */
  deliveries(): void
  /** An agent has something to read, or to forget. */
  knowledge(): void
  /** A payment, an order or a refund is to be gone on with. */
  payments(): void
}
