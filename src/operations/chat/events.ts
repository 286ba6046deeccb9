import * as z from 'zod'
import { Answer, type StreamEvent } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { lookAgainMs } from '#src/core/listeners.ts'
import { operation } from '#src/core/operation.ts'
import { isDerived, type RunEventRecord } from '#src/runs/events.ts'
import { eventsAfter, eventsAtOnce } from '#src/runs/history.ts'
import { hasEnded, type StoredRun } from '#src/runs/run.ts'
import { seenChat } from '#src/runs/chat/access.ts'
import type { ChatTask } from '#src/runs/chat/chat.ts'
import { pieceEvent, TextReader } from '#src/runs/text/reader.ts'
import { ChatShown } from '#src/runs/chat/view.ts'
import { shownTo, standingOf } from '#src/runs/chat/state.ts'

/** The type of the event that shows the whole task in its new state. */
const taskEventType = 'task'

export const events = operation({
  name: 'chat.events',
  summary: 'Follow a message to a hosted agent until the task it started has ended.',
  description:
    'The first event, and each that changes the state of the task, is the task; its account also ' +
    'sees the events of its run.',
  example: { char_id: 'ada', id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'none',
  http: { method: 'GET', path: '/a2a/{char_id}/tasks/{id}/events' },
  toolsets: ['messages'],
  input: z.strictObject({
    char_id: z.string().max(128),
    id: z.string().max(256),
    pieces: z.boolean().default(false).describe('Also the text of the model as it comes.'),
  }),
  output: z.object({ items: z.array(ChatShown) }),
  refuses: ['run_not_found'],
  untrusted: true,
  internal: true,

  async run({ char_id, id }, context) {
    const chat = await seenChat(context, char_id, id)
    const standing = await standingOf(context.store, chat.id)
    return { items: standing ? [shownTo(context, chat, standing)] : [] }
  },

  async follow({ char_id, id, pieces }, context) {
    const chat = await seenChat(context, char_id, id)
    return new Answer('', { events: stream(chat, pieces, context) })
  },
})

async function* stream(
  chat: ChatTask,
  pieces: boolean,
  context: Context,
): AsyncGenerator<StreamEvent> {
  const { store, waiting } = context
  let reader = pieces ? new TextReader(context, chat.id) : undefined
  let followed = chat.id
  let after = -1
  let known = ''
  for (;;) {
    // Registered before reading, so that nothing is missed in between.
    const done = new AbortController()
    const signal = context.signal ? AbortSignal.any([context.signal, done.signal]) : done.signal
    const changed = waiting.until(followed, lookAgainMs(), signal)
    try {
      const standing = await standingOf(store, chat.id)
      if (!standing) return
      const { run } = standing
      const shown = shownTo(context, chat, standing)
      if (run.id !== followed) {
        // From now on the caller waits for the run that continues this one.
        followed = run.id
        after = -1
        reader &&= new TextReader(context, run.id)
        if (!hasEnded(run)) continue
      }
      const events = shown.is_own || reader ? await eventsAfter(store, run, after) : []
      after = events.at(-1)?.seq ?? after
      if (shown.is_own) yield* told(events, run)
      const now = `${run.id} ${run.status} ${run.reason}`
      if (now !== known) yield { id: now, type: taskEventType, text: JSON.stringify(shown) }
      known = now
      for (const text of reader?.inEvents(events) ?? []) yield pieceEvent(text, now)
      if (context.signal?.aborted) return
      if (events.length >= eventsAtOnce) continue
      if (hasEnded(run)) return
      const writing = run.status === 'running' ? reader?.shown(changed, signal) : undefined
      for await (const text of writing ?? []) yield pieceEvent(text, now)
      await changed
    } finally {
      done.abort()
    }
  }
}

/** What happened, without what the task itself shows: that it was queued, started and ended. */
function* told(events: readonly RunEventRecord[], run: StoredRun): Generator<StreamEvent> {
  for (const event of events) {
    if (isDerived(event, run)) continue
    yield { id: String(event.seq), type: event.type, text: JSON.stringify(event) }
  }
}
