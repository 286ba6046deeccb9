/**
 * A message sent to a hosted agent, with the run that it started: a task of A2A. Kept as long as its
 * run.
 */
export interface ChatTask {
  /** Of the run, and of the task of A2A. */
  id: string
  char_id: string
  /** The account of the agent, which sees it too: the id alone may belong to another account later. */
  owner_id: string
  /** The task that runs. */
  task_id: string
  /** The sender, as idempotency identifies it: only it sees the task. */
  caller: string
  /** The conversation that it belongs to. */
  context_id: string
  /** The sender's own id of the message. */
  message_id: string
  created_at: string
  /** The channel that it came in by, and how it is answered there. */
  channel?: {
    name: string
    to: string
    thread?: string
    answers?: string
    subject?: string
  }
  /** An address that answers this message alone, under the master key. */
  sealed_answer?: string
  /**
   * Counts every change of its targets and, once it has some, of the state of the task: notifications
   * depend on it. Missing counts as 0.
   */
  told?: number
  /** How many targets it has; missing is none. */
  targets?: number
  /** The last protocol state sent to its targets. */
  state?: string
  /** When its last run ended. */
  ended_at?: string
}
