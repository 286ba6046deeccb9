import { type ListeningBounds, listeningBounds } from './listener-bounds.ts'
import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server'
import { type Streams } from '#src/core/admission/streams.ts'
import type { Core } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { DoorAnswer } from '#protocol/door.ts'
import { PlainRequest, type Exchange } from './exchange.ts'
import { Listening, type Seen } from './listener.ts'
import { refused } from './refusals.ts'
import { serverFor, type Furnishing } from './server.ts'
import { isObject } from './short-form.ts'
import { matched, runTemplate } from './templates.ts'

/** The operations behind a subscription. */
interface Followed {
  get: Operation
  events: Operation
}

/**
 * Streams of `subscriptions/listen`: a client is told that a run has changed, as long as its
 * credential opens that run.
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
   * Answers a request to listen; undefined where it asks for nothing that can be listened to, so
   * that the SDK may say so.
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
      const uris = await this.#seen(asked, exchange, this.#followed)
      const answer = await this.#answer(exchange, [...uris.keys()], listening)
      if (!(answer.body instanceof ReadableStream)) {
        listening.end()
        return answer
      }
      request.signal.addEventListener('abort', () => listening.end(), { once: true })
      if (request.signal.aborted) listening.end()
      const { events } = this.#followed
      const more = { follow: true, counted: true }
      listening.follow(uris, (seen, signal) =>
        exchange.serve(events, seen, undefined, signal, more),
      )
      return answer
    } catch (cause) {
      listening.end()
      throw cause
    }
  }

  close(): void {
    for (const listening of this.#open) listening.end()
  }

  /** How to end the stream, or the refusal where too many are open. */
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

  /** The runs that the caller may see, by the addresses under which it asked for them. */
  async #seen(
    asked: readonly string[],
    exchange: Exchange,
    { get }: Followed,
  ): Promise<ReadonlyMap<string, Seen>> {
    // Nobody's run is anybody's: without a credential there is nothing to look for.
    const wanted = exchange.credential ? [...new Set(asked)].slice(0, this.#bounds.runs) : []
    const found = await Promise.all(
      wanted.map(async (uri) => {
        const input = runIn(uri)
        if (!input) return undefined
        const { answer } = await exchange.serve(get, input, undefined, exchange.request.signal)
        return answer && ([uri, { ...input, cursor: lastEventOf(answer.text) }] as const)
      }),
    )
    return new Map(found.filter((entry) => entry !== undefined))
  }

  /** A stream of the SDK's own, with a bus that carries what this client may be told. */
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

function followedIn({ tools, subscribable }: Furnishing): Followed | undefined {
  const [get, events] = [tools.find('runs_get'), tools.find('runs_events')]
  return get && events && subscribable ? { get, events } : undefined
}

/** What the client knows of the run is what it reads now: only what comes then is news. */
function lastEventOf(run: string): string {
  // The answer of an operation of ours; its queueing is event 0, its start event 1.
  const { started_at } = JSON.parse(run) as { started_at: string | null }
  return started_at === null ? '0' : '1'
}

function runIn(uri: string): { run_id: string } | undefined {
  try {
    const { run_id: id } = matched(runTemplate, uri) ?? {}
    return id === undefined ? undefined : { run_id: id }
  } catch {
    return undefined
  }
}

function notificationsIn(body: unknown): Record<string, unknown> | undefined {
  if (!isObject(body) || body['method'] !== 'subscriptions/listen') return undefined
  const { params } = body
  const notifications = isObject(params) ? params['notifications'] : undefined
  return isObject(notifications) ? notifications : undefined
}

/** The addresses of a request whose form the SDK would take. */
function askedIn(body: unknown): string[] | undefined {
  const uris = notificationsIn(body)?.['resourceSubscriptions']
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : undefined
}

/** The same request, for those addresses only. */
function narrowed(body: unknown, uris: readonly string[]): unknown {
  const notifications = { ...notificationsIn(body), resourceSubscriptions: uris }
  if (!isObject(body) || !isObject(body['params'])) return body
  return { ...body, params: { ...body['params'], notifications } }
}
