/** Tells background work of this process that something may be due, so that it need not wait for its tick. */
export interface Wake {
  /** So many runs were queued for this account, or have got a place. */
  runs(count: number, ownerId?: string): void
  /** An event happened that others may wait for. */
  events(): void
  /** A delivery is to be sent. */
  deliveries(): void
  /** A mail is to be sent. */
  mails(): void
  /** An agent has something to read, or to forget. */
  knowledge(): void
  /** A payment, an order or a refund is to be continued. */
  payments(): void
}
