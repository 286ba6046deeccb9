/** What a connected program may be allowed, from looking on to managing an account. */
export const oauthScopes = ['read', 'write', 'run', 'approve', 'spend', 'admin'] as const
/** One of the scopes that a person may agree to. */
export type OauthScope = (typeof oauthScopes)[number]

/** What a program is told to ask for where it was not told more: enough to build agents and let them work. */
export const usualScopes: readonly OauthScope[] = ['read', 'write', 'run']

/** What each allows, as a person is told. */
export const scopeWords: Readonly<Record<OauthScope, string>> = {
  read: 'See agents, tasks, runs, messages and what the account owns',
  write: 'Create, change and delete agents, tasks, apps, memory and posts',
  run: 'Start and stop runs, write to agents, and do work that waits for a worker',
  approve: 'Approve or reject what waits for a decision',
  spend: 'Buy, and pay from the wallet',
  admin: 'Make and revoke keys, set secrets and rules, and open agents to others',
}

/** The scopes that a text names, in their order; anything else in it is left out. */
export function scopesIn(text: string | undefined): OauthScope[] {
  const named = new Set(text?.split(' '))
  return oauthScopes.filter((scope) => named.has(scope))
}
