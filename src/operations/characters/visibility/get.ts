import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { Visibility } from '#src/agents/visibility/visibility.ts'
import { AgentDoor, agentDoor } from '#src/core/text/a2a-address.ts'
import { answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'characters.visibility.get',
  summary: 'Read what others may see and use of an agent.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/visibility' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  description: 'links has the A2A door of the agent, and its card.',
  output: Visibility.extend({ links: AgentDoor }),
  refuses: ['character_not_found', 'forbidden'],

  async run({ char_id }, context) {
    const { visibility, revision } = await ownCharacter(context, char_id)
    const links = agentDoor(context.settings.publicUrl, char_id)
    return answer({ ...(visibility ?? Visibility.parse({})), links }, { revision })
  },
})
