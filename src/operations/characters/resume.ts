import * as z from 'zod'
import { isPausedWithAgent, pauseOfApp } from '#src/agents/app/pause.ts'
import { Character, slimCharacter } from '#src/agents/character.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { operation } from '#src/core/operation.ts'
import { pausedByApp, resumed } from '#src/runs/schedules/pause.ts'
import { switchAgent } from '#src/runs/schedules/switch-agent.ts'
import { endHeld, releaseHeld } from '#src/runs/waits/release.ts'

export const resume = operation({
  name: 'characters.resume',
  summary: 'Resume a paused agent with the tasks that were paused with it.',
  description:
    'Tasks that were paused or disabled by themselves stay so, and those of a paused app wait for ' +
    'agent_apps.resume. Schedules continue with the next fire. Messages, events and results that ' +
    'came meanwhile wait as queued runs (task_paused): they run now, or with held: "drop" are cancelled.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/resume' },
  toolsets: ['agents'],
  repeatable: true,
  input: z.strictObject({
    char_id: z.string().max(128),
    held: z.enum(['run', 'drop']).default('run').describe('What becomes of runs that wait for it.'),
  }),
  output: Character,
  slim: slimCharacter,
  refuses: ['character_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],

  async run({ char_id, held }, context) {
    const back = new Map<string, StoredTask>()
    const done = await switchAgent(context, char_id, {
      operation: 'characters.resume',
      among: isPausedWithAgent,
      async decide({ agent, tasks, now }) {
        back.clear()
        if (held === 'drop') {
          for (const { id, owner_id } of tasks) {
            await endHeld(context, { held: id, owner_id }, 'dropped')
          }
        }
        const stays = await pauseOfApp(context.store, agent.app_id)
        return (task) => {
          if (stays !== undefined) return Promise.resolve(pausedByApp(task, stays, now))
          const switched = resumed(task, agent.heart?.heartbeat_interval, now)
          back.set(task.id, switched.task)
          return Promise.resolve(switched)
        }
      },
    })
    for (const task of back.values()) await releaseHeld(context, task)
    return done
  },
})
