import * as z from 'zod'
import { timestamp } from '#src/core/time.ts'
import { messageReceived } from '#src/runs/triggers/message-events.ts'
import { messageRuns } from '#src/runs/triggers/message.ts'
import { sourceOfStart } from '#src/runs/new-run.ts'
import { isSelected } from '#src/runs/output/handoff-input.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import { runEvent } from '#src/runs/events.ts'
import { counted } from '#src/runs/ending/handoff.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import type { Desk } from '../desk.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'
import { callKeys } from './calls.ts'
import { mayStart, reached, roomLeft } from './reach.ts'
import { needSpace } from './space.ts'

const friendsAtMost = 100
const tries = 5

/** Messages to other agents, by the rules that hold for every message. */
export function messagingTools({ work }: Desk): RunTool[] {
  const keyOf = callKeys(work.run, 'send_message')
  return [
    ownTool(
      'list_friends',
      'Lists the agents you are friends with, and what you may do at them.',
      z.strictObject({}),
      () => friendsOf(work),
    ),
    ownTool(
      'send_message',
      'Sends a message to another agent. It may start a task there; no answer comes back to this run.',
      z.strictObject({ to: z.string().max(128), body: z.string().min(1).max(32_000) }),
      ({ to, body }) => sentOnce(work, { to, body, callId: keyOf([to, body]) }),
    ),
  ]
}

async function friendsOf({ ports, run, task }: Work): Promise<string> {
  const edges = await ports.store.edges.find(
    { char_id: run.char_id, status: 'accepted' },
    { sort: { id: 1 }, limit: friendsAtMost },
  )
  const open = edges.filter(({ friend_id }) => isSelected(task.selected_connections, [friend_id]))
  return JSON.stringify(
    // Words of another account would mark the run.
    open.map(({ friend_id: id, relationship_type, permissions, untrusted }) =>
      untrusted ? { id, permissions } : { id, relationship_type, permissions },
    ),
  )
}

interface Letter {
  to: string
  body: string
  /** The key of the call, by which an attempt that makes it again finds the message. */
  callId: string
}

/** Sends the message, or tells of the one that the same call of this run has sent before its worker was lost. */
async function sentOnce(work: Work, letter: Letter): Promise<string> {
  const { store } = work.ports
  for (;;) {
    const before = await store.run_events.get(letter.callId)
    if (before) return JSON.stringify(before.data)
    try {
      return await send(work, letter)
    } catch (cause) {
      // Another worker of this run was quicker.
      if (!(cause instanceof DuplicateKey && cause.in === 'run_events')) throw cause
    }
  }
}

async function send(work: Work, { to, body, callId }: Letter): Promise<string> {
  const { ports, run } = work
  const receiver = await reached(work, to, 'message')
  const starts = await mayStart(work, receiver)
  await needSpace(work)
  for (let left = tries; ; left--) {
    const room = await roomLeft(work)
    const now = ports.clock.now()
    const draft = { from: run.char_id, to: receiver.id, body, task_id: null, run_id: null }
    const parent = { run, handed: {}, room }
    const source = sourceOfStart(receiver.owner_id, { parent: run })
    const at = { ...draft, created_at: timestamp(now), source }
    const delivery = await messageRuns(ports, at, undefined, now, parent, starts)
    const { message, runs } = delivery
    const said = { message_id: message.id, to: receiver.id, started_runs: runs.length }
    const event = { ...runEvent(run.id, 'message.sent', now, said), id: callId }
    const sent = { ...message, from_owner: run.owner_id, to_owner: receiver.owner_id }
    const writes: Write[] = [
      { in: 'messages', insert: sent },
      { in: 'run_events', insert: event },
      ...runs.map((insert): Write => ({ in: 'runs', insert })),
      ...counted(run, runs.length),
      // What listens to the event would be started by it all the same.
      ...(starts ? await messageReceived(ports.store, sent, run, now) : []),
    ]
    try {
      await ports.store.commit(writes)
    } catch (cause) {
      if (!(cause instanceof Unmet)) throw cause
      if (left === 0) throw new ToolFault('The message could not be sent: try again later.')
      continue
    }
    return JSON.stringify(said)
  }
}
