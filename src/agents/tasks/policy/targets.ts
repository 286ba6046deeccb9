import ipaddr from 'ipaddr.js'
import type { Brain } from '#src/agents/brain.ts'
import { bundles } from '#src/agents/known.ts'
import { isOurs, runtimeFacts } from '../runtimes.ts'
import type { TaskInput } from '../task.ts'
import type { TaskTool } from '../tool.ts'

/** The members of a task that say what its runs reach. */
export type Reaching = Pick<
  TaskInput,
  'runtime' | 'api_url' | 'tools' | 'output_sharing' | 'social_posting' | 'selected_secrets'
>

/** What the runs of a task reach, as canonical names. */
export type Targets = ReadonlySet<string>

/** Any origin: the host is filled in when the task runs. */
export const anyOrigin = 'origin:*'
/** The agent's default channel, whichever that is. */
const anyChannel = 'channel:*'

/** The targets named in the task itself: origins, tools, channels, receivers of its output. */
export function targetsOf(task: Reaching): Targets {
  const { runtime, api_url, tools, output_sharing, social_posting } = task
  const all = [originOf(api_url), ...tools.flatMap(targetsOfTool)]
  if (runtimeFacts(runtime)?.reachesAll) all.push(`runtime:${runtime}`)
  if (output_sharing?.enabled && output_sharing.target_agent_id) {
    const { target_agent_id, target_task_id } = output_sharing
    all.push(`task:${target_agent_id}/${target_task_id ?? ''}`)
  }
  if (social_posting?.enabled) {
    const { channels } = social_posting
    all.push(...(channels.length > 0 ? channels.map((name) => `channel:${name}`) : [anyChannel]))
  }
  return new Set(all.filter((one) => one !== undefined))
}

function targetsOfTool({ type, name, config }: TaskTool): (string | undefined)[] {
  const bundle = type === 'builtin' && typeof config.bundle === 'string' ? config.bundle : name
  const agentId = config.agent_id || config.target_agent_id
  const taskId = config.task_id || config.target_task_id
  const isTask = type === 'agent' && typeof agentId === 'string' && typeof taskId === 'string'
  return [
    `tool:${type}:${bundle}`,
    originOf(config.url),
    isTask ? `task:${agentId}/${taskId}` : undefined,
  ]
}

const fixedHost = /^(https?:\/\/[^/?#{}\\]+)(?:[/?#]|$)/i

/** The origin of an address; any origin if its host is filled in when it is called. */
export function originOf(address: unknown): string | undefined {
  if (typeof address !== 'string' || address === '') return undefined
  const origin = fixedOrigin(address)
  return origin === undefined ? anyOrigin : `origin:${origin}`
}

/** The origin of an address, in one form for each place; undefined if its host is filled in, or cannot be read. */
export function fixedOrigin(address: string): string | undefined {
  const [, host] = fixedHost.exec(address) ?? []
  return host !== undefined && URL.canParse(host) ? sameOrigin(new URL(host)) : undefined
}

/**
 * One name for each place: URL normalizes case, IDNA, default ports and the forms of IPv4. A trailing
 * dot and an IPv4-mapped IPv6 address lead to the same host.
 */
function sameOrigin({ protocol, hostname, port }: URL): string {
  const host = hostname.startsWith('[') ? innerHost(hostname) : hostname.replace(/\.$/, '')
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

function innerHost(hostname: string): string {
  const address = ipaddr.process(hostname.slice(1, -1))
  return address instanceof ipaddr.IPv4 ? address.toString() : hostname
}

/**
 * What a task uses that others may use too without reaching the same targets: its secrets, and the
 * tools that the brain of its agent has for every prompt.
 */
export function usedBy(task: Reaching, brain: Brain | null): Targets {
  const secrets = task.selected_secrets.map((name) => `secret:${name}`)
  const thinks = !isOurs(task.runtime)
  return new Set(thinks && hasTools(brain) ? [...secrets, 'brain'] : secrets)
}

function hasTools(brain: Brain | null): boolean {
  if (!brain) return false
  if (brain.mcps.some(({ enabled }) => enabled) || brain.custom_mcp_urls.length > 0) return true
  return bundlesOf(brain).size > 0
}

/** The bundles of tools that a brain names among its plugins and skills. */
export function bundlesOf(brain: Brain | null): ReadonlySet<string> {
  const plugins = brain?.plugins.filter(({ enabled }) => enabled).map(({ name }) => name) ?? []
  return new Set([...plugins, ...(brain?.skills ?? [])].filter((name) => bundles.includes(name)))
}

const kinds = [
  { begins: 'origin:', any: anyOrigin },
  { begins: 'channel:', any: anyChannel },
] as const

/** The name for any target of this kind; undefined for a kind without one. */
export function anyOf(target: string): string | undefined {
  return kinds.find(({ begins }) => target.startsWith(begins))?.any
}

/** The name under which every target of this kind is found; undefined for a kind without `any`. */
export function kindOfAny(target: string): string | undefined {
  const any = anyOf(target)
  return any === undefined ? undefined : `every ${any}`
}

/** The targets that are new. */
export function gained(now: Targets, before: Targets): Targets {
  return new Set([...now].filter((one) => !before.has(one)))
}
