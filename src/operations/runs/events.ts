import * as z from 'zod'
import { Answer, type StreamEvent } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { lookAgainMs } from '#src/core/listeners.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'
import { awaitEnd } from '#src/runs/await-end.ts'
import { eventPage, eventsAfter, eventsAtOnce } from '#src/runs/history.ts'
import { ownMoments } from '#src/runs/moments.ts'
import { RunEventRecord } from '#src/runs/events.ts'
import { hasEnded, isWaiting, type Run } from '#src/runs/run.ts'
import { pieceEvent, TextReader } from '#src/runs/text/reader.ts'
import type { ModelText } from '#src/runs/text/text.ts'
import { marksOf } from '#src/core/text/untrusted.ts'

export const events = operation({
  name: 'runs.events',
  summary: 'List what happened to a run, oldest first; on REST also as a stream of events.',
  description:
    'GET with "Accept: text/event-stream" follows the run until it ends; wait_seconds waits ' +
    'until it has ended or needs an action.',
  example: { run_id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/runs/{run_id}/events' },
  toolsets: ['runs'],
  role: 'follow_run',
  input: z.strictObject({
    run_id: z.string().max(128),
    wait_seconds: z.int().min(0).max(60).default(0),
    pieces: z
      .boolean()
      .default(false)
      .describe('In a stream also the text of the model as it comes, as model.piece.'),
    newest_first: z.boolean().default(false).describe('A stream is oldest first all the same.'),
    ...pageInput,
  }),
  output: pageOf(RunEventRecord),
  refuses: ['run_not_found', 'forbidden', 'cursor_invalid'],

  async run({ run_id, wait_seconds, newest_first, limit, cursor }, context) {
    const run = await ownMoments(context, run_id)
    if (wait_seconds > 0 && goesOn(run)) await waitFor(run_id, wait_seconds, context)
    const page = { limit, cursor }
    return eventPage(context.store, await ownMoments(context, run_id), page, newest_first)
  },

  async follow({ run_id, cursor, pieces }, context) {
    const seen = lastSeen(cursor)
    const run = await ownMoments(context, run_id)
    const reader = pieces ? new TextReader(context, run_id) : undefined
    // Before the stream is open, so that the worker shows its text to whom follows from then on.
    if (run.status === 'running') await reader?.ask()
    return new Answer('', { events: stream(run_id, seen, reader, context) })
  },
})

async function waitFor(runId: string, seconds: number, context: Context<'key'>): Promise<void> {
  const waited = awaitEnd(context, runId, seconds, context.signal)
  try {
    // Checked again, because it may have ended before the wait began.
    const run = await ownMoments(context, runId)
    if (!goesOn(run)) return
    context.progress?.(`${runId} is ${run.status}`)
    await waited.settled()
  } finally {
    waited.giveUp()
  }
}

function goesOn(run: Pick<Run, 'status'>): boolean {
  return !hasEnded(run) && !isWaiting(run)
}

/** A stream resumes after the event whose id the reader saw last. */
function lastSeen(cursor: string | undefined): number {
  if (cursor === undefined) return -1
  if (/^\d{1,16}$/.test(cursor)) return Number(cursor)
  return refuse(
    'cursor_invalid',
    'A stream of events resumes only after the id of one of its events.',
  )
}

async function* stream(
  runId: string,
  seen: number,
  reader: TextReader | undefined,
  context: Context<'key'>,
): AsyncGenerator<StreamEvent> {
  let after = seen
  for (;;) {
    // Registered before reading, so that nothing is missed in between.
    const done = new AbortController()
    const signal = context.signal ? AbortSignal.any([context.signal, done.signal]) : done.signal
    const told = context.waiting.until(runId, lookAgainMs(), signal)
    try {
      const run = await ownMoments(context, runId)
      const events = await eventsAfter(context.store, run, after)
      const piece = (text: ModelText) => pieceEvent(text, String(Math.max(0, after)), marksOf(run))
      for (const event of events) {
        for (const text of reader?.inEvents([event]) ?? []) yield piece(text)
        after = event.seq
        yield { id: String(event.seq), type: event.type, text: JSON.stringify(event) }
      }
      if (context.signal?.aborted) return
      if (events.length >= eventsAtOnce) continue
      if (hasEnded(run)) return
      const shown = run.status === 'running' ? reader?.shown(told, signal) : undefined
      for await (const text of shown ?? []) yield piece(text)
      await told
    } finally {
      done.abort()
    }
  }
}
