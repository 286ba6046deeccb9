import * as z from 'zod'
import { callerNamed } from '#src/core/credentials/actor.ts'
import { admitBytesOf, senderOf } from '#src/accounts/room.ts'
import { actorFor } from '#src/core/credentials/actor.ts'
import { textUpTo } from '#src/core/schema-parts.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import { call } from '#src/core/words/reference.ts'
import { invokerOf } from '#src/runs/triggers/action-access.ts'
import { startedRuns } from '#src/runs/triggers/start.ts'
import { arrivingBytes } from '#src/runs/retention/bytes.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { actionCall } from '#src/agents/tasks/calls.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

export const invoke = operation({
  name: 'actions.invoke',
  summary: 'Invoke an action of one of your agents, or of a friend that allows it.',
  description:
    'Every enabled task with an enabled action trigger of that name runs; a trigger without a ' +
    "name has its task's name. Callers other than the owner need an accepted friendship with the " +
    'permission run_task.',
  example: { char_id: 'ada', name: 'translate', input: { text: 'Guten Tag' } },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/characters/{char_id}/actions/{name}', status: 202 },
  toolsets: ['tasks', 'runs'],
  input: z.strictObject({
    char_id: z.string().max(128),
    name: textUpTo(200).min(1),
    input: z.json().optional(),
  }),
  output: z.object({
    runs: z.array(z.string()).describe('A skipped run says why it was not started.'),
  }),
  refuses: ['character_not_found', 'forbidden', 'action_not_found'],

  async run({ char_id, name, input }, context) {
    const { caller, clock, commit } = context
    const { agent, invoker } = await invokerOf(context, char_id)
    const tasks = await tasksOf(context, [char_id], { awaited_calls: { $all: [actionCall(name)] } })
    const acting = tasks.filter((task) => isAction(task, name))
    if (acting.length === 0) {
      return refuse('action_not_found', `The agent "${char_id}" has no action "${name}".`, {
        hint: `An action is a trigger of one of its tasks: ${call('tasks.list', { char_id })} shows them to its owner.`,
      })
    }
    const sender = senderOf(context, agent.owner_id)
    const bytes = acting.length * arrivingBytes({ input, variables: null })
    if (invoker.friendId !== null) await admitBytesOf(context, agent.owner_id, { sender, bytes })
    const now = clock.now()
    const by = invoker.friendId === null ? callerNamed(caller) : { char_id: invoker.friendId }
    const trigger = { type: 'action', at: timestamp(now), caller: { action: name, ...by } }
    const startedBy = actorFor(agent.owner_id, caller)
    const friend = { accountId: caller.accountId, charId: invoker.friendId ?? undefined }
    const source = sourceOf(friend, 'action', agent.owner_id)
    const started = await startedRuns(
      context,
      acting,
      { trigger, input: input ?? null, sender, source, startedBy },
      now,
    )
    return commit({ runs: started.ids }, started.writes)
  },
})

function isAction(task: StoredTask, name: string): boolean {
  if (!task.enabled) return false
  return task.triggers.some(
    ({ type, enabled, config }) =>
      type === 'action' && enabled && (config.name || task.name) === name,
  )
}
