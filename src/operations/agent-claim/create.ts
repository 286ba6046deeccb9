import { theOnlyPlace } from '#src/core/admission/misplaced.ts'
import { holdsCredential } from '#src/core/credentials/stray.ts'
import * as z from 'zod'
import { newApiKey, type Account, type Claim } from '#src/accounts/account.ts'
import { connections, Connections } from '#src/accounts/connections.ts'
import { digest, newId, newToken } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { sealer } from '#src/core/seal.ts'
import { openSignUp } from '#src/core/admission/sign-up-mode.ts'
import { Invitation } from '#src/core/admission/sign-up.ts'
import { isPlain } from '#src/core/text/text.ts'
import { timestamp } from '#src/core/time.ts'

export const create = operation({
  name: 'agent_claim.create',
  summary: 'Get a working API key with no account and no person involved.',
  description:
    'Keep api_key and token secret: anyone who holds the token can read the key back. Set the ' +
    'key as the header "Authorization: Bearer ab_…" of the connection. claim_url is for a person ' +
    'who may take over the account later; the key works with or without that.',
  use: 'First, if this connection has no key. Set the api_key as its header "Authorization: Bearer …"; keep the token.',
  aliases: ['create register'],
  example: { name: 'Ada' },
  auth: 'none',
  http: { method: 'POST', path: '/api/agent-claim' },
  toolsets: ['core', 'account'],
  role: 'give_key',
  input: z.looseObject({
    name: z
      .string()
      .max(100)
      .refine(isPlain, 'A name must not contain control or invisible characters.')
      .optional()
      .describe('A name for the account.'),
    invitation: Invitation,
  }),
  output: z.object({
    claim_url: z.string(),
    token: z.string(),
    api_key: z.string(),
    connect: Connections,
    warnings: z.array(Warning).optional(),
  }),
  refuses: ['sign_up_closed'],
  limits: ['agent_claim', 'agent_claim_all'],
  secret: true,
  signUp: openSignUp,

  run(input, { clock, commit, settings }) {
    const now = clock.now()
    const { name, invitation: _, ...unknown } = input
    const account: Account = {
      id: newId('acc'),
      kind: 'agent',
      plan: 'free',
      holder_id: null,
      name: name ?? null,
      created_at: timestamp(now),
    }
    const key = newApiKey(account, name ?? 'First key', null, now)
    const token = newToken('act')
    const code = newToken('act')
    const id = newId('clm')
    const claim: Claim = {
      id,
      account_id: account.id,
      key_id: key.record.id,
      token_hash: digest(token),
      code_hash: digest(code),
      sealed_key: sealer(token).seal(key.raw, { id, purpose: 'claim' }),
      status: 'active',
      created_at: account.created_at,
    }
    const warnings = Object.entries(unknown).map(([member, value]) => ({
      code: 'member_ignored',
      pointer: `/${member}`,
      message: ignored(member, value),
    }))
    const answer = {
      claim_url: `${settings.publicUrl}/claim/${code}`,
      token,
      api_key: key.raw,
      connect: connections(settings.publicUrl, key.raw),
    }
    return commit(withWarnings(answer, warnings), [
      { in: 'accounts', insert: account },
      { in: 'usage', insert: { id: account.id, agents: 0, apps: 0, bytes: 0 } },
      { in: 'api_keys', insert: key.record },
      { in: 'claims', insert: claim },
    ])
  },
})

function ignored(member: string, value: unknown): string {
  const words = `There is no member "${member}" here; it was ignored.`
  if (!holdsCredential(value)) return words
  return `${words} It holds a credential: ${theOnlyPlace} The account of this answer is another one.`
}
