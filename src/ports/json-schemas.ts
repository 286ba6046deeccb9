/** What does not fit, as JSON Pointer into the value and in words. */
export interface Misfit {
  pointer: string
  message: string
}

/** Checks values against JSON Schemas of the dialect 2020-12 that were checked when they were written. */
export interface JsonSchemas {
  /**
   * What of the value does not fit, at most ten; none where it fits. A value that takes too long to check does
   * not fit either. The event loop is not held.
   * @param accountId whose values take turns with those of others
   * @throws Refusal `unavailable` if too many large values wait
   */
  misfits(
    schema: Readonly<Record<string, unknown>>,
    value: unknown,
    accountId: string,
  ): Promise<Misfit[]>
  /**
   * The same for work of which only so much is done at a time: its checks wait where others are refused.
   * @param signal ends the waiting with its reason
   */
  patient(signal?: AbortSignal): JsonSchemas
  close(): Promise<void>
}
