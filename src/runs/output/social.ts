import { saidOn } from '#src/agents/channels/message.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import { isCarriedKind } from '#src/events/outbox/channels/kinds.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { ControlChannel } from '#src/agents/control.ts'
import { settingsOf } from '#src/agents/sealed/keep.ts'
import { isMask, settingPointer } from '#src/agents/sealed/places.ts'
import { secretsFor } from '#src/agents/secrets/secrets.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import type { Consequence } from '../ended.ts'
import { runEvent } from '../events.ts'
import type { TaskSocialPosting } from '#src/agents/tasks/output-sharing.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { isSelected } from './handoff-input.ts'
import { cutTo, workOf, type Worked } from './result.ts'

const type = 'social.post'
/** Characters of a posted text, so that the call stays under 20 kB. */
const textCharacters = 4000
/** Channels that one run posts to. */
const channelsAtMost = 20
const tooMany = `a run posts to at most ${channelsAtMost} channels`

type Needed = Pick<Ports, 'store' | 'sealer' | 'settings' | 'mailer' | 'limiter'>

/** What is posted, and for which run. */
interface Posting extends Worked {
  task: StoredTask
  text: string
}

/**
 * Posts a run's output to control channels of its agent: those that the task names, otherwise the default
 * one. Each is a call in the outbox, signed if the channel has a secret; a failed one is an event of the
 * run with the reason.
 */
export const socialOf: Consequence = (ports, ended) => {
  const { task, outcome } = ended
  const posting = task?.social_posting
  if (!task || !posting?.enabled) return []
  const work = workOf(outcome)
  if (!work || work.isEmpty) return []
  const text = cutTo(textCharacters, (posting.message_prefix ?? '') + work.text)
  return posted(ports, { ...ended, task, text }, posting)
}

async function posted(
  ports: Needed,
  posting: Posting,
  { channels }: TaskSocialPosting,
): Promise<Write[]> {
  const agent = await ports.store.characters.get(posting.run.char_id)
  if (!agent) return []
  const fallback = agent.control?.default_channel
  const named = channels.length > 0 ? new Set(channels) : new Set(fallback ? [fallback] : [])
  if (named.size === 0) return [dropped(posting, null, 'the agent has no default channel')]
  const writes: Write[] = []
  for (const [i, name] of [...named].entries()) {
    const isTooMany = i >= channelsAtMost
    if (isTooMany) writes.push(dropped(posting, name, tooMany))
    else writes.push(...(await postedTo(ports, posting, agent, name)))
  }
  return writes
}

/** What brings the text to one channel: a call, or a message to people. */
async function postedTo(
  ports: Needed,
  posting: Posting,
  agent: StoredCharacter,
  name: string,
): Promise<Write[]> {
  const channel = agent.control?.channels.find((one) => one.name === name)
  if (!channel || !isCarriedKind(channel.type)) return [await callTo(ports, posting, agent, name)]
  const { run, task, text, now } = posting
  if (!isSelected(task.selected_connections, [name])) return [dropped(posting, name, unselected)]
  const cause = { sender: run.sender, causeRun: run.id, now }
  const said = await saidOn(ports, agent, channel, { text, ...cause })
  return 'reason' in said ? [dropped(posting, name, said.reason)] : said.writes
}

const unselected = 'the task does not select this connection'

async function callTo(
  ports: Needed,
  posting: Posting,
  agent: StoredCharacter,
  name: string,
): Promise<Write> {
  const { run, task, text, now } = posting
  const channel = agent.control?.channels.find((one) => one.name === name)
  const target = targetOf(channel, task)
  if ('reason' in target) return dropped(posting, name, target.reason)
  const kept = isMask(target.secret) ? sealedSecret(ports, agent, name) : target.secret
  const secret = kept === undefined ? undefined : await secretOf(ports, kept, task)
  if (secret === undefined) return dropped(posting, name, 'its secret is not one of the task')
  const eventId = newId('evt')
  const data = {
    channel: name,
    text,
    agent: { id: agent.id, name: agent.name },
    run: { id: run.id, task_id: run.task_id },
    ...marksOf(run),
  }
  const owed = {
    ownerId: run.owner_id,
    appId: run.app_id,
    charId: run.char_id,
    eventId,
    type,
    url: target.url,
    body: { id: eventId, type, timestamp: timestamp(now), api_version: '1.0', data },
    secret,
    sender: run.sender,
    causeRun: run.id,
    now,
  }
  return { in: 'deliveries', insert: newDelivery(owed, ports.sealer) }
}

interface Target {
  url: string
  /** As in the channel's config; null for none. */
  secret: string | null
}

function targetOf(
  channel: ControlChannel | undefined,
  { selected_connections: selected }: StoredTask,
): Target | { reason: string } {
  if (!channel) return { reason: 'the agent has no such channel' }
  if (!channel.enabled) return { reason: 'the channel is not enabled' }
  if (channel.type !== 'webhook') {
    return { reason: `nothing is posted to a channel of type "${channel.type.slice(0, 100)}"` }
  }
  if (!isSelected(selected, [channel.name])) {
    return { reason: unselected }
  }
  const { url, secret } = channel.config
  if (typeof url !== 'string' || url === '') return { reason: 'the channel has no url' }
  return { url, secret: typeof secret === 'string' && secret !== '' ? secret : null }
}

/** The secret that the mask of a channel stands for; undefined if it cannot be opened. */
function sealedSecret(
  { sealer }: Needed,
  agent: StoredCharacter,
  name: string,
): string | undefined {
  const position = agent.control?.channels.findIndex((one) => one.name === name) ?? -1
  try {
    return settingsOf(agent, sealer)[settingPointer('channels', position, '/config/secret')]
  } catch {
    // The run must end anyway.
    return undefined
  }
}

const reference = /^\{\{\s*secret\.([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}$/

/**
 * The key that signs the call: the text itself, or the secret of the agent that `{{secret.NAME}}` names;
 * null for none, undefined if the task may not use it or it does not exist.
 */
async function secretOf(
  ports: Needed,
  text: string | null,
  { char_id, selected_secrets }: StoredTask,
): Promise<string | null | undefined> {
  const [, name] = reference.exec(text ?? '') ?? []
  if (name === undefined) return text
  if (!selected_secrets.includes(name)) return undefined
  const found = await secretsFor(ports, { char_id, selected_secrets: [name] })
  return Object.hasOwn(found, name) ? found[name] : undefined
}

function dropped({ run, now }: Posting, channel: string | null, reason: string): Write {
  const data = { channel, reason }
  return { in: 'run_events', insert: runEvent(run.id, 'social.dropped', now, data) }
}
