import * as z from 'zod'
import { agentPauseReason } from '#src/agents/app/pause.ts'
import { Character, slimCharacter } from '#src/agents/character.ts'
import { isQuorumTask, quorumStays } from '#src/agents/tasks/policy/change.ts'
import { refuseOwnerOnly } from '#src/agents/tasks/policy/owner-only.ts'
import { operation } from '#src/core/operation.ts'
import { emitted } from '#src/events/emit.ts'
import { paused, pauseHappening } from '#src/runs/schedules/pause.ts'
import { switchAgent } from '#src/runs/schedules/switch-agent.ts'

export const pause = operation({
  name: 'characters.pause',
  summary: 'Pause a whole agent: all of its tasks stand still until it is resumed.',
  description:
    'Each of its tasks that is enabled is paused as by tasks.pause, in one commit, and says so in its reason: runs ' +
    'under way continue, and what messages, events and results of others bring waits for ' +
    'characters.resume. Tasks that are made meanwhile are not paused.',
  aliases: ['stop the whole agent'],
  example: { char_id: 'ada', reason: 'The sources are being moved.' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/pause' },
  toolsets: ['agents'],
  repeatable: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    reason: z.string().min(1).max(500).default('Paused on request.'),
  }),
  output: Character,
  slim: slimCharacter,
  refuses: [
    'character_not_found',
    'forbidden',
    'owner_only',
    'revision_mismatch',
    'write_conflict',
  ],

  run({ char_id, reason }, context) {
    const why = agentPauseReason(reason)
    return switchAgent(context, char_id, {
      operation: 'characters.pause',
      among: ({ enabled }) => enabled,
      async decide({ tasks, now }) {
        if (!context.caller.setsPolicy && tasks.some(isQuorumTask)) {
          refuseOwnerOnly([quorumStays('/char_id')], context.caller)
        }
        return async (task) => {
          const pausing = paused(task, why, now)
          const happening = pauseHappening(pausing.task, why)
          return { ...pausing, also: await emitted(context.store, happening, now) }
        }
      },
    })
  },
})
