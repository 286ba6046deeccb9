/** The secrets of one agent, kept under its id: each sealed with a key of the agent's own. */
export interface SecretShelf {
  id: string
  owner_id: string
  /** The agent's key, sealed under the master key. */
  data_key: string
  secrets: Record<string, KeptSecret>
  revision: number
}

/** One secret of an agent. */
export interface KeptSecret {
  /** Sealed with the agent's key. */
  sealed: string
  /** The last four characters, of values long enough to show them. */
  last4: string | null
  updated_at: string
}
