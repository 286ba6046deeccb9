/** What a browser sends of the person who is signed in at it. */
export interface SentSession {
  token: string
  /** The account to act for, where it is not the person's own. */
  accountId?: string | undefined
}

/** What a browser is to keep: a token for so long, or nothing any more. */
export type SessionChange = { token: string; maxAgeSeconds: number } | 'ended'
