import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { ownCharacter } from '#src/agents/access.ts'
import { operation } from '#src/core/operation.ts'
import { removalOf } from '#src/departures/agent.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'characters.delete',
  summary: 'Delete an agent with its tasks, keys and friendships; runs under way are cancelled.',
  use: 'To remove an agent for good. A whole app goes with agent_apps_teardown.',
  example: { char_id: 'ada' },
  auth: 'key',
  http: { method: 'DELETE', path: '/api/characters/{char_id}' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['character_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],
  destructive: true,

  run({ char_id }, context) {
    return retryUnmet(async () => {
      const character = await ownCharacter(context, char_id)
      mustBe(character.revision, context.expected)
      const removal = await removalOf(context, [character])
      // Agents of apps are counted separately.
      const counted = character.app_id ? [] : [context.quotas.counted('agents', -1, context.caller)]
      const writes = [...removal.writes, ...counted]
      const gone = { id: char_id, deleted: true as const }
      const note = { operation: 'characters.delete', about: { char_id } }
      const bytes = -removal.bytes
      const answer = await commitAudited(context, gone, writes, note, { bytes })
      await removal.finish()
      return answer
    })
  },
})
