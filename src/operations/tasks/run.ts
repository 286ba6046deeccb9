import * as z from 'zod'
import { callerNamed } from '#src/core/credentials/actor.ts'
import { keyActor } from '#src/core/credentials/actor.ts'
import { Moment, textsAtMost } from '#src/core/schema-parts.ts'
import { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { recordUpTo } from '#src/core/input/record.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { newRun, publicRun } from '#src/runs/new-run.ts'
import { awaitEnd } from '#src/runs/await-end.ts'
import { endInTurn } from '#src/runs/output/remember.ts'
import { instantOutcome } from '#src/runs/ending/instant.ts'
import { announce, instantEnding } from '#src/runs/ending/end-run.ts'
import { textWithNext, withNext } from '#src/runs/next.ts'
import { noticePlace } from '#src/runs/notices/untold.ts'
import { Run, slimRun, type StoredRun } from '#src/runs/run.ts'
import { laterTime, waitingForTime } from '#src/runs/waits/not-before.ts'
import { lacksModel } from '#src/runs/runtimes/prompt/choose-model.ts'
import { ownTask } from '#src/agents/tasks/access.ts'

/** The caller is here, and is told of a failure by the answer. */
async function answered({ store }: Context<'key'>, { id, ...run }: StoredRun): Promise<void> {
  await store.runs.update({ id, untold: noticePlace(run) }, { $unset: { untold: true } })
}

export const run = operation({
  name: 'tasks.run',
  summary: 'Run a task now, and wait for the result if asked to.',
  description:
    'A template task has already ended in the answer. Otherwise, without wait_seconds, the ' +
    'queued run is returned at once, and runs.get shows its result, runs.list all that it sets ' +
    'off; a prompt task without a model waits for an agent that leases it, and one with an ' +
    'approval gate for approvals.decide. A disabled task runs too: enabled applies only to its ' +
    'triggers.',
  use: 'To start the job. Next: runs_list waits for its chain; or runs_lease.',
  aliases: ['create run', 'start run', 'start job'],
  example: { char_id: 'ada', task_id: 'digest', input: 'Long text …', wait_seconds: 10 },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: {
    method: 'POST',
    path: '/api/characters/{char_id}/tasks/{task_id}/run',
    mayAccept: true,
  },
  toolsets: ['core', 'tasks', 'runs'],
  view: 'run',
  role: 'run_task',
  input: z.strictObject({
    char_id: z.string().max(128),
    task_id: z.string().max(128),
    input: z.json().optional().describe('{{input}} and, by name, {{member}} of the prompt.'),
    variables: recordUpTo(textsAtMost, z.string()).optional(),
    wait_seconds: z.int().min(0).max(60).default(0),
    not_before: Moment.optional().describe('Begin then.'),
  }),
  output: Run,
  slim: slimRun,
  says: ['next'],
  refuses: ['character_not_found', 'task_not_found', 'forbidden', 'write_conflict'],

  async run({ char_id, task_id, input, variables, wait_seconds, not_before }, context) {
    const { caller, clock, commit, quotas } = context
    const task = await ownTask(context, char_id, task_id)
    const now = clock.now()
    const by = callerNamed(caller)
    const trigger = { type: 'manual', at: timestamp(now), caller: by }
    const hasNoModel = lacksModel(context.models, task)
    const notBefore = laterTime(not_before, now)
    const start = { trigger, input, variables, hasNoModel, notBefore, startedBy: keyActor(caller) }
    const made = newRun(task, start, now)
    const queued = notBefore === undefined ? made : waitingForTime(made, notBefore)
    const outcome = notBefore === undefined ? instantOutcome(queued, task) : undefined
    // A run that ends at once takes no room in the queue. The check that counts for the day comes
    // last.
    if (!outcome) await quotas.admit('queued_runs', caller)
    await quotas.admit('runs_a_day', caller)
    if (outcome) {
      // What it starts depends on what others may change or make meanwhile.
      return retryUnmet(async () => {
        const { ending, ended } = await endInTurn(task, async () => {
          const made = await instantEnding(context, queued, outcome, now, task)
          return { ending: made, ended: await commit(publicRun(made.run), made.writes) }
        })
        await announce(context, ending)
        return ended
      })
    }
    const waited =
      wait_seconds > 0 ? awaitEnd(context, queued.id, wait_seconds, context.signal) : undefined
    const insert: Write = { in: 'runs', insert: queued }
    const accepted = await commit(withNext(publicRun(queued)), [insert], {
      pending: true,
    }).catch((cause: unknown) => {
      waited?.giveUp()
      throw cause
    })
    if (!waited) return accepted
    context.progress?.(`${queued.id} is ${queued.status}`)
    const settled = await waited.settled()
    if (settled) {
      if (settled.hasEnded && !context.signal?.aborted) await answered(context, queued)
      return new Answer(textWithNext(settled.row.text), { pending: !settled.hasEnded })
    }
    const [row] = await context.store.runs.text({ id: queued.id })
    return row ? new Answer(textWithNext(row.text), { pending: true }) : accepted
  },
})
