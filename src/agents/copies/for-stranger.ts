import { CharacterInput } from '../character.ts'
import { parsed } from '#src/core/input/validate.ts'
import type { Warning } from '#src/core/schema.ts'
import type { TaskInput } from '../tasks/task.ts'
import type { TaskTool } from '../tasks/tool.ts'
import type { Trigger } from '../tasks/trigger.ts'
import { knownOnly } from './known-members.ts'

/** The ids of the copy and of the original. */
interface StrangerTerms {
  id: string
  original: string
}

/**
 * An agent as another account gets it: its profile, its prompts and its tasks. Left out are channels,
 * settings of tools, environments, names of secrets, other agents and all members that the schema does
 * not name. The copy is private, and nothing of it starts by itself.
 */
export function forStranger(
  all: CharacterInput,
  terms: StrangerTerms,
  warnings: Warning[],
): CharacterInput {
  // Only members are left out, so it is still valid.
  const known = knownOnly(CharacterInput, all) as CharacterInput
  const { brain, heart } = known
  const tasks = (heart?.tasks ?? []).map((task, i) =>
    strangersTask(
      task,
      all.heart?.tasks[i]?.triggers ?? [],
      all.heart?.tasks[i]?.tools ?? [],
      terms,
    ),
  )
  noteStopped(all, warnings)
  const left =
    'Secrets, channels, connections, settings of tools and members unknown to the schema were left out.'
  warnings.push({ code: 'left_behind', message: left })
  return parsed(
    CharacterInput,
    {
      ...known,
      control: null,
      visibility: null,
      brain: brain && strangersBrain(brain),
      heart: heart && { tasks, heartbeat_interval: null, timezone: heart.timezone },
    },
    '',
  )
}

function strangersBrain(brain: NonNullable<CharacterInput['brain']>) {
  return {
    ...brain,
    mcps: brain.mcps.map((server) => ({ ...server, url: openAddress(server.url), env: {} })),
    plugins: brain.plugins.map((plugin) => ({ ...plugin, config: {} })),
    hooks: brain.hooks.filter(({ action }) => !action.startsWith('webhook:')),
    custom_skill_urls: openAddresses(brain.custom_skill_urls),
    custom_mcp_urls: openAddresses(brain.custom_mcp_urls),
    custom_plugin_urls: openAddresses(brain.custom_plugin_urls),
  }
}

function strangersTask(
  task: TaskInput,
  triggers: readonly Trigger[],
  tools: readonly TaskTool[],
  { id, original }: StrangerTerms,
): TaskInput {
  const isSelf = task.output_sharing?.target_agent_id === original
  return {
    ...task,
    triggers: triggers.map(strangersTrigger),
    tools: tools.map(strangersTool),
    artifact_stores: task.artifact_stores.filter(({ type }) => type === 'local'),
    api_url: openAddress(task.api_url),
    selected_secrets: [],
    // An empty list would allow everything that is added later.
    selected_connections: task.selected_connections.length > 0 ? [id] : [],
    output_sharing: isSelf ? task.output_sharing : null,
    social_posting: null,
    approval_gate: task.approval_gate && {
      ...task.approval_gate,
      approvers: [],
      min_approvals: 1,
    },
    quorum: task.quorum && {
      ...task.quorum,
      approver_agent_ids: [id],
      min_approvals: 1,
      fallback_agent_id: null,
    },
    service_enabled: false,
    price_cents: null,
    payment_price_id: null,
  }
}

const configOf: Readonly<Record<Trigger['type'], readonly string[]>> = {
  cron: ['cron'],
  webhook: ['path'],
  event: ['event', 'filter'],
  action: ['name'],
  manual: [],
  message: [],
}

/** A run that others start may cost the new owner, who has to switch the trigger on. */
function strangersTrigger({ type, config, enabled }: Trigger): Trigger {
  const kept = Object.entries(config).filter(([name]) => configOf[type].includes(name))
  return { type, config: Object.fromEntries(kept), enabled: enabled && type === 'manual' }
}

function strangersTool({ name, type, config, enabled }: TaskTool): TaskTool {
  const url = openAddress(config.url)
  return { name, type, config: url === null ? {} : { url }, enabled }
}

function noteStopped({ heart }: CharacterInput, warnings: Warning[]): void {
  for (const [i, { triggers }] of (heart?.tasks ?? []).entries()) {
    if (!triggers.some(({ type, enabled }) => enabled && type !== 'manual')) continue
    const message = 'Its triggers are off: switch on those that should start it.'
    warnings.push({ code: 'triggers_off', pointer: `/heart/tasks/${i}/triggers`, message })
  }
  if ((heart?.heartbeat_interval ?? null) === null) return
  const message = 'The heartbeat is off: set it again to switch it on.'
  warnings.push({ code: 'heartbeat_off', pointer: '/heart/heartbeat_interval', message })
}

/** An address that is safe to publish: a login, a query or a fragment may hold a key. */
function openAddress(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { protocol, username, password, search, hash } = new URL(address)
  const isOpen = username === '' && password === '' && search === '' && hash === ''
  return isOpen && (protocol === 'https:' || protocol === 'http:') ? address : null
}

function openAddresses(addresses: readonly string[]): string[] {
  return addresses.filter((address) => openAddress(address) !== null)
}
