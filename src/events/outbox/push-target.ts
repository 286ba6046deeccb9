/** Where changes of a chat task are sent. */
export interface PushTarget {
  /** The id of the task and the target's own id, separated by a space. */
  id: string
  /** The id of the chat task. */
  chat_id: string
  config_id: string
  char_id: string
  /** Who set it, as idempotency identifies them. */
  caller: string
  /** It was set by the account of the agent, which is told more about faults. */
  is_own: boolean
  /** The account whose budget of called hosts it counts against. */
  payer: string
  /** The protocol version in which it was set and is addressed. */
  version: '1.0' | '0.3'
  url: string
  /** The scheme of the `Authorization` header; null if none was given. */
  scheme: string | null
  /** The receiver's token and credentials, sealed under the master key; null if none were sent. */
  sealed: string | null
  /** It answered that it wants nothing any more. */
  is_gone: boolean
  /** The connection of the program that set it: it is told nothing any more once that ends. */
  made_by?: string
  created_at: string
  /** Set once its task has ended: how long it is kept for what still waits. */
  expires_at?: string
}

/** What the receiver recognises the service by. */
export interface TargetSecrets {
  token?: string
  credentials?: string
}

/** What the seal of a target's secrets is bound to. */
export function targetSeal(id: string): { id: string; purpose: string } {
  return { id, purpose: 'push_target' }
}
