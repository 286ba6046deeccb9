import { Refusal } from '#src/core/errors.ts'
import { heavyBytes } from '#src/core/input/bounds.ts'
import { JsonScan } from '#src/core/input/json-scan.ts'
import { parsedSteps } from '#src/core/input/json-steps.ts'
import { walkSteps } from '#src/core/input/walk.ts'
import { inPortionsIfLong, type Steps } from '#src/core/turns/portions.ts'
import {
  effectHeaders,
  OutboundFailure,
  type Outbound,
  type OutboundAnswer,
} from '#src/ports/sender.ts'
import { statusWords } from '#src/core/text/address.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { runHeaderFor } from '#src/events/outbox/own-call.ts'
import { RunFailure } from '../failure.ts'
import { charactersAtMost, render, variablesOf } from '../template.ts'
import { headersOf } from './api-headers.ts'
import { authorizeOf, notLetIn, sentThrough } from './authorize.ts'
import type { Runtime, Work } from './runtime.ts'

/** The guarded fetch gives up after this long, even where the task allows more. */
const timeoutAtMostMs = 20_000

/**
 * An HTTP call to the task's `api_url`: a POST of `{prompt, input, variables, run_id, task_id,
 * char_id}`, with the marks of the run and the headers that the task's first enabled tool of type `http` gives. A JSON answer
 * becomes the output as it is, any other as text.
 */
export const api: Runtime = async (work) => {
  const { task, run } = work
  if (!task.api_url) {
    throw new RunFailure('api_url_missing', 'The task has the runtime "api" and no api_url.')
  }
  const variables = variablesOf(task, run)
  const prompt = render(task.prompt, run.input, variables)
  const { id: run_id, task_id, char_id, input } = run
  const about = { run_id, task_id, char_id, ...marksOf(run) }
  const body = JSON.stringify({ prompt, input, variables, ...about })
  const headers = await headersOf(work, variables)
  const url = render(task.api_url, run.input, variables, { called: 'api_url' })
  return { output: await outputOf(await call(work, { url, headers, body }), work.ports) }
}

type Sent = Pick<Outbound, 'url' | 'headers' | 'body'>

async function call(work: Work, { url, headers, body }: Sent) {
  const { ports, signal, task, run } = work
  // After those of the task, which cannot make another run of it.
  const origin = runHeaderFor(ports, url, run.id)
  try {
    return await sentThrough(ports.sender, authorizeOf(work), {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/*;q=0.9, */*;q=0.1',
        ...effectHeaders({ key: run.id, attempt: run.attempt }),
        ...headers,
        ...origin,
      },
      ...(body !== undefined && { body }),
      timeoutMs: Math.min(task.step_timeout_seconds * 1000, timeoutAtMostMs),
      signal,
    })
  } catch (cause) {
    if (!(cause instanceof OutboundFailure)) throw notLetIn(cause) ?? cause
    const status = cause.fault === 'timeout' ? 'timed_out' : 'failed'
    throw new RunFailure(`api_${cause.fault}`, cause.message, { cause, status })
  }
}

async function outputOf(
  answer: OutboundAnswer,
  { clock }: Pick<Work['ports'], 'clock'>,
): Promise<unknown> {
  if (answer.status < 200 || answer.status > 299) {
    throw new RunFailure('api_status', statusWords(answer.status))
  }
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.headers['content-type'] ?? '')
  try {
    // What comes from outside passes the same checks as what callers send.
    const output = isJson
      ? await inPortionsIfLong(answerSteps(answer.body), clock)
      : answer.body.toWellFormed()
    const terms = { verbatim: true, charactersAtMost }
    const { value, isFaulty } = await inPortionsIfLong(walkSteps(output, terms), clock)
    if (!isFaulty) return value
  } catch (cause) {
    if (cause instanceof Refusal && cause.kind === 'too_large') {
      const message = `The answer is longer than ${charactersAtMost} characters.`
      throw new RunFailure('api_too_large', message, { cause })
    }
    throw brokenAnswer(cause)
  }
  throw brokenAnswer(undefined)
}

/** The value of an answer, which is scanned before it is parsed, as large bodies are. */
function* answerSteps(body: string): Steps<unknown> {
  if (body.length > heavyBytes) {
    const bytes = Buffer.from(body)
    const scan = new JsonScan()
    for (let at = 0; at < bytes.length; at += heavyBytes) {
      scan.add(bytes.subarray(at, at + heavyBytes))
      yield
    }
  }
  return yield* parsedSteps(body)
}

function brokenAnswer(cause: unknown): RunFailure {
  const message = 'The address said JSON and sent something else, or what cannot be kept.'
  return new RunFailure('api_broken_answer', message, { cause })
}
