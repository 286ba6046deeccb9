import { bundles as knownBundles } from '#src/agents/known.ts'
import { bundleOf, lackOfBuiltin, type TaskTool } from '#src/agents/tasks/tool.ts'
import type { MissingTool } from '#src/runs/degraded.ts'
import type { Desk } from './desk.ts'
import { shortened } from '#src/core/text/fence.ts'
import { ToolNames, type RunTool } from './tool.ts'
import { agentTool } from './tools/agent.ts'
import { channelTools } from './tools/channels.ts'
import { clockTools } from './tools/clock.ts'
import { commonsTools } from './tools/commons.ts'
import { httpTool } from './tools/http.ts'
import { knowledgeTools } from './tools/knowledge.ts'
import { memoryTools } from './tools/memory.ts'
import { messagingTools } from './tools/messages.ts'
import { connected } from './tools/servers.ts'
import { webTools } from './tools/web.ts'

/** Everything that a run may use. */
export interface Toolbox {
  tools: ReadonlyMap<string, RunTool>
  /** Tools, tool servers and bundles that its agent or task names and that cannot be used. */
  missing: MissingTool[]
  close(): Promise<void>
}

/** Providers take no more. */
const toolsAtMost = 128

const bundles: Readonly<Record<string, (desk: Desk) => RunTool[]>> = {
  clock: clockTools,
  commons: commonsTools,
  knowledge: knowledgeTools,
  memory: memoryTools,
  messaging: (desk) => [...messagingTools(desk), ...channelTools(desk)],
  web: webTools,
}
const ours: ReadonlyMap<string, (desk: Desk) => RunTool[]> = new Map(Object.entries(bundles))

/**
 * The tools of a run: the bundles that its agent and its task name, the task's own, and those of its
 * tool servers, where they answer.
 * @param first tools that the run has in any case
 * @throws RunFailure for a tool of the task whose headers cannot be sent
 */
export async function toolboxOf(desk: Desk, first: readonly RunTool[]): Promise<Toolbox> {
  const names = new ToolNames()
  const all = new Map<string, RunTool>()
  const put = (tool: RunTool): void => void all.set(tool.offer.name, tool)
  const missing: MissingTool[] = []
  for (const tool of first) put(tool)
  for (const name of bundlesOf(desk)) {
    const isThere = name !== 'commons' || desk.work.ports.settings.hasCommons
    const bundle = isThere ? ours.get(name) : undefined
    const needsPerson = desk.tools.some(
      (tool) => isOfBundle(tool, name) && tool.require_person === true,
    )
    if (bundle) for (const tool of bundle(desk)) put({ ...tool, needsPerson })
    else if (!desk.tools.some((tool) => isOfBundle(tool, name))) {
      missing.push({ name, required: false })
    }
  }
  for (const name of all.keys()) names.take(name)
  const enabled = desk.tools.filter((tool) => tool.enabled)
  for (const one of enabled) {
    const tool = taskTool(desk, one, names)
    if (tool) put(tool)
    const reason = tool ? undefined : whatLacks(desk, one)
    if (reason === undefined) continue
    missing.push({ name: one.name, required: one.required === true })
    await desk.note('tools.unavailable', { name: one.name, reason })
  }
  const servers = await connected(desk, names)
  for (const tool of servers.tools) put(tool)
  const tools = new Map([...all].slice(0, toolsAtMost))
  return { tools, missing: [...missing, ...servers.missing], close: () => servers.close() }
}

function bundlesOf({ character, tools }: Desk): Set<string> {
  const { plugins = [], skills = [] } = character.brain ?? {}
  const builtin = tools.filter(({ type, enabled }) => enabled && type === 'builtin')
  const named = [
    ...plugins.filter(({ enabled }) => enabled).map(({ name }) => name),
    ...skills,
    ...builtin.map(bundleOf),
  ]
  // All other skills that an agent names are for people to read.
  return new Set(named.filter((name) => knownBundles.includes(name)))
}

function isOfBundle(tool: TaskTool, bundle: string): boolean {
  return tool.enabled && tool.type === 'builtin' && bundleOf(tool) === bundle
}

function taskTool(desk: Desk, tool: TaskTool, names: ToolNames): RunTool | undefined {
  if (tool.type === 'http') return httpTool(desk, tool, names.take(tool.name))
  if (tool.type === 'agent') return agentTool(desk.work, tool, names.take(tool.name))
  return undefined
}

/** What a tool of a known type needs and does not say; undefined where it is complete, or of another type. */
function whatLacks({ character, work }: Desk, tool: TaskTool): string | undefined {
  const { type, name, config } = tool
  if (type === 'builtin') return lackOfBuiltin(tool, work.ports.settings.hasCommons)
  if (type === 'http') return 'Its config has no url, or a method that is none.'
  if (type === 'agent') return 'Its config does not name an agent_id and a task_id.'
  const isNamed = character.brain?.mcps.some((server) => server.name === name) ?? false
  if (type !== 'mcp') return `Nothing here offers tools of the type "${shortened(type, 100)}".`
  if (isNamed || config.url) return undefined
  return 'Its config has no url, and the agent has no tool server of this name.'
}
