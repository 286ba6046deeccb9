import { isDeepStrictEqual } from 'node:util'
import { members, textOf } from '#src/core/input/loose.ts'
import type { Notices } from './notices.ts'
import { runtimeFacts } from './runtimes.ts'
import type { StoredTask, TaskInput } from './task.ts'
import type { TaskTool } from './tool.ts'

/** What a runtime cannot do without. */
const needed: Readonly<Record<string, keyof TaskInput>> = {
  api: 'api_url',
  container: 'container_image',
  human_approval: 'quorum',
  shell: 'shell_command',
}

function lackedBy(task: Partial<TaskInput>): keyof TaskInput | undefined {
  const member = Object.hasOwn(needed, task.runtime ?? '') ? needed[task.runtime ?? ''] : undefined
  return member === undefined || task[member] ? undefined : member
}

/** Tells of a runtime that lacks what it cannot do without. @param at the pointer of the task */
export function noteNeeded(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  const member = lackedBy(task)
  if (member === undefined || (previous && lackedBy(previous) === member)) return
  const message = `Runs fail: the runtime "${task.runtime}" needs ${member}.`
  notices.add('runtime_incomplete', `${at}/${member}`, message)
}

/** Members that one runtime alone acts on. */
const ofRuntime = {
  api_url: 'api',
  container_command: 'container',
  container_image: 'container',
  quorum: 'human_approval',
  router_model: 'router',
  shell_command: 'shell',
  workflow_entry: 'workflow',
} as const satisfies Partial<Record<keyof TaskInput, string>>

/** Those of a task that are of another runtime than its own. What an unknown one acts on is not known. */
function othersIn(task: Partial<TaskInput>): [keyof typeof ofRuntime, string][] {
  const own = task.runtime || 'prompt'
  if (!runtimeFacts(own)) return []
  // The entries of the table are its own.
  const all = Object.entries(ofRuntime) as [keyof typeof ofRuntime, string][]
  return all.filter(([member, runtime]) => runtime !== own && Boolean(task[member]))
}

/** Tells of members that another runtime acts on, and the task's own does not. @param at the pointer of the task */
export function noteOthers(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  const known = new Map(previous && othersIn(previous))
  for (const [member, runtime] of othersIn(task)) {
    if (known.has(member) && isDeepStrictEqual(previous?.[member], task[member])) continue
    const message =
      `${member} is kept, and nothing acts on it: it is for the runtime "${runtime}", ` +
      `and this one is "${task.runtime || 'prompt'}".`
    notices.add('no_effect', `${at}/${member}`, message)
  }
}

/** Names of which a tool needs one, by its type; it acts on the first that is there. */
const neededOfTools: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  agent: [
    ['agent_id', 'target_agent_id'],
    ['task_id', 'target_task_id'],
  ],
  http: [['url']],
}

function lackedByTool({ runtime }: Pick<TaskInput, 'runtime'>, tool: TaskTool): string[] {
  const { type, enabled, config } = tool
  // A run of this runtime takes the headers of the tool, and the address of the task.
  if (runtime === 'api' && type === 'http') return []
  if (!enabled || !Object.hasOwn(neededOfTools, type)) return []
  const lacked = (neededOfTools[type] ?? []).filter((names) =>
    names.every((name) => textOf(config[name]) === undefined),
  )
  return lacked.map(([name]) => name)
}

/** Whether a tool means a tool server, and neither says where it is nor has the name of one of the agent. */
function isServerless(
  { type, enabled, name, config }: TaskTool,
  servers: readonly { name: string }[],
): boolean {
  const isMeant = enabled && type === 'mcp' && textOf(config.url) === undefined
  return isMeant && !servers.some((server) => server.name === name)
}

/**
 * Tells of tools that runs are not given, since they do not say what they call.
 * @param at the pointer of the task
 * @param servers the tool servers of its agent; undefined where they are not known
 */
export function noteTools(
  notices: Notices,
  task: TaskInput,
  at: string,
  {
    previous,
    servers,
  }: {
    previous?: StoredTask | undefined
    servers?: readonly { name: string }[] | undefined
  },
): void {
  for (const [i, tool] of task.tools.entries()) {
    const before = previous?.tools[i]
    const isKept = before?.name === tool.name && isServerless(before, [])
    if (servers && isServerless(tool, servers) && !isKept) {
      const message =
        'Runs are not given this tool: its config has no url, and the agent has no tool server of this name.'
      notices.add('tool_incomplete', `${at}/tools/${i}/config/url`, message)
    }
    const known = new Set(before && lackedByTool(previous, before))
    for (const name of lackedByTool(task, tool)) {
      if (known.has(name)) continue
      const message = `Runs are not given this tool: its config needs ${name}.`
      notices.add('tool_incomplete', `${at}/tools/${i}/config/${name}`, message)
    }
  }
}

/** Members that act only once they are switched on, each with its switch and with what it is to do. */
const switches = [
  ['output_sharing', 'enabled', ['target_agent_id', 'target_task_id']],
  ['social_posting', 'enabled', ['channels']],
  [
    'approval_gate',
    'requires_approval',
    ['approvers', 'approval_prompt', 'require_person', 'allow_edit'],
  ],
] as const

type Switch = (typeof switches)[number]

/** What a switch that is off leaves undone; undefined where it is on, or has nothing to do. */
function undoneOf(task: Partial<TaskInput>, [member, flag, parts]: Switch): unknown[] | undefined {
  const block = members(task[member])
  if (block[flag] !== false) return undefined
  // A task of before may lack what was added since.
  const values = parts.map((part) => block[part] ?? false)
  const isSetUp = values.some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
  return isSetUp ? values : undefined
}

/**
 * Tells of what is set up and off, unless the caller has written the switch itself in the same call: it may be off
 * by default, or stand from before, while what it is to do was written.
 * @param at the pointer of the task
 * @param sent the task as it was sent, before anything was filled in; undefined where no one knows it
 */
export function noteSwitches(
  notices: Notices,
  task: TaskInput,
  at: string,
  { previous, sent }: { previous?: StoredTask | undefined; sent?: unknown },
): void {
  for (const one of switches) {
    const [member, flag] = one
    const undone = undoneOf(task, one)
    const isMeant = Object.hasOwn(members(members(sent)[member]), flag)
    if (!undone || isMeant) continue
    if (previous && isDeepStrictEqual(undoneOf(previous, one), undone)) continue
    const message = `${member} is kept, and off: nothing acts on it until its ${flag} is true.`
    notices.add('switched_off', `${at}/${member}/${flag}`, message)
  }
}
