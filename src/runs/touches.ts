import { changesOnly, documentName, loopName, touch } from '#src/core/told/touch.ts'
import { brainQueue } from './queue.ts'
import { textName } from './text/text.ts'

/** Changes of a run that no one waits for, such as the heartbeat of who works on it. */
const unseen = new Set(['claim.until', 'due_at', 'bytes', 'family', 'retry_id', 'untold'])

/** By what a reader asks for the text of a run. */
const asks = new Set(['until'])

/** The run itself, for callers that follow it; its events are told under the same name. */
export const runTouches = [
  touch({
    in: 'runs',
    members: ['owner_id', 'status', 'waits_for'],
    ofDeleted: true,
    names({ id, owner_id, status, waits_for }, how) {
      if (changesOnly(how, unseen)) return []
      const names = [documentName('runs', id)]
      // It is there to be leased, or has left a place to another.
      if (status !== 'running' && how !== 'deleted') names.push(brainQueue(owner_id))
      if (status === 'queued' && waits_for === 'worker') names.push(loopName('runs'))
      return names
    },
  }),
  touch({
    in: 'run_events',
    members: ['run_id'],
    names: ({ run_id }, how) => (how === 'inserted' ? [documentName('runs', run_id)] : []),
  }),
  touch({
    in: 'run_texts',
    names: ({ id }, how) => (how === 'inserted' || changesOnly(how, asks) ? [] : [textName(id)]),
  }),
]
