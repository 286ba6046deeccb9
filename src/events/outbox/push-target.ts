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

/** What the receiver is told to know the service by. */
export interface TargetSecrets {
  token?: string
  credentials?: string
}

/** What the secrets of a target are sealed for. */
export function targetSeal(id: string): { id: string; purpose: string } {
  return { id, purpose: 'push_target' }
}
