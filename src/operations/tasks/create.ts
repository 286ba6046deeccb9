import { taskBytes } from '#src/agents/counted.ts'
import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { members } from '#src/core/input/loose.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import { call } from '#src/core/words/reference.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import { pauseOfApp } from '#src/agents/app/pause.ts'
import { keptTask, publicTask } from '#src/agents/tasks/replace-tasks.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import { admitTaskBytes } from '#src/agents/tasks/admit-bytes.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { guardsRecorded } from '#src/agents/tasks/policy/recorded.ts'
import { admittedTask } from '#src/agents/tasks/policy/admit.ts'
import { Task, TaskInput, taskKey } from '#src/agents/tasks/task.ts'
import { loopWarnings } from '#src/agents/tasks/references/loops.ts'
import { referenceWarnings } from '#src/agents/tasks/references/warnings.ts'
import { taskWarnings } from '#src/agents/tasks/warnings.ts'

export const create = operation({
  name: 'tasks.create',
  summary: 'Give an agent a task.',
  description:
    'Only a name is required. runtime null or prompt: an agent with a key leases the run and ' +
    'does the work (runs.lease); template: the rendered prompt is the output; api: an HTTP call. ' +
    "A key that acts as the agent adds only tools and secrets that the agent's tasks have, and a " +
    'task that shares a target, origin or tool with a gated one inherits its gate.',
  use: 'For work when asked, on a schedule (triggers) or after another task (output_sharing). Next: tasks_run.',
  example: {
    char_id: 'ada',
    task: { task_id: 'digest', name: 'Digest', prompt: 'Sum up: {{input}}', runtime: 'template' },
  },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/tasks', status: 201 },
  toolsets: ['core', 'tasks'],
  input: z.strictObject({ char_id: z.string().max(128), task: TaskInput }),
  document: 'task',
  output: Task.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'owner_only',
    'task_id_taken',
    'write_conflict',
    'approval_unreachable',
  ],

  run({ char_id, task: sent }, context) {
    const { caller, clock, sealer, sender } = context
    return retryUnmet(async () => {
      const character = await ownCharacter(context, char_id)
      const { owner_id: ownerId, app_id: appId, heart } = character
      const pause = await pauseOfApp(context.store, appId)
      const heartbeat = heart?.heartbeat_interval
      const owner = { charId: char_id, ownerId, appId, heartbeat, pause }
      const ids = sent.task_id === null ? [] : [taskKey(char_id, sent.task_id)]
      const firstRevision = await firstRevisions(context.store, 'tasks', ids)
      const {
        task: input,
        inheritsGate,
        ...admitted
      } = await admittedTask(context, sent, {
        charId: char_id,
        at: '/task',
      })
      const options = { pointer: '/task', firstRevision, author: caller, inheritsGate }
      const now = clock.now()
      const task = keptTask(input, owner, now, sealer, options)
      const objection = (url: string): string | undefined => sender.objection(url)
      const { control } = character
      const noted = taskWarnings(input, {
        objection,
        sent: members(context.sent).task,
        control,
        servers: character.brain?.mcps ?? [],
        heartbeat: owner.heartbeat,
        now,
      })
      const holder = { charId: char_id, appId, control }
      const named = await referenceWarnings(context, holder, [{ task: input, at: '' }])
      const hooks = character.brain?.hooks ?? []
      const circle = {
        charId: char_id,
        hooks,
        hooksAt: undefined,
        tasks: [{ task: input, at: '' }],
      }
      named.push(...(await loopWarnings(context, ownerId, circle)))
      const isLarge = await admitTaskBytes(context, task)
      // What pauses its app meanwhile changes the agent.
      const revision = isLarge || appId !== null ? character.revision : admitted.revision
      const bound = { id: char_id, revision }
      const recorded = guardsRecorded('tasks.create', { after: task }, now)
      return commitAudited(
        context,
        withWarnings(publicTask(task), [...admitted.warnings, ...noted, ...named]),
        [{ in: 'tasks', insert: task }, touched(bound, task.updated_at)],
        recorded.note,
        { revision: task.revision, bytes: taskBytes([task]) },
      ).catch((cause: unknown) => {
        if (!(cause instanceof DuplicateKey) || cause.in !== 'tasks') throw cause
        return refuse('task_id_taken', `The agent already has a task "${task.task_id}".`, {
          hint: `${call('tasks.update', { char_id, task_id: task.task_id })} changes it.`,
          cause,
        })
      })
    })
  },
})
