import { taskBytes } from '#src/agents/counted.ts'
import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { parsed } from '#src/core/input/validate.ts'
import { operation } from '#src/core/operation.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { mergedDocument, Warning, withWarnings } from '#src/core/schema.ts'
import { heartbeatOf } from '#src/runs/schedules/rhythm.ts'
import { ownTask } from '#src/agents/tasks/access.ts'
import { asRead, keptTask, publicTask } from '#src/agents/tasks/replace-tasks.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import { admitTaskBytes } from '#src/agents/tasks/admit-bytes.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import type { Write } from '#src/ports/store.ts'
import { guardsRecorded } from '#src/agents/tasks/policy/recorded.ts'
import { admittedTask } from '#src/agents/tasks/policy/admit.ts'
import { patchedTask } from '#src/agents/tasks/stored-task.ts'
import { releaseHeld } from '#src/runs/waits/release.ts'
import { Task, TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'
import { loopWarnings } from '#src/agents/tasks/references/loops.ts'
import { referenceWarnings } from '#src/agents/tasks/references/warnings.ts'
import { taskWarnings } from '#src/agents/tasks/warnings.ts'

export const update = operation({
  name: 'tasks.update',
  summary: 'Change a task: what is sent is merged, everything else stays.',
  description:
    'Objects merge deeply, lists and scalars replace. Enabling clears pause_reason. ' +
    'approval_gate, quorum, tools, autonomy and selected_secrets are for its owner: a key that ' +
    'acts as the agent changes them only with the right policy.',
  use: 'To change the prompt or the schedule of a task, or to switch it on or off.',
  example: { char_id: 'ada', task_id: 'digest', task: { enabled: false } },
  auth: 'key',
  scope: 'agent',
  http: { method: 'PUT', path: '/api/characters/{char_id}/tasks/{task_id}' },
  toolsets: ['core', 'tasks'],
  input: z.strictObject({
    char_id: z.string().max(128),
    task_id: z.string().max(128),
    task: mergedDocument(TaskInput),
  }),
  document: 'task',
  output: Task.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'task_not_found',
    'forbidden',
    'owner_only',
    'revision_mismatch',
    'write_conflict',
    'approval_unreachable',
  ],

  async run({ char_id, task_id, task: patch }, context) {
    if (Object.hasOwn(patch, 'task_id') && patch.task_id !== task_id) {
      const message = 'A task_id never changes.'
      const errors = [{ pointer: '/task/task_id', message, code: 'id_fixed' }]
      return refuse('invalid_input', message, { errors })
    }
    const { caller, clock, sealer, sender } = context
    let enabled: StoredTask | undefined
    const answer = await retryUnmet(async () => {
      const character = await context.store.characters.get(char_id)
      const previous = await ownTask(context, char_id, task_id)
      mustBe(previous.revision, context.expected)
      const whole = parsed(TaskInput, patchedTask(previous, patch), '/task')
      const place = { charId: char_id, previous, at: '/task' }
      const { task: input, inheritsGate, ...admitted } = await admittedTask(context, whole, place)
      const heartbeat = await heartbeatOf(context.store, { ...previous, name: input.name })
      const { owner_id: ownerId, app_id: appId } = previous
      const owner = { charId: char_id, ownerId, appId, heartbeat }
      const options = { previous, pointer: '/task', author: caller, inheritsGate }
      const now = clock.now()
      const task = keptTask(input, owner, now, sealer, options)
      const objection = (url: string): string | undefined => sender.objection(url)
      const servers = character?.brain?.mcps ?? []
      const sent = { previous, sent: patch }
      const noted = taskWarnings(input, { ...sent, objection, servers, heartbeat, now })
      const holder = { charId: char_id, appId, control: character?.control ?? null }
      const named = await referenceWarnings(context, holder, [{ task: input, at: '' }])
      const hooks = character?.brain?.hooks ?? []
      const circle = {
        charId: char_id,
        hooks,
        hooksAt: undefined,
        tasks: [{ task: { ...input, task_id }, at: '' }],
      }
      named.push(...(await loopWarnings(context, ownerId, circle)))
      const isLarge = await admitTaskBytes(context, task, previous)
      enabled = task.enabled && !previous.enabled ? task : undefined
      const revision = isLarge ? character?.revision : admitted.revision
      const bound = { id: char_id, revision }
      const recorded = guardsRecorded('tasks.update', { before: previous, after: task }, now)
      const write: Write = { in: 'tasks', update: asRead(previous), replace: task }
      return commitAudited(
        context,
        withWarnings(publicTask(task), [...admitted.warnings, ...noted, ...named]),
        [write, touched(bound, task.updated_at), ...recorded.writes],
        recorded.note,
        { revision: task.revision, bytes: taskBytes([task]) - taskBytes([previous]) },
      )
    })
    if (enabled) await releaseHeld(context, enabled)
    return answer
  },
})
