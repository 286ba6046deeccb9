/** What a browser sends for the person who is signed in. */
export interface SentSession {
  token: string
  /** The account to act for, if it is not the one that the session has chosen, or else the person's own. */
  accountId?: string | undefined
}

/** What a browser keeps from now on: a token for so long, or no token. */
export type SessionChange = { token: string; maxAgeSeconds: number } | 'ended'
