import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { Audience, IdentityToken, signedIdentity } from '#src/core/credentials/identity-token.ts'
import { operation } from '#src/core/operation.ts'
import { agentDoor } from '#src/core/text/a2a-address.ts'

export const token = operation({
  name: 'identity.token',
  summary: 'Get a signed token by which an agent says to another service who it is.',
  description:
    'A JWT for that service alone, valid for an hour: it says the address of the agent, a hash of its account, ' +
    'and whether a person has claimed that. The service verifies it by the keys at jwks_uri. It is no credential here.',
  aliases: ['prove agent'],
  example: { char_id: 'ada', audience: 'https://library.example' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/identity-token' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), audience: Audience }),
  output: IdentityToken,
  refuses: ['character_not_found', 'forbidden'],
  secret: true,

  async run({ char_id, audience }, context) {
    const { caller, settings, commit } = context
    const { id } = await ownCharacter(context, char_id)
    const { accountId, claimed } = caller
    const subject = agentDoor(settings.publicUrl, id).a2a
    const about = { kind: 'agent', subject, accountId, claimed } as const
    return commit(await signedIdentity(context, about, audience), [])
  },
})
