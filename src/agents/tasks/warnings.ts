import { sentChannelType } from '../known.ts'
import { isCarriedKind } from '#src/events/outbox/channels/kinds.ts'
import { isDeepStrictEqual } from 'node:util'
import { timestamp } from '#src/core/time.ts'
import type { Control } from '../control.ts'
import { shapeOf, unknownMembers } from '#src/core/input/unknown-members.ts'
import { call } from '#src/core/words/reference.ts'
import { hasBytes } from '#src/core/credentials/signature-key.ts'
import { pointerStep } from '#src/core/text/text.ts'
import {
  artifactStoreTypes,
  autonomies,
  hookSenders,
  platformEvents,
  toolTypes,
  variableTypes,
} from '#src/core/vocabulary.ts'
import { Notices, type Notice, type Objection } from './notices.ts'
import { noteNeeded, noteOthers, noteSwitches, noteTools } from './incomplete.ts'
import { notePlaceholders } from './references/variables.ts'
import { isPrompt, runtimeNames } from './runtimes.ts'
import { largestJitterSeconds } from './reliability.ts'
import { scheduleOf, tooNear } from './schedule/schedule.ts'
import { platformMembersOfTask, type StoredTask, TaskInput } from './task.ts'
import { commandPlaceholder, type TaskTool } from './tool.ts'

export interface TaskSurroundings {
  /** The task that this one replaces: values repeated from it cause no warning. */
  previous?: StoredTask | undefined
  /** The task as it was sent, before anything was filled in. */
  sent?: unknown
  /** The channels of its agent, if known. */
  control?: Control | null | undefined
  /** The tool servers of its agent, if known. */
  servers?: readonly { name: string }[] | undefined
  /** The heartbeat_interval of its agent, if known. */
  heartbeat?: string | null | undefined
  /** When it is written: its fires are looked at from then on, and not at all without it. */
  now?: Date | undefined
}

/** How many fires are looked at for two that are less than an hour apart. */
const looksAtFires = 50

const taskShape = shapeOf(TaskInput)

/** Warnings about accepted parts of a task that may not do what was meant. @param at the pointer of the task */
export function taskWarnings(
  task: TaskInput,
  { objection, ...surroundings }: TaskSurroundings & { objection: Objection },
  at = '',
): Notice[] {
  const notices = new Notices(objection)
  noteTask(notices, task, at, surroundings)
  const except = { TaskDefinition: platformMembersOfTask }
  const before = surroundings.previous
  notices.unacted(unknownMembers(taskShape, task, { at, before }), except)
  return notices.all
}

/** The same, added to the notices of an agent. */
export function noteTask(
  notices: Notices,
  task: TaskInput,
  at: string,
  surroundings: TaskSurroundings = {},
): void {
  const { previous, control } = surroundings
  notices.unless(autonomies, task.autonomy, `${at}/autonomy`)
  notices.unless(runtimeNames, task.runtime, `${at}/runtime`, 'its runs wait for a worker')
  noteIdle(notices, task, at, previous)
  noteNeeded(notices, task, at, previous)
  noteOthers(notices, task, at, previous)
  noteTools(notices, task, at, surroundings)
  noteSwitches(notices, task, at, surroundings)
  notices.address(task.api_url, `${at}/api_url`)
  for (const [i, tool] of task.tools.entries()) {
    notices.unless(toolTypes, tool.type, `${at}/tools/${i}/type`)
    if (tool.type === 'http') noteHeaders(notices, task, tool, `${at}/tools/${i}/config/headers`)
  }
  for (const [i, store] of task.artifact_stores.entries()) {
    notices.unless(artifactStoreTypes, store.type, `${at}/artifact_stores/${i}/type`)
  }
  for (const [name, type] of Object.entries(task.variable_types)) {
    notices.unless(variableTypes, type, `${at}/variable_types${pointerStep(name)}`)
  }
  notePrompt(notices, task, at, previous)
  notePlaceholders(notices, task, at, previous)
  noteTriggers(notices, task, at)
  noteCommands(notices, task, at)
  if (task.output_sharing?.enabled && !task.output_sharing.target_agent_id) {
    const message = 'Without a target agent the result is not shared.'
    notices.add('share_target_missing', `${at}/output_sharing/target_agent_id`, message)
  }
  noteTimes(notices, task, at)
  noteFires(notices, task, at, surroundings)
  notePosting(notices, task, at, control)
  notices.ignored(platformMembersOfTask, task, previous, at)
  noteCounted(notices, task, at, previous)
}

/** Members that tasks have and nothing acts on, with what does what may be meant. */
const idleMembers = {
  runtime_mode: `A run goes on by itself, and ${call('tasks.run')} waits for its end as long as wait_seconds says.`,
  satellite_category: 'To sort tasks for yourself there is tags.',
} as const

function noteIdle(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  for (const [name, instead] of Object.entries(idleMembers)) {
    const value = task[name as keyof typeof idleMembers]
    if (!value || value === previous?.[name as keyof typeof idleMembers]) continue
    notices.add('no_effect', `${at}/${name}`, `${name} is kept, and nothing acts on it. ${instead}`)
  }
}

const namedSecret = /\{\{\s*secret\.([^{}\s]{1,64})\s*\}\}/g

/** A header that names a secret which the task does not select fails every run. */
function noteHeaders(notices: Notices, task: TaskInput, { config }: TaskTool, at: string): void {
  const selected = new Set(task.selected_secrets)
  for (const [header, value] of Object.entries(config.headers ?? {})) {
    if (notices.isFull) return
    for (const [, name = ''] of typeof value === 'string' ? value.matchAll(namedSecret) : []) {
      if (selected.has(name)) continue
      const message = `Runs fail: the secret "${name}" is not among selected_secrets.`
      notices.add('secret_not_selected', at + pointerStep(header), message)
    }
  }
}

/** A prompt that is not there. */
function notePrompt(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  if (!isPromptless(task) || (previous && isPromptless(previous))) return
  const message = 'Without a prompt the agent is told nothing but the input of a run.'
  notices.add('prompt_missing', `${at}/prompt`, message)
}

/** Placeholders in commands are never filled in, because a value could act as part of the command. */
function noteCommands(notices: Notices, task: TaskInput, at: string): void {
  for (const member of ['shell_command', 'container_command'] as const) {
    const name = commandPlaceholder.exec(task[member] ?? '')?.[1]
    if (name === undefined) continue
    const message = `Runs fail: {{${name}}} is not filled in here. The command gets values in its environment and on its input.`
    notices.add('nothing_filled_in', `${at}/${member}`, message)
  }
}

function isPromptless({ runtime, prompt }: Pick<TaskInput, 'runtime' | 'prompt'>): boolean {
  return isPrompt(runtime) && prompt.trim() === ''
}

function noteTriggers(notices: Notices, task: TaskInput, at: string): void {
  for (const [i, { type, config }] of task.triggers.entries()) {
    if (type === 'cron') noteZone(notices, config, `${at}/triggers/${i}/config`)
    if (type === 'webhook') noteSender(notices, config, `${at}/triggers/${i}/config`)
    if (type !== 'event') continue
    noteFilter(notices, config.filter, `${at}/triggers/${i}/config/filter`)
    const pointer = `${at}/triggers/${i}/config/event`
    if (typeof config.event === 'string' && config.event !== '') {
      notices.unless(platformEvents, config.event, pointer, 'the trigger never fires')
    } else {
      notices.add('event_missing', pointer, 'A trigger without the name of an event never fires.')
    }
  }
}

/** A hook that asks for what no call can have refuses every call. */
function noteSender(notices: Notices, { verify, secret }: TaskTool['config'], at: string): void {
  notices.unless(hookSenders, verify, `${at}/verify`, 'every call is refused')
  if (typeof secret === 'string') {
    if (hasBytes(secret)) return
    const message = 'This secret has no bytes, so that anyone could sign: every call is refused.'
    notices.add('hook_closed', `${at}/secret`, message)
  } else if (typeof verify === 'string') {
    const message = 'Without the secret that its sender signs with, every call is refused.'
    notices.add('hook_closed', `${at}/secret`, message)
  }
}

/** As others call the time zone of a schedule. */
const zoneNames = ['tz', 'timeZone', 'time_zone', 'zone']

function noteZone(notices: Notices, config: TaskTool['config'], at: string): void {
  if ((config.timezone ?? null) !== null) return
  const name = zoneNames.find((one) => Object.hasOwn(config, one))
  if (name === undefined) return
  const message = `"${name}" is kept, and nothing acts on it: the pattern is read in UTC.`
  notices.add('unknown_member', `${at}/${name}`, message, 'timezone')
}

function noteFilter(notices: Notices, filter: unknown, pointer: string): void {
  const isMap = typeof filter === 'object' && !Array.isArray(filter)
  if (filter === undefined || isMap) return
  const message = 'A filter is an object of dotted paths and values: the trigger never fires.'
  notices.add('filter_unreadable', pointer, message)
}

function noteTimes(notices: Notices, task: TaskInput, at: string): void {
  const jitter = task.reliability?.max_jitter_seconds ?? 0
  if (jitter > largestJitterSeconds) {
    const message = `A jitter of ${jitter} s acts as ${largestJitterSeconds} s.`
    notices.add('jitter_reduced', `${at}/reliability/max_jitter_seconds`, message)
  }
  const skip = task.skip_next_run_at
  if (skip && Number.isNaN(Date.parse(skip))) {
    const message = 'This is not a time (RFC 3339), so nothing will be skipped.'
    notices.add('time_unreadable', `${at}/skip_next_run_at`, message)
  }
}

function noteFires(
  notices: Notices,
  task: TaskInput,
  at: string,
  { previous, heartbeat, now }: TaskSurroundings,
): void {
  if (!now || isDeepStrictEqual(task.triggers, previous?.triggers)) return
  const task_id = previous?.task_id ?? task.task_id ?? ''
  const schedule = scheduleOf({ ...task, id: '', task_id }, heartbeat)
  const near = schedule && tooNear(schedule, now.getTime(), looksAtFires)
  if (!near) return
  const [first, second] = near.map((time) => timestamp(new Date(time)))
  const message =
    `The schedule names ${first} and ${second}. A task fires at most once an hour, so ` +
    'the second one is skipped where the first one comes.'
  notices.add('fires_too_often', `${at}/triggers`, message)
}

/** Results are posted to channels of type webhook, and to those that carry messages to people. */
function notePosting(
  notices: Notices,
  { social_posting: posting }: TaskInput,
  at: string,
  control: Control | null | undefined,
): void {
  if (!posting?.enabled || control === undefined) return
  const fallback = control?.default_channel
  const pointer = `${at}/social_posting/channels`
  const named = posting.channels.map((name, i) => ({ name, pointer: `${pointer}/${i}` }))
  if (named.length === 0 && fallback) named.push({ name: fallback, pointer })
  if (named.length === 0) {
    notices.add(
      'not_deliverable',
      pointer,
      'There is no channel to post to, not even a default one.',
    )
  }
  const channels = Map.groupBy(control?.channels ?? [], ({ name }) => name)
  for (const { name, pointer } of named) {
    if (notices.isFull) return
    const [channel] = channels.get(name) ?? []
    if (channel && (channel.type === sentChannelType || isCarriedKind(channel.type))) continue
    const why = channel ? `is of type "${channel.type}"` : 'is not a channel of the agent'
    notices.add('not_deliverable', pointer, `"${name}" ${why}: nothing is posted to it.`)
  }
}

function noteCounted(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  const reason = task.reliability?.pause_reason ?? null
  if (reason !== null && reason !== previous?.reliability?.pause_reason) {
    notices.ignore(`${at}/reliability/pause_reason`)
  }
  const { average, count } = task.rating_summary ?? {}
  const kept = previous?.rating_summary
  if (task.rating_summary && (average !== kept?.average || count !== kept?.count)) {
    notices.ignore(`${at}/rating_summary`)
  }
}
