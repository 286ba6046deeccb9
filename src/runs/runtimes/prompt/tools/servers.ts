import { scrubbedInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import { ConsentNeeded } from '#src/ports/authorize.ts'
import type { ToolServer, ToolServerAnswer } from '#src/ports/tool-server.ts'
import { ToolServerFailure } from '#src/ports/tool-server.ts'
import type { MissingTool } from '#src/runs/degraded.ts'
import { RunFailure } from '#src/runs/failure.ts'
import { notLetIn } from '#src/runs/runtimes/authorize.ts'
import type { Desk } from '../desk.ts'
import { shortened } from '#src/core/text/fence.ts'
import { headersFrom } from '../headers.ts'
import { ToolFault, type RunTool, type ToolNames } from '../tool.ts'
import { callKeys } from './calls.ts'

/** A tool server that the agent or the task names. */
export interface NamedServer {
  name: string
  url: string
  /** Header by header; values may name secrets. */
  env: unknown
  /** The task cannot do without it. */
  required: boolean
  /** Whether its calls are held for a person; undefined where its own tools say so. */
  requirePerson?: boolean | undefined
}

const serversAtMost = 16
const toolsOfOne = 64
const descriptionAtMost = 1000
const schemaAtMost = 20_000

/** The tools of servers that answered, and what closes the connections. */
export interface Connected {
  tools: RunTool[]
  /** Servers that cannot be used. */
  missing: MissingTool[]
  close(): Promise<void>
}

/** The servers of the agent's brain and of the task, each once. */
export function serversOf({ character, tools }: Desk): NamedServer[] {
  const own = tools.filter(({ type, enabled }) => enabled && type === 'mcp')
  const brain = character.brain?.mcps.filter(({ enabled }) => enabled) ?? []
  const bare = character.brain?.custom_mcp_urls ?? []
  const all = [
    ...own.map(({ name, config }) => ({ name, url: config.url, env: config.env })),
    ...brain.map(({ name, url, env }) => ({ name, url, env })),
    ...bare.map((url) => ({ name: URL.parse(url)?.hostname ?? url, url, env: {} })),
  ]
  const seen = new Set<unknown>()
  return all.flatMap(({ name, url, env }) => {
    if (typeof url !== 'string' || url === '' || seen.has(url)) return []
    seen.add(url)
    const meant = own.filter((tool) => (tool.config.url || urlNamed(all, tool.name)) === url)
    const required = meant.some((tool) => tool.required)
    const said = meant.flatMap(({ require_person }) => require_person ?? [])
    const requirePerson = said.length > 0 ? said.includes(true) : undefined
    return [{ name, url, env, required, requirePerson }]
  })
}

/** The address of the agent's server that a tool of the task means by its name alone. */
function urlNamed(servers: readonly { name: string; url: unknown }[], name: string): unknown {
  return servers.find((server) => server.name === name && server.url)?.url
}

/** Asks all servers at once for their tools; one that does not answer as it should is left out, and noted. */
export async function connected(desk: Desk, names: ToolNames): Promise<Connected> {
  const { work } = desk
  const servers: ToolServer[] = []
  const missing: MissingTool[] = []
  const all = serversOf(desk)
  const asked = all.slice(0, serversAtMost).map(async (named) => {
    try {
      const server = await connect(desk, named)
      servers.push(server)
      return { named, server }
    } catch (cause) {
      work.signal.throwIfAborted()
      if (!isTheirs(cause)) throw cause
      const { name, required } = named
      const consent = cause instanceof ConsentNeeded ? cause : undefined
      missing.push({ name, required, consent })
      const link = consent && {
        code: 'needs_consent',
        connection_id: consent.connectionId,
        url: consent.page,
      }
      await desk.note('tools.unavailable', { name, reason: cause.message, ...link })
      return undefined
    }
  })
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()))
  }
  const answers = await Promise.allSettled(asked)
  const failed = answers.find((one) => one.status === 'rejected')
  if (failed) {
    await close()
    throw failed.reason
  }
  for (const { name, required } of all.slice(serversAtMost)) {
    missing.push({ name, required })
    const reason = `A run has at most ${serversAtMost} tool servers.`
    await desk.note('tools.unavailable', { name, reason })
  }
  const tools: RunTool[] = []
  for (const one of answers) {
    const named = one.status === 'fulfilled' ? one.value : undefined
    if (named) tools.push(...(await toolsOf(desk, named, names)))
  }
  return { tools, missing, close }
}

function isTheirs(cause: unknown): cause is Error {
  return (
    cause instanceof ToolServerFailure ||
    cause instanceof RunFailure ||
    notLetIn(cause) !== undefined
  )
}

async function connect(desk: Desk, { url, env }: NamedServer): Promise<ToolServer> {
  const { ports, signal } = desk.work
  const headers = headersFrom(desk, env, url)
  return ports.toolServers.connect({ url, headers, authorize: desk.authorize }, signal)
}

async function toolsOf(
  { scrub, work }: Desk,
  { named, server }: { named: NamedServer; server: ToolServer },
  names: ToolNames,
): Promise<RunTool[]> {
  const fitting = server.tools
    .filter(({ parameters }) => JSON.stringify(parameters).length <= schemaAtMost)
    .slice(0, toolsOfOne)
  // A server may say again what it was sent.
  const clean = <T>(said: T): Promise<T> => scrubbedInTurns(said, scrub, work.ports.clock)
  const tools: RunTool[] = []
  for (const { name, description, parameters, isHarmless } of fitting) {
    const offer = {
      name: names.take(scrub(`${named.name}_${name}`)),
      description: shortened(await clean(description), descriptionAtMost),
      parameters: await clean(parameters),
    }
    const needsPerson = named.requirePerson ?? !isHarmless
    const keyOf = callKeys(work.run, offer.name)
    tools.push({
      offer,
      needsPerson,
      call(input, signal) {
        const mark = { key: keyOf([input]), attempt: work.run.attempt }
        return answerOf(() => server.call(name, input, { signal, mark }), signal)
      },
    })
  }
  return tools
}

async function answerOf(
  call: () => Promise<ToolServerAnswer>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { text, isError } = await call()
    if (isError) throw new ToolFault(text)
    return text
  } catch (cause) {
    signal.throwIfAborted()
    throw isTheirs(cause) ? new ToolFault(cause.message, { cause }) : cause
  }
}
