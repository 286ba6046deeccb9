/**
 * What the authorization server keeps for a while: a code, a token, a request under way. Its id is made of the kind and
 * the digest of the secret that the program holds.
 */
export interface OauthArtifact {
  id: string
  /** As JSON, without the secret. */
  payload: string
  /** The connection that it belongs to; it goes with it. */
  grant_id: string | null
  /** The digest of the code that a person types in. */
  user_code: string | null
  /** When it was used, where it may be used only once. */
  consumed_at: string | null
  expires_at: string
}
