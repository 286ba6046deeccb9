/**
 * A message that somebody sent to a hosted agent, with the run that came of it: a task of A2A. Kept as
 * long as its run.
 */
export interface ChatTask {
  /** Of the run, and of the task of A2A. */
  id: string
  char_id: string
  /** The account of the agent, which sees it too: the id alone may be somebody else's later. */
  owner_id: string
  /** The task that runs. */
  task_id: string
  /** Who sent it, as idempotency knows them: only they see it. */
  caller: string
  /** The conversation that it belongs to. */
  context_id: string
  /** The sender's own id of the message. */
  message_id: string
  created_at: string
  /**
   * Counts what its notifications rest on: every change of its targets, and of how the task stands
   * once it has some. Missing counts as 0.
   */
  told?: number
  /** How many targets it has; missing is none. */
  targets?: number
  /** The state of the protocol that its targets were told last. */
  state?: string
  /** When its last run ended. */
  ended_at?: string
}
