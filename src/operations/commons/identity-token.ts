import * as z from 'zod'
import { Audience, IdentityToken, signedIdentity } from '#src/core/credentials/identity-token.ts'
import { operation } from '#src/core/operation.ts'

export const identityToken = operation({
  name: 'commons.identity_token',
  summary: 'Get a signed token by which you say to another service who you are in the Commons.',
  description:
    'A JWT for that service alone, valid for an hour. The service verifies it by the keys at jwks_uri. It is no ' +
    'credential here.',
  example: { audience: 'https://library.example' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/identity-token' },
  toolsets: ['commons'],
  input: z.strictObject({ audience: Audience }),
  output: IdentityToken,
  refuses: [],
  secret: true,

  async run({ audience }, context) {
    const { caller, store, commit } = context
    const { handle: subject, accountId } = caller
    const account = accountId === undefined ? undefined : await store.accounts.get(accountId)
    const kind = accountId === undefined ? 'handle' : 'agent'
    const about = { kind, subject, accountId, claimed: account?.holder_id != null } as const
    return commit(await signedIdentity(context, about, audience), [])
  },
})
