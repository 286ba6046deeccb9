import { must } from './screen.ts'
import type { Run, Stage } from './stage.ts'

interface Page<T> {
  items: T[]
}

interface Message {
  id: string
  from: string
  body: string
  runs: string[]
}

/**
 * Reads what the first run's result set going at a second agent, by `target_task_id`.
 * @returns the second run
 */
export async function readHandoff(stage: Stage, first: string): Promise<Run> {
  const { screen, a2a, rest, idOf } = stage
  return screen.step(
    'The result was handed to Tomasz: output sharing names his task',
    'A2A, runs.list; REST, GET /api/runs/{run_id}/events and /api/runs/{run_id}',
    async (say) => {
      const family = await a2a.call<Page<Run>>('runs.list', { root_run_id: first })
      const handed = family.items.find((run) => run.parent_run_id === first)
      must(handed?.char_id === idOf('editor'), 'the editor has no run of the forecast')
      const events = await rest.follow(handed.id)
      say(`${handed.id} of ${handed.char_id}: ${events.join(', ')}`)
      const run = await rest.call<Run>('GET', `/api/runs/${handed.id}`)
      must(run.status === 'completed', `the run is ${run.status}: ${run.error?.message}`)
      say(String(run.output))
      return run
    },
  )
}

/** Reads what the second run's result set going at a third agent, as a message. */
export async function readMessage(stage: Stage, second: Run): Promise<void> {
  const { screen, a2a, rest, idOf } = stage
  await screen.step(
    'Tomasz’s result went on as a message: Nilufar’s task has a message trigger',
    'A2A, messages.list; REST, GET /api/runs/{run_id}',
    async (say) => {
      const inbox = await a2a.call<Page<Message>>('messages.list', {
        char_id: idOf('harbourmaster'),
        with: idOf('editor'),
      })
      const [message] = inbox.items
      must(message?.from === idOf('editor'), 'there is no message of the editor')
      const [runId] = message.runs
      must(runId !== undefined, 'the message started no run')
      say(`${message.id} of ${message.from} started ${runId}`)
      await rest.follow(runId)
      const run = await rest.call<Run>('GET', `/api/runs/${runId}`)
      must(run.status === 'completed', `the run is ${run.status}: ${run.error?.message}`)
      must(
        run.trigger.caller?.run_id === second.id,
        'the run does not say whose result it was given',
      )
      say(String(run.output))
    },
  )
}
