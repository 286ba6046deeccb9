/** What is done inside each transaction, besides its writes. */
export interface TransactionDuties {
  /** Called inside each transaction before its writes. */
  begin(): void
  /** Called inside each transaction after its writes. */
  end(): void
  /** Called once the transaction is committed, before it is durable. */
  committed(): void
}

/** What is done about a transaction that is open over turns of the event loop. */
export interface PortionDuties {
  /** Does the work of a transaction, marked for the watchdog of the event loop. */
  during<T>(work: () => T): T
  /**
   * Called before the event loop goes on: until `goOn`, no read may see the transaction.
   * @returns whether that is possible
   */
  pause(): boolean
  /** Called when the transaction goes on. */
  goOn(): void
}

/** What must be done about SQLite's log, and told to other processes. */
export interface LogDuties extends TransactionDuties, PortionDuties {
  /** Makes everything committed durable. */
  sync(): Promise<void>
  /** Called between two transactions; the next one waits for the returned promise. */
  between(): Promise<void> | undefined
}
