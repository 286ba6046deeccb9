import { type ListeningBounds, listeningBounds } from './listener-bounds.ts'
import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server'
import { type Streams } from '#src/core/admission/streams.ts'
import type { Core } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import { Refusal } from '#src/core/errors.ts'
import type { DoorAnswer } from '#protocol/door.ts'
import { PlainRequest, type Exchange } from './exchange.ts'
import { followable, followedIn, type Followed } from './followed.ts'
import { Listening } from './listener.ts'
import { refused } from './refusals.ts'
import { serverFor, type Furnishing } from './server.ts'
import { isObject } from './short-form.ts'

/**
 * Streams of `subscriptions/listen`: a client is told that a run has changed, or that something has happened in
 * its account, as long as its credential may read that.
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
      const told = await followable(asked, exchange, this.#followed, this.#bounds.resources)
      const answer = await this.#answer(exchange, [...told.keys()], listening)
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
  ): Promise<DoorAnswer> {
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
      tell: (uri) => bus.publish({ kind: 'resource_updated', uri }),
      close: () => void handler.close(),
    })
    const headers = Object.fromEntries(response.headers)
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true
    const body = isStream ? (response.body ?? undefined) : await response.text()
    return { status: response.status, headers, body }
  }
}

function notificationsIn(body: unknown): Record<string, unknown> | undefined {
  if (!isObject(body) || body['method'] !== 'subscriptions/listen') return undefined
  const { params } = body
  const notifications = isObject(params) ? params['notifications'] : undefined
  return isObject(notifications) ? notifications : undefined
}

/** The URIs of a request whose form the SDK would accept. */
function askedIn(body: unknown): string[] | undefined {
  const uris = notificationsIn(body)?.['resourceSubscriptions']
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : undefined
}

/** The same request, for those URIs only. */
function narrowed(body: unknown, uris: readonly string[]): unknown {
  const notifications = { ...notificationsIn(body), resourceSubscriptions: uris }
  if (!isObject(body) || !isObject(body['params'])) return body
  return { ...body, params: { ...body['params'], notifications } }
}
