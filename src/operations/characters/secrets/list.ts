import * as z from 'zod'
import { secretsAsked } from '#src/apps/asked-secrets.ts'
import { ownCharacter } from '#src/agents/access.ts'
import { SecretShown, shownSecrets } from '#src/agents/secrets/stored-secrets.ts'
import { operation } from '#src/core/operation.ts'

export const list = operation({
  name: 'characters.secrets.list',
  summary: "List the names of an agent's secrets; values are never returned.",
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/secrets' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: z.object({ items: z.array(SecretShown) }),
  refuses: ['character_not_found', 'forbidden'],

  async run({ char_id }, context) {
    const character = await ownCharacter(context, char_id)
    const [shelf, asked] = await Promise.all([
      context.store.secrets.get(char_id),
      secretsAsked(context, character),
    ])
    return { items: shownSecrets(shelf, asked) }
  },
})
