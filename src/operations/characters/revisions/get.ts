import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { Character } from '#src/agents/character.ts'
import { keptRevision } from '#src/agents/revisions.ts'
import { RevisionShown } from '#src/agents/revision-record.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'characters.revisions.get',
  summary: 'Read an agent with its tasks as it was before a change.',
  description: 'To compare it with what characters.get reads, before it is restored.',
  example: { char_id: 'ada', revision: 3 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/revisions/{revision}' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), revision: z.int().min(1) }),
  output: RevisionShown.extend({ character: Character }),
  refuses: ['character_not_found', 'forbidden', 'revision_not_found'],

  async run({ char_id, revision }, context) {
    await ownRow(context, char_id)
    const { actor, created_at, changed, character } = await keptRevision(
      context.store,
      char_id,
      revision,
    )
    const shown = JSON.stringify({ revision, actor, created_at, changed })
    return new Answer(`${shown.slice(0, -1)},"character":${character}}`)
  },
})
