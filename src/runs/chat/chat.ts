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

/** Where changes of a chat task are sent to. */
export interface PushTarget {
  /** Of the task and the target's own id, with a blank between them. */
  id: string
  /** Of the chat task. */
  chat_id: string
  config_id: string
  char_id: string
  /** Who set it, as idempotency knows them. */
  caller: string
  /** They are the account of the agent, which is told more of what went wrong. */
  is_own: boolean
  /** Whose budget of places called it counts against. */
  payer: string
  /** The version of the protocol that it was set in, and is spoken to in. */
  version: '1.0' | '0.3'
  url: string
  /** Of the `Authorization` that it is sent; null where none was named. */
  scheme: string | null
  /** The receiver's token and credentials, sealed under the master key; null where none were sent. */
  sealed: string | null
  /** It answered that it wants nothing any more. */
  is_gone: boolean
  created_at: string
  /** Once its task has ended: until when it is kept for what still waits. */
  expires_at?: string
}
