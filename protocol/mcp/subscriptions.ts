import { type ListeningBounds, listeningBounds } from './listener-bounds.ts'
import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server'
import { type Streams } from '#src/core/admission/streams.ts'
import type { Core } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import { Refusal } from '#src/core/errors.ts'
import { errorObject } from '#protocol/admission.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { PlainRequest, type CallMeta, type Exchange } from './exchange.ts'
import { followable, followedIn, type Followed } from './followed.ts'
import { Listening } from './listener.ts'
import { refused } from './refusals.ts'
import { serverFor, type Furnishing } from './server.ts'
import { isObject } from './short-form.ts'
import { missingExtension } from './tasks/methods.ts'
import { withTasks } from './tasks/stream.ts'
import { capabilitiesIn, takesTasks, type ClientCapabilities } from './tasks/wire.ts'

/**
 * Streams of `subscriptions/listen`: a client is told that a run has changed, that a task has another
 * state, or that something has happened in its account, as long as its credential may read that.
 */
export class Subscriptions {
  readonly #core: Core
  readonly #furnishing: Furnishing
  readonly #bounds: ListeningBounds
  readonly #followed: Followed | undefined
  readonly #streams: Streams
  readonly #open = new Set<Listening>()

  constructor(
    core: Core,
    furnishing: Furnishing,
    streams: Streams,
    bounds: ListeningBounds = listeningBounds,
  ) {
    this.#core = core
    this.#streams = streams
    this.#furnishing = furnishing
    this.#bounds = bounds
    this.#followed = followedIn(furnishing)
  }

  /**
   * Answers a request to listen; undefined if it asks for nothing that can be subscribed to, so that
   * the SDK may say so.
   */
  async listen(exchange: Exchange, caller: Caller): Promise<DoorAnswer | undefined> {
    const { credential, request } = exchange
    const asked = askedIn(request.body)
    if (!asked || !this.#followed) return undefined
    const { uris, taskIds, client } = asked
    const { tasks } = this.#furnishing
    if (taskIds.length > 0 && !takesTasks(client)) return withoutTasks(request)
    const listening = new Listening({
      identify: async () => credential && this.#core.identify(credential),
      bounds: this.#bounds,
    })
    const leave = this.#entered(exchange, caller)
    if (typeof leave !== 'function') return leave
    this.#open.add(listening)
    listening.onEnd(() => {
      this.#open.delete(listening)
      leave()
    })
    try {
      const most = this.#bounds.resources
      const found = await followable(uris, exchange, this.#followed, most)
      const followed = await tasks?.followable(taskIds, exchange, most - found.size)
      const told = new Map([...found, ...(followed ?? [])])
      const answer = await this.#answer(exchange, [...told.keys()], listening, asked)
      if (!(answer.body instanceof ReadableStream)) {
        listening.end()
        return answer
      }
      request.signal.addEventListener('abort', () => listening.end(), { once: true })
      if (request.signal.aborted) listening.end()
      listening.follow(told)
      return answer
    } catch (cause) {
      listening.end()
      throw cause
    }
  }

  close(): void {
    for (const listening of this.#open) listening.end()
  }

  /** The function that ends the stream, or the refusal if too many are open. */
  #entered({ request }: Exchange, caller: Caller): (() => void) | DoorAnswer {
    try {
      return this.#streams.open({ caller, address: request.address })
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      const { message, status: code } = cause
      const data = cause.toObject(request.requestId)
      return refused(request, { status: 200, code, message, data })
    }
  }

  /** A stream of the SDK, with a bus that carries only what this client may be told. */
  async #answer(
    exchange: Exchange,
    uris: readonly string[],
    listening: Listening,
    { taskIds, client }: Asked,
  ): Promise<DoorAnswer> {
    const { tasks, log } = this.#furnishing
    const bus = new InMemoryServerEventBus()
    const handler = createMcpHandler(() => serverFor(this.#furnishing, exchange, 'modern'), {
      bus,
      onerror: ({ message: reason }) =>
        this.#furnishing.log.debug('a subscription was refused', { reason }),
    })
    const parsedBody = narrowed(exchange.request.body, uris)
    const plain = new PlainRequest(exchange).asRequest()
    const response = await handler.fetch(plain, { parsedBody })
    listening.opens({
      async tell(uri) {
        const params = await tasks?.shownAt(uri, exchange, client).catch((cause: unknown) => {
          log.error('a task could not be told of', { request_id: exchange.requestId, cause })
          return null
        })
        // A task that is gone is not told of.
        if (params === null) return
        bus.publish({ kind: 'resource_updated', uri, ...(params && { params }) })
      },
      close: () => void handler.close(),
    })
    const headers = Object.fromEntries(response.headers)
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true
    if (!isStream || !response.body) {
      return { status: response.status, headers, body: await response.text() }
    }
    const body = taskIds.length > 0 ? withTasks(response.body) : response.body
    return { status: response.status, headers, body }
  }
}

function notificationsIn(body: unknown): Record<string, unknown> | undefined {
  if (!isObject(body) || body['method'] !== 'subscriptions/listen') return undefined
  const { params } = body
  const notifications = isObject(params) ? params['notifications'] : undefined
  return isObject(notifications) ? notifications : undefined
}

/** What a client wants to be told of, and what it can do. */
interface Asked {
  uris: readonly string[]
  taskIds: readonly string[]
  client: ClientCapabilities
}

/** What is asked for in a request whose form is right; undefined if that is no resource and no task. */
function askedIn(body: unknown): Asked | undefined {
  const { resourceSubscriptions, taskIds } = notificationsIn(body) ?? {}
  if (resourceSubscriptions === undefined && taskIds === undefined) return undefined
  const [uris, ids] = [textsIn(resourceSubscriptions), textsIn(taskIds)]
  return uris && ids && { uris, taskIds: ids, client: capabilitiesIn(metaIn(body)) }
}

function textsIn(list: unknown): readonly string[] | undefined {
  if (list === undefined) return []
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined
}

function metaIn(body: unknown): CallMeta | undefined {
  const params = isObject(body) ? body['params'] : undefined
  const meta = isObject(params) ? params['_meta'] : undefined
  return isObject(meta) ? meta : undefined
}

/** The refusal of tasks to a client that does not take them. */
function withoutTasks(request: DoorRequest): DoorAnswer {
  const { code, message, requiredCapabilities } = missingExtension()
  const data = { ...errorObject(400, message, request.requestId), requiredCapabilities }
  return refused(request, { status: 400, code, message, data })
}

/** The same request, for those URIs only. */
function narrowed(body: unknown, uris: readonly string[]): unknown {
  const { taskIds: _, ...others } = notificationsIn(body) ?? {}
  const notifications = { ...others, resourceSubscriptions: uris }
  if (!isObject(body) || !isObject(body['params'])) return body
  return { ...body, params: { ...body['params'], notifications } }
}
