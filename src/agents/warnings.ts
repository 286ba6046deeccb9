import { isAddress } from '#src/events/outbox/channels/address.ts'
import { carriedKinds, isCarriedKind, type CarriedKind } from '#src/events/outbox/channels/kinds.ts'
import { items, members, textOf } from '#src/core/input/loose.ts'
import { shapeOf, unknownMembers } from '#src/core/input/unknown-members.ts'
import { heartbeatMinutes, isHeartbeatTask, shortestHeartbeatMinutes } from './tasks/heartbeat.ts'
import { Notices, type Notice, type Objection } from './tasks/notices.ts'
import { platformMembersOfTask, type StoredTask } from './tasks/task.ts'
import { noteUnfilled } from './tasks/references/variables.ts'
import { noteTask } from './tasks/warnings.ts'
import type { Brain, Hook } from './brain.ts'
import { CharacterInput, platformMembersOfCharacter, type StoredCharacter } from './character.ts'
import { lackOf } from './channels/carries.ts'
import type { Control, ControlChannel } from './control.ts'
import type { HeartInput } from './heart.ts'
import {
  abilityLevels,
  bundles,
  hookEvents,
  publicSections,
  sentChannelType,
  silentChannelTypes,
} from './known.ts'
import { audienceOf } from './visibility/ability-access.ts'
import type { Visibility } from './visibility/visibility.ts'

export interface CharacterSurroundings {
  /** The agent as it was: values repeated from it cause no warning. */
  previous?: StoredCharacter | undefined
  /** The agent as it was sent, before anything was filled in. */
  sent?: unknown
  /** Its tasks stay as they are, so they cause no warnings. */
  tasksKept?: boolean
  /** The tasks that `heart.tasks` replaces, by their ids. */
  previousTasks?: ReadonlyMap<string, StoredTask>
  /** When it is written: fires of its tasks are looked at from then on, and not at all without it. */
  now?: Date
}

/** Warnings about accepted parts of an agent that may not do what was meant. @param at the pointer of the agent */
export function characterWarnings(
  character: CharacterInput,
  { objection, ...surroundings }: CharacterSurroundings & { objection: Objection },
  at = '',
): Notice[] {
  const notices = new Notices(objection)
  noteCharacter(notices, character, at, surroundings)
  const before = surroundings.previous
  notices.unacted(unknownMembers(characterShape, character, { at, before }), platformMembers)
  notices.ignored(platformMembersOfCharacter, character, surroundings.previous, at)
  return notices.all
}

const characterShape = shapeOf(CharacterInput)

/** The members that only the platform sets, by the id of the schema that does not name them. */
export const platformMembers = {
  CharacterInput: platformMembersOfCharacter,
  AgentAppAgentSpec: platformMembersOfCharacter,
  TaskDefinition: platformMembersOfTask,
}

/** The same, added to existing notices, without those about members that the service does not know or sets itself. */
export function noteCharacter(
  notices: Notices,
  character: CharacterInput,
  at: string,
  surroundings: CharacterSurroundings = {},
): void {
  const { brain, control, visibility, heart } = character
  if (brain) noteBrain(notices, brain, `${at}/brain`, surroundings.previous?.brain)
  if (control) noteControl(notices, control, `${at}/control`, surroundings.previous?.control)
  if (visibility) noteVisibility(notices, visibility, `${at}/visibility`)
  if (heart) noteInterval(notices, heart, `${at}/heart/heartbeat_interval`)
  if (heart && !surroundings.tasksKept) {
    noteTasks(notices, character, `${at}/heart`, surroundings)
  }
}

const addressLists = ['custom_skill_urls', 'custom_mcp_urls'] as const

function noteBrain(
  notices: Notices,
  brain: Brain,
  at: string,
  before: Brain | null | undefined,
): void {
  const effect = 'it is kept and has no effect'
  noteUnfilled(notices, brain.system_prompt_override ?? '', `${at}/system_prompt_override`)
  for (const [i, server] of brain.mcps.entries()) {
    const pointer = `${at}/mcps/${i}/url`
    const was = before?.mcps[i]
    if (server.url) notices.address(server.url, pointer)
    else if (server.enabled && !(was?.enabled && !was.url)) {
      const message = 'Runs are given no tools of this server: it needs a url.'
      notices.add('tool_incomplete', pointer, message)
    }
  }
  for (const [i, { name }] of brain.plugins.entries()) {
    notices.unless(bundles, name, `${at}/plugins/${i}/name`, effect)
  }
  for (const [i, name] of brain.skills.entries()) {
    notices.unless(bundles, name, `${at}/skills/${i}`, effect)
  }
  for (const list of addressLists) notices.addresses(brain[list], `${at}/${list}`)
  if (brain.custom_plugin_urls.length > 0) {
    const message = 'Plugins are never loaded from addresses; the list is kept.'
    notices.add('never_loaded', `${at}/custom_plugin_urls`, message)
  }
  for (const [i, hook] of brain.hooks.entries()) noteHook(notices, hook, `${at}/hooks/${i}`)
}

const knownAction =
  /^(?:task:.|webhook:https:\/\/.|memory:[A-Za-z0-9][\w.-]{0,127}\/[A-Za-z0-9][\w.-]{0,127}$)/

function noteHook(notices: Notices, { event, action }: Hook, at: string): void {
  notices.unless(hookEvents, event, `${at}/event`, 'the hook never acts')
  if (!knownAction.test(action)) {
    const message =
      'The hook does nothing: an action is task:<task_id>, webhook:<https url> or memory:<namespace>/<key>.'
    notices.add('unknown_value', `${at}/action`, message)
  }
  if (action.startsWith('webhook:')) {
    notices.address(action.slice('webhook:'.length), `${at}/action`)
  }
}

function noteControl(
  notices: Notices,
  { channels, default_channel }: Control,
  at: string,
  before: Control | null | undefined,
): void {
  for (const [i, channel] of channels.entries()) {
    const { type, config } = channel
    const pointer = `${at}/channels/${i}/type`
    const was = before?.channels[i]
    if (isNowhere(channel)) {
      if (was && isNowhere(was)) continue
      const message = 'Nothing is sent to this channel: its config needs a url.'
      notices.add('not_deliverable', `${at}/channels/${i}/config/url`, message)
    } else if (type === sentChannelType) {
      notices.address(config.url, `${at}/channels/${i}/config/url`)
      notices.signedByAnyone(config.secret, `${at}/channels/${i}/config/secret`)
    } else if (isCarriedKind(type)) {
      noteCarried(notices, type, { channel, was, at: `${at}/channels/${i}/config` })
    } else if (!silentChannelTypes.includes(type)) {
      notices.unless(sentTypes, type, pointer, 'it is kept, and nothing is sent to it')
    } else if (was?.type !== type) {
      const message = `Nothing is sent to a channel of type "${type}", only to ${sentTypes.join(', ')}: it is kept.`
      notices.add('not_deliverable', pointer, message)
    }
  }
  const names = channels.map((channel) => channel.name)
  notices.unless(names, default_channel, `${at}/default_channel`, 'no channel has this name')
}

const sentTypes = [sentChannelType, ...carriedKinds]

interface NotedChannel {
  channel: ControlChannel
  was: ControlChannel | undefined
  /** The pointer of its config. */
  at: string
}

/** Tells what a channel lacks to carry messages, unless it lacked the same before. */
function noteCarried(
  notices: Notices,
  kind: CarriedKind,
  { channel, was, at }: NotedChannel,
): void {
  const { secret } = channel.config
  if (typeof secret === 'string' && isAddress(secret)) notices.address(secret, `${at}/secret`)
  const lack = channel.enabled ? lackOf(kind, channel) : undefined
  const before = was?.enabled && was.type === kind ? lackOf(kind, was) : undefined
  if (!lack || lack.reason === before?.reason) return
  const message = `This channel carries no messages: ${lack.reason}.`
  notices.add('not_deliverable', `${at}/${lack.member}`, message)
}

/** Whether something would be sent to a channel that does not say where it is. */
function isNowhere({ type, enabled, config }: Control['channels'][number]): boolean {
  return type === sentChannelType && enabled && textOf(config.url) === undefined
}

function noteVisibility(notices: Notices, visibility: Visibility, at: string): void {
  if (isShownSilent(visibility)) {
    const message =
      'A public profile does not open the chat: only the account and the agent itself can write to it. ' +
      'ability_access.chat opens it, as "public", "public_paid", "friends" or "members".'
    notices.add('chat_closed', `${at}/ability_access/chat`, message)
  }
  for (const [i, section] of visibility.public_sections.entries()) {
    notices.unless(publicSections, section, `${at}/public_sections/${i}`, 'nothing is shown for it')
  }
  const access = visibility.ability_access
  if (!access) return
  for (const ability of ['feed', 'chat', 'friends', 'memory'] as const) {
    const pointer = `${at}/ability_access/${ability}`
    notices.unless(abilityLevels, access[ability], pointer, 'it acts as private')
    if (access[ability] === 'members' && ability !== 'chat') {
      notices.add('level_reduced', pointer, '"members" is for chat alone: here it acts as private.')
    }
  }
}

/** Whether a profile is public, and its chat open to no one. */
function isShownSilent(visibility: Visibility): boolean {
  const { profile_visibility, ability_access } = visibility
  const isKnown = abilityLevels.includes(ability_access?.chat ?? 'private')
  return profile_visibility === 'public' && isKnown && audienceOf(visibility, 'chat') === 'none'
}

function noteInterval(notices: Notices, { heartbeat_interval }: HeartInput, at: string): void {
  if (heartbeat_interval === null) return
  const shortest = shortestHeartbeatMinutes
  if ((heartbeatMinutes(heartbeat_interval) ?? shortest) >= shortest) return
  const message = `A heartbeat of less than ${shortest} minutes acts as ${shortest}.`
  notices.add('interval_raised', at, message)
}

function noteTasks(
  notices: Notices,
  { heart, control, brain }: CharacterInput,
  at: string,
  { previousTasks, now, sent }: CharacterSurroundings,
): void {
  const asSent = items(members(members(sent).heart).tasks)
  const tasks = heart?.tasks ?? []
  const heartbeat = heart?.heartbeat_interval
  for (const [i, task] of tasks.entries()) {
    const previous = previousTasks?.get(task.task_id ?? '')
    noteTask(notices, task, `${at}/tasks/${i}`, {
      previous,
      sent: asSent[i],
      control,
      servers: brain?.mcps ?? [],
      heartbeat,
      now,
    })
  }
  if ((heart?.heartbeat_interval ?? null) !== null && !tasks.some(isHeartbeatTask)) {
    const message = 'A heartbeat runs the task called "heartbeat", and there is none.'
    notices.add('heartbeat_without_task', `${at}/heartbeat_interval`, message)
  }
}
