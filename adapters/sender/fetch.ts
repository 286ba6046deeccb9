import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import type { Outbound, Sender, Streamer } from '#src/ports/sender.ts'
import { guardedConnector } from './connect.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { begin, bodyOf, exchange, load, type Begun } from './exchange.ts'
import { failure, failureOf } from './faults.ts'
import { loadUndici } from './undici.ts'
import { objectionTo } from './objection.ts'
import type { Hop } from './redirect.ts'

type Exchange<T> = (
  agent: Agent,
  hop: Hop,
  signal: AbortSignal,
  bytesAtMost?: number,
) => Promise<T | Hop>

export interface SenderOptions {
  /** Origins (scheme, host and port) that may be called wherever they lead. */
  allow: readonly string[]
  userAgent: string
  /** How names are resolved; by default as the system does it. */
  lookup?: LookupFunction
}

const longestMs = 20_000
// A model may take as long as its task's step limit allows.
const longestStreamMs = 3_600_000
const redirectsByDefault = 3
// Headers of the connection rather than the message; and cookies, which are never sent or kept.
const notForCallers =
  /^(?:accept-encoding|connection|content-length|cookie2?|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/

/**
 * The guarded fetch over undici, which is loaded with the first request. Every request opens a
 * connection of its own: no state of one caller is left on it for the next, and no request is lost on a
 * connection that the other side was about to close.
 */
export function openSender(options: SenderOptions): Sender & Streamer {
  const allowed = new Set(options.allow.map((origin) => new URL(origin).origin))
  const closing = new AbortController()
  let opened: Promise<Agent> | undefined

  const limit = (request: Outbound, most: number): Deadline =>
    startDeadline(Math.min(request.timeoutMs ?? longestMs, most), [request.signal, closing.signal])
  /** The head of the answer, or all of it, within the time limit. */
  const ask = async <T extends object>(
    request: Outbound,
    { signal, passed }: Deadline,
    exchange: Exchange<T>,
  ): Promise<T> => {
    const one = async (hop: Hop): Promise<T | Hop> => {
      opened ??= openAgent(allowed, options.lookup)
      return exchange(await opened, hop, signal, request.bytesAtMost)
    }
    try {
      return await Promise.race([passed, follow(request, options.userAgent, allowed, one)])
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    async send(request) {
      using deadline = limit(request, longestMs)
      return await ask(request, deadline, exchange)
    },
    async load(request) {
      using deadline = limit(request, longestMs)
      return await ask(request, deadline, load)
    },
    async stream(request) {
      using held = new DisposableStack()
      const deadline = held.use(limit(request, longestStreamMs))
      const begun = await ask<Begun>(request, deadline, begin)
      held.defer(() => begun.leave())
      // From here on the limit ends with the body.
      const limits = held.move()
      const body = ending(bodyOf(begun, deadline.signal), limits)
      return { status: begun.status, headers: begun.headers, body }
    },
    objection: (url, encrypted) =>
      objectionTo(URL.parse(url) ?? undefined, allowed, encrypted)?.words,
    async close() {
      closing.abort()
      const agent = await opened
      await agent?.destroy()
    },
  }
}

/** The body; its resources are released when it ends, even if it is left before its first byte. */
function ending(
  body: AsyncGenerator<Uint8Array>,
  held: DisposableStack,
): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const one = await body.next()
        if (one.done) held.dispose()
        return one
      } catch (error) {
        held.dispose()
        throw error
      }
    },
    async return() {
      held.dispose()
      await body.return(undefined)
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

async function openAgent(
  allowed: ReadonlySet<string>,
  lookup: LookupFunction | undefined,
): Promise<Agent> {
  const undici = await loadUndici()
  const connect = guardedConnector(undici.buildConnector, allowed, lookup)
  // The request's deadline is the only time limit; without pipelining nothing is kept alive.
  return new undici.Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
}

function firstHop(request: Outbound, userAgent: string): Hop {
  const url = URL.parse(request.url)
  if (!url) throw failure('address_invalid')
  const sent = Object.entries(request.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !notForCallers.test(name))
  const headers = { 'user-agent': userAgent, ...Object.fromEntries(sent) }
  return { method: request.method, url, headers, body: request.body }
}

/** Follows redirects, checking each hop like the first, until there is an answer. */
async function follow<T extends object>(
  request: Outbound,
  userAgent: string,
  allowed: ReadonlySet<string>,
  ask: (hop: Hop) => Promise<T | Hop>,
): Promise<T> {
  let hop = firstHop(request, userAgent)
  for (let left = request.redirects ?? redirectsByDefault; ; left -= 1) {
    const objection = objectionTo(hop.url, allowed)
    if (objection) throw failure(objection.fault)
    const outcome = await ask(hop)
    if (!('url' in outcome)) return outcome
    if (left <= 0) throw failure('too_many_redirects')
    hop = outcome
  }
}
