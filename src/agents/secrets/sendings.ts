import type { Brain } from '../brain.ts'
import { placeholdersIn } from '../tasks/placeholders.ts'
import { fixedOrigin } from '../tasks/policy/targets.ts'
import { isPrompt } from '../tasks/runtimes.ts'
import type { StoredTask } from '../tasks/task.ts'
import type { TaskTool } from '../tasks/tool.ts'
import { localOrigin } from './origins.ts'

/** A secret that a run sends somewhere. */
export interface Sending {
  secret: string
  /** Undefined where the host is filled in: no run sends a secret there. */
  origin: string | undefined
  /** Whether nothing that says so was written by a key that acts as the agent. */
  isOwners: boolean
}

/** A task and its agent with the secrets of their tools in place of masks, which may hold references. */
export interface Opened {
  task: Pick<StoredTask, 'runtime' | 'api_url' | 'selected_secrets' | 'by_agent' | 'owner_sends'>
  tools: readonly TaskTool[]
  /** The tool servers of the agent's brain. */
  servers: Brain['mcps']
  /** The members of the agent that a key acting as it wrote. */
  agentsWords: readonly string[]
}

/** The member of an agent that says where its tool servers are. */
export const serversMember = 'brain.mcps'

/** The selected secrets that a text names. */
export function secretsIn(text: unknown): string[] {
  if (typeof text !== 'string' || !text.includes('secret.')) return []
  return [...placeholdersIn(text)].flatMap(({ name }) =>
    name.startsWith('secret.') ? [name.slice('secret.'.length)] : [],
  )
}

/** A secret with where it goes, as one text. */
export function sendingText(secret: string, origin: string | undefined): string {
  return `${secret} ${origin ?? '*'}`
}

/** What the runs of a task send, and where. A provider's key that only reaches its provider is not among it. */
export function sendingsOf(opened: Opened): Sending[] {
  const { task } = opened
  if (task.selected_secrets.length === 0) return []
  const selected = new Set(task.selected_secrets)
  return routesOf(opened).flatMap(({ secrets, origin, members }) => {
    const words = [...(task.by_agent ?? []), ...opened.agentsWords]
    const isOwners = !members.some((one) => words.includes(one))
    const sent = [...new Set(secrets)].filter((name) => selected.has(name))
    return sent.map((secret) => {
      const wasOwners = task.owner_sends?.includes(sendingText(secret, origin)) ?? false
      return { secret, origin, isOwners: isOwners || wasOwners }
    })
  })
}

interface Route {
  secrets: readonly string[]
  origin: string | undefined
  /** Those of the task, and of its agent, that say what goes there. */
  members: readonly string[]
}

const always = ['runtime', 'selected_secrets'] as const
const ofCommands = ['shell_command', 'container_image', 'container_command'] as const
/** The members of a task that say where its secrets go. */
export const sendingMembers = [...always, 'tools', 'api_url', ...ofCommands] as const

function routesOf({ task, tools, servers }: Opened): Route[] {
  if (task.runtime === 'shell' || task.runtime === 'container') {
    const members = [...always, ...ofCommands]
    return [{ secrets: task.selected_secrets, origin: localOrigin, members }]
  }
  const enabled = tools.filter((tool) => tool.enabled)
  if (task.runtime === 'api') {
    const tool = enabled.find(({ type }) => type === 'http')
    const secrets = namedIn(tool?.config.headers)
    return [{ secrets, origin: originAt(task.api_url), members: [...always, 'tools', 'api_url'] }]
  }
  if (!isPrompt(task.runtime)) return []
  const ofTools = enabled.flatMap(({ type, config }) => {
    if (type !== 'http' && type !== 'mcp') return []
    const secrets = namedIn(type === 'http' ? config.headers : config.env)
    return [{ secrets, origin: originAt(config.url), members: [...always, 'tools'] }]
  })
  const ofBrain = servers
    .filter((server) => server.enabled)
    .map(({ url, env }) => {
      return { secrets: namedIn(env), origin: originAt(url), members: [...always, serversMember] }
    })
  return [...ofTools, ...ofBrain]
}

function namedIn(map: unknown): string[] {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return []
  return Object.values(map).flatMap(secretsIn)
}

function originAt(address: unknown): string | undefined {
  return typeof address === 'string' ? fixedOrigin(address) : undefined
}
