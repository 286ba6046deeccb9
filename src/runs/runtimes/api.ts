import { OutboundFailure, type OutboundAnswer } from '#src/ports/sender.ts'
import { RunFailure } from '../failure.ts'
import { render, variablesOf } from '../template.ts'
import type { Runtime, Work } from './runtime.ts'

/** The guarded fetch gives up after this long, whatever the task allows. */
const timeoutAtMostMs = 20_000

/**
 * An HTTP call to the task's `api_url`: a POST of `{prompt, input, variables, run_id, task_id,
 * char_id}`. A JSON answer becomes the output as it is, any other as text.
 */
export const api: Runtime = async (work) => {
  const { task, run } = work
  if (!task.api_url) {
    throw new RunFailure('api_url_missing', 'The task has the runtime "api" and no api_url.')
  }
  const variables = variablesOf(task, run)
  const prompt = render(task.prompt, run.input, variables)
  const { id: run_id, task_id, char_id, input } = run
  const body = JSON.stringify({ prompt, input, variables, run_id, task_id, char_id })
  return outputOf(await call(work, render(task.api_url, run.input, variables), body))
}

async function call({ sender, signal, task, run }: Work, url: string, body: string) {
  try {
    return await sender.send({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/*;q=0.9, */*;q=0.1',
        // A run may be tried again after a crash: the receiver can tell by its id.
        'idempotency-key': run.id,
      },
      body,
      timeoutMs: Math.min(task.step_timeout_seconds * 1000, timeoutAtMostMs),
      signal,
    })
  } catch (cause) {
    if (!(cause instanceof OutboundFailure)) throw cause
    const status = cause.fault === 'timeout' ? 'timed_out' : 'failed'
    throw new RunFailure(`api_${cause.fault}`, cause.message, { cause, status })
  }
}

function outputOf(answer: OutboundAnswer): unknown {
  if (answer.status < 200 || answer.status > 299) {
    throw new RunFailure('api_status', `The address answered with status ${answer.status}.`)
  }
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.headers['content-type'] ?? '')) {
    return answer.body
  }
  try {
    return JSON.parse(answer.body) as unknown
  } catch (cause) {
    throw new RunFailure('api_broken_answer', 'The address said JSON and sent something else.', {
      cause,
    })
  }
}
