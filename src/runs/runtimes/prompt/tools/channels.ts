import * as z from 'zod'
import { channelOf, messageCharacters, saidOn } from '#src/agents/channels/message.ts'
import { isCarriedKind } from '#src/events/outbox/channels/kinds.ts'
import { runEvent } from '#src/runs/events.ts'
import { isSelected } from '#src/runs/output/handoff-input.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { DuplicateKey } from '#src/ports/store.ts'
import type { Desk } from '../desk.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'
import { callKeys } from './calls.ts'
import { needSpace } from './space.ts'

/** Messages to people, on the channels of the agent; no tool where it has none that may carry any. */
export function channelTools({ work, character }: Desk): RunTool[] {
  const names = (character.control?.channels ?? [])
    .filter(({ enabled, type }) => enabled && isCarriedKind(type))
    .map(({ name }) => name)
    .filter((name) => isSelected(work.task.selected_connections, [name]))
  if (names.length === 0) return []
  const keyOf = callKeys(work.run, 'send_on_channel')
  const shown = names.slice(0, namesAtMost).map((name) => JSON.stringify(name.slice(0, 100)))
  return [
    ownTool(
      'send_on_channel',
      `Sends a message to people on one of your channels: ${shown.join(', ')}. What they answer does not come back to this run.`,
      z.strictObject({
        channel: z.string().max(500),
        text: z.string().min(1).max(messageCharacters),
        to: z.string().max(254).optional(),
      }),
      ({ channel, text, to }) =>
        sentOnce(work, names, { channel, text, to, callId: keyOf([channel, text, to]) }),
    ),
  ]
}

const namesAtMost = 20

interface Note {
  channel: string
  text: string
  to: string | undefined
  /** The key of the call, by which an attempt that makes it again finds what it has sent. */
  callId: string
}

async function sentOnce(work: Work, names: readonly string[], note: Note): Promise<string> {
  const { store } = work.ports
  for (;;) {
    const before = await store.run_events.get(note.callId)
    if (before) return JSON.stringify(before.data)
    try {
      return await send(work, names, note)
    } catch (cause) {
      // Another worker of this run was quicker.
      if (!(cause instanceof DuplicateKey && cause.in === 'run_events')) throw cause
    }
  }
}

async function send(
  { ports, run, ...work }: Work,
  names: readonly string[],
  { channel: name, text, to, callId }: Note,
): Promise<string> {
  const agent = await ports.store.characters.get(run.char_id)
  const channel = agent && names.includes(name) ? channelOf(agent, name) : undefined
  if (!agent || !channel) throw new ToolFault(`You have no channel "${name.slice(0, 100)}".`)
  await needSpace({ ports, run, ...work })
  const now = ports.clock.now()
  const cause = { sender: run.sender, causeRun: run.id, now }
  const said = await saidOn(ports, agent, channel, { text, to, ...cause })
  if ('reason' in said) throw new ToolFault(`The channel does not carry this: ${said.reason}.`)
  const shown = { channel: name, to: said.to, parts: said.deliveries.length }
  const event = { ...runEvent(run.id, 'channel.sent', now, shown), id: callId }
  await ports.store.commit([...said.writes, { in: 'run_events', insert: event }])
  return JSON.stringify(shown)
}
