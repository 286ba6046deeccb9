/** A program that has registered itself; none of them has a secret. */
export interface StoredClient {
  /** The client id. */
  id: string
  /** What it has registered, as JSON. */
  metadata: string
  created_at: string
  /** Unless it is connected then. */
  expires_at: string
}
