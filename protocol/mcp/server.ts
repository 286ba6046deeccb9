import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import { inTools } from '#src/core/words/doors.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { Signpost } from '#src/core/words/signpost.ts'
import { offered } from '#src/core/operation-facts.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Words } from '#src/core/words/reference.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Log } from '#src/ports/log.ts'
import { failedHere } from '#src/core/admission/faults.ts'
import { namedCall } from '#src/documents/lookup/named-call.ts'
import { appsExtension } from './apps/extension.ts'
import { Completer } from './prompts/completions.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import { exampleOf, type Example } from './faults.ts'
import { guidanceOf } from './prompts/guide.ts'
import type { McpDoorOptions, Stage } from './options.ts'
import { mayWait, Progress, progressTokenOf, waitSecondsOf } from './progress.ts'
import type { Prompt } from './prompts/prompt.ts'
import { promptResult } from './prompts/prompts.ts'
import { publicHint, ResourceShelf } from './resources.ts'
import { protocolError, refusedResult, toolResult } from './results.ts'
import type { Era } from './short-form.ts'
import { tasksIn, type Tasks } from './tasks/tasks.ts'
import { toolSteps, ToolTable } from './tools.ts'

/** Everything that the server of an exchange is made of; it is shared and never changes. */
export interface Furnishing {
  name: string
  version: string
  instructions: string
  tools: ToolTable
  resources: ResourceShelf
  prompts: readonly Prompt[]
  completer: Completer
  log: Log
  stage: Stage | undefined
  waitsAtMostMs: number
  /** Reads the states of runs whose changes can be announced; undefined if there are none. */
  standings: Operation | undefined
  /** Answers calls by tasks for clients that take them; undefined where nothing starts runs. */
  tasks: Tasks | undefined
  absent: AbsenceOf
  /** Leads to the tools. */
  signpost: Signpost
  catalog: readonly Operation[]
  /** A call that works. */
  example: Example
  /** How the door names calls in its refusals. */
  words: Words
}

/** Operations themselves wait for a minute at most. */
const longerThanAnyWaitMs = 90_000

/** @throws Error when hosts would refuse the tools of the catalog */
export function furnish(options: McpDoorOptions): Furnishing {
  return furnished(options, new ToolTable(catalogOf(options), undefined, options.absent))
}

/** The same; its tools are made in portions. */
export async function furnishInPortions(
  options: McpDoorOptions,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Promise<Furnishing> {
  const catalog = catalogOf(options)
  const made = options.tools ?? (await inPortions(toolSteps(catalog), clock))
  return furnished(options, new ToolTable(catalog, made, options.absent))
}

function catalogOf({ core, catalog = offered(core.catalog) }: McpDoorOptions) {
  return catalog
}

function furnished(options: McpDoorOptions, tools: ToolTable): Furnishing {
  const { name, version, publicUrl, path, log, stage } = options
  const { guidance = guidanceOf, documents = [], waitsAtMostMs = longerThanAnyWaitMs } = options
  const { itemStandings } = options
  const catalog = catalogOf(options)
  const facts = { name, publicUrl, path, catalog }
  const { instructions, skill, prompts } = guidance(facts)
  const standings = !stage && tools.find('runs_events')?.follow ? options.standings : undefined
  return {
    name,
    version,
    instructions,
    tools,
    resources: new ResourceShelf(facts, { skill, documents, tools }),
    prompts,
    completer: new Completer({ catalog, prompts, documents }),
    log,
    stage,
    waitsAtMostMs,
    absent: options.absent ?? (() => undefined),
    signpost: new Signpost(options.core.catalog, catalog),
    catalog,
    example: exampleOf(catalog),
    words: inTools(catalog, options.core.catalog, publicUrl),
    tasks: stage ? undefined : tasksIn(catalog, { tools, standings, itemStandings, waitsAtMostMs }),
    standings,
  }
}

const plainObject = z.custom<CallMeta>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be an object' },
)

// Objects are passed on unchanged: the core checks them itself, and must see every member.
const callParams = z.object({
  name: z.string(),
  arguments: plainObject.optional(),
  _meta: plainObject.optional(),
  // Only of 2025-11-25, and passed over elsewhere.
  task: z.unknown().optional(),
})
const listParams = z.object({ cursor: z.unknown().optional() })
const readParams = z.object({ uri: z.string('must be the address of a resource') })
const promptParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
})
const completeParams = z.object({
  ref: z.object({ type: z.string(), name: z.string().optional(), uri: z.string().optional() }),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
})

/**
 * The SDK's server for one exchange. It is the low-level one, filled with prepared values: the
 * high-level server would convert every schema of the catalog to JSON for each request.
 */
export function serverFor(
  furnishing: Furnishing,
  exchange: Exchange,
  era: Era = 'legacy',
): Server | McpServer {
  const { name, version, stage } = furnishing
  if (stage) return stage.server()
  const server = new Server({ name, version }, optionsOf(furnishing, era))
  new Handlers(furnishing, exchange).install(server, era)
  return server
}

/** Clients of older revisions subscribe by a session, which does not exist here. */
function optionsOf(furnishing: Furnishing, era: Era): ServerOptions {
  const { instructions, standings } = furnishing
  const resources = era === 'modern' && standings ? { subscribe: true } : {}
  return {
    capabilities: { tools: {}, resources, prompts: {}, completions: {}, extensions: appsExtension },
    instructions,
    cacheHints: {
      'tools/list': publicHint,
      'prompts/list': publicHint,
      'resources/list': publicHint,
      'resources/templates/list': publicHint,
      'server/discover': publicHint,
    },
    jsonSchemaValidator: noValidator,
  }
}

/** Only answers to requests from server to client would be validated; this server sends none. */
const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator() {
    throw new Error('this server asks its clients nothing')
  },
}

type McpRequest = Pick<ServerContext['mcpReq'], 'signal' | 'notify' | 'envelope'>

class Handlers {
  readonly #furnishing: Furnishing
  readonly #exchange: Exchange

  constructor(furnishing: Furnishing, exchange: Exchange) {
    this.#furnishing = furnishing
    this.#exchange = exchange
  }

  install(server: Server, era: Era): void {
    const { tools, resources, prompts, completer, tasks } = this.#furnishing
    const exchange = this.#exchange
    this.#list(server, 'tools/list', () => {
      const list = tools.list(exchange.selection)
      return { tools: tasks?.inList(list, exchange.request, era) ?? list }
    })
    this.#list(server, 'resources/list', () => ({ resources: resources.resources }))
    this.#list(server, 'resources/templates/list', () => ({
      resourceTemplates: resources.templates,
    }))
    this.#list(server, 'prompts/list', () => ({ prompts: prompts.map(({ entry }) => entry) }))
    server.setRequestHandler('tools/call', { params: callParams }, (params, { mcpReq }) =>
      this.#guarded(() => this.#call(params, mcpReq)),
    )
    server.setRequestHandler('resources/read', { params: readParams }, ({ uri }, { mcpReq }) =>
      this.#guarded(() => resources.read(uri, exchange, mcpReq.signal)),
    )
    server.setRequestHandler('prompts/get', { params: promptParams }, (params) =>
      this.#guarded(() => promptResult(prompts, params.name, params.arguments ?? {}, exchange)),
    )
    server.setRequestHandler('completion/complete', { params: completeParams }, (params, ctx) =>
      this.#guarded(() => completer.complete(params, exchange, ctx.mcpReq.signal)),
    )
    tasks?.install(server, exchange, era, (work) => this.#guarded(work))
  }

  /** A list is one page, so no cursor is ever returned. */
  #list(server: Server, method: string, make: () => Result): void {
    server.setRequestHandler(method, { params: listParams }, ({ cursor }) => {
      if (typeof cursor === 'string') {
        throw invalid('There is no such cursor: the list is one page.')
      }
      return make()
    })
  }

  async #call(params: z.output<typeof callParams>, mcpReq: McpRequest): Promise<Result> {
    const { tools, tasks, waitsAtMostMs, absent, signpost } = this.#furnishing
    const exchange = this.#exchange
    const called = tools.called(params.name, params.arguments ?? {}, exchange.selection)
    if (!called) {
      const { requestId, words } = exchange
      const byName = tools.callsByName ? { ...namedCall, said: namedCall.tool } : undefined
      const refusal = unknownOperation('tool', params.name, signpost, absent, byName)
      const data = refusal.toObject(requestId, words)
      // Hosts show a model the message alone.
      throw invalid(`${data.detail} ${data.hint ?? ''}`, data)
    }
    if (called.refusal) return refusedResult(called.refusal, exchange)
    const { operation: op, input, asText, understood } = called
    const asTask = await tasks?.answerFor(op, input, { mcpReq, exchange, asked: params.task })
    const waited = asTask ? AbortSignal.abort() : AbortSignal.timeout(waitsAtMostMs)
    // Clients of older revisions cannot cancel a request without a session.
    const signal = mayWait(op) ? AbortSignal.any([mcpReq.signal, waited]) : mcpReq.signal
    const progress = this.#progressOf(mcpReq, params._meta, waitSecondsOf(op, input))
    try {
      const more = { understood, ...(progress && { progress: progress.tell }) }
      const outcome = await exchange.serve(op, input, params._meta, signal, more)
      const result = toolResult(op, outcome, exchange, asText)
      return asTask?.(outcome, result) ?? result
    } finally {
      progress?.end()
    }
  }

  /** Only clients that asked for progress get it. */
  #progressOf(
    mcpReq: McpRequest,
    meta: CallMeta | undefined,
    seconds: number,
  ): Progress | undefined {
    const progressToken = progressTokenOf(meta)
    if (progressToken === undefined) return undefined
    return new Progress(seconds, ({ ...note }) =>
      mcpReq.notify({
        method: 'notifications/progress',
        params: { ...note, progressToken },
      }),
    )
  }

  /** An internal error is logged, and its details are not disclosed; the SDK would show its message. */
  async #guarded<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof ProtocolError) throw cause
      if (cause instanceof Refusal) throw protocolError(cause, this.#exchange)
      const { requestId } = this.#exchange.request
      this.#furnishing.log.error('the MCP door failed', { request_id: requestId, cause })
      throw new ProtocolError(ProtocolErrorCode.InternalError, failedHere, {
        request_id: requestId,
      })
    }
  }
}

function invalid(message: string, data?: object): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data)
}
