import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stripe } from 'stripe'
import { StripeBooks, type PriceTerms } from './stripe/books.ts'
import { check, endpoints, type Endpoint } from './stripe/endpoints.ts'
import { expanded } from './stripe/expand.ts'
import { readForm, textsAt, type Form } from './stripe/form.ts'
import { refusals, StripeRefusal } from './stripe/refusal.ts'

/**
 * How a call goes wrong:
 * - `hangs`: it is done, and no answer ever comes; `lost`: no answer comes, and nothing was done
 * - `cut`: it is done, and the connection breaks before the answer (the library then repeats the
 *   call by itself, so only two in a row are seen); `halved`: it breaks in the middle of the answer
 * - `broken`: status 500 and nothing done; `done_broken`: status 500, and yet it is done
 * - `garbage`: a page in place of an answer; `limited` 429; `in_use` 409 for an idempotency key
 * - `unauthenticated` 401; `forbidden` 403; `no_balance`: Stripe's own account cannot pay it back
 */
export type StripeFault =
  | 'hangs'
  | 'lost'
  | 'cut'
  | 'halved'
  | 'broken'
  | 'done_broken'
  | 'garbage'
  | 'limited'
  | 'in_use'
  | 'unauthenticated'
  | 'forbidden'
  | 'no_balance'

/** A call as it came in. */
export interface AskedOfStripe {
  /** Method and path: `POST /v1/refunds`. */
  at: string
  headers: IncomingHttpHeaders
  form: Form
}

/** A webhook as it is sent. */
export interface SignedEvent {
  body: string
  /** The header `stripe-signature`. */
  signature: string
}

export interface StripeServer {
  /** For `STRIPE_API_BASE`. */
  apiBase: string
  secretKey: string
  webhookSecret: string
  /** What the account holds, and what its payers do: `books.pay(session)`, `books.addPrice(…)`. */
  books: StripeBooks
  /** Every call, the oldest first. */
  asked: AskedOfStripe[]
  addPrice(terms?: PriceTerms): string
  /**
   * The next calls go wrong.
   * @param at method and path of those that do, as `POST /v1/refunds`; by default every call
   */
  misbehave(fault: StripeFault, options?: { at?: string; times?: number }): void
  /** Signs an event as Stripe does: by default with the right secret, now. */
  sign(event: object, options?: { secret?: string; at?: Date }): Promise<SignedEvent>
  /**
   * Posts events to an address as Stripe does, one after the other; gives the statuses.
   * @param events by default all that were not delivered yet
   */
  deliver(url: string, events?: readonly Stripe.Event[]): Promise<number[]>
  close(): void
}

interface Kept {
  request: string
  status: number
  body: object
  at: number
}

const keptSeconds = 86_400

/**
 * A server on the loopback that answers as Stripe does the calls that we make, in the pinned version
 * of its API, and keeps what it is told.
 * @param now the time of the tests, by default that of this machine
 */
export async function startStripeServer({
  currency = 'eur',
  now = () => new Date(),
}: { currency?: string; now?: () => Date } = {}): Promise<StripeServer> {
  const stand = new StandIn(new StripeBooks(currency, now))
  const server = createServer((request, response) => {
    // The caller may leave before it has received everything.
    void stand.serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    apiBase: `http://127.0.0.1:${port}`,
    secretKey,
    webhookSecret,
    books: stand.books,
    asked: stand.asked,
    addPrice: (terms = {}) => stand.books.addPrice(terms),
    misbehave(fault, { at, times = 1 } = {}) {
      for (let i = 0; i < times; i++) stand.faults.push({ fault, at })
    },
    sign: (event, options) => signed(event, { at: now(), secret: webhookSecret, ...options }),
    async deliver(url, events) {
      const statuses = []
      for (const event of events ?? stand.undelivered()) {
        statuses.push(await post(url, await signed(event, { at: now(), secret: webhookSecret })))
      }
      return statuses
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const secretKey = 'sk_test_standin0123456789abcdef'
const webhookSecret = 'whsec_standin0123456789abcdef'

async function signed(
  event: object,
  { secret, at }: { secret: string; at: Date },
): Promise<SignedEvent> {
  const { Stripe } = await import('stripe')
  const body = JSON.stringify(event, null, 2)
  const timestamp = Math.floor(at.getTime() / 1000)
  const { webhooks } = Stripe
  return {
    body,
    signature: webhooks.generateTestHeaderString({ payload: body, secret, timestamp }),
  }
}

async function post(url: string, { body, signature }: SignedEvent): Promise<number> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signature,
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

class StandIn {
  readonly books: StripeBooks
  readonly asked: AskedOfStripe[] = []
  readonly faults: { fault: StripeFault; at: string | undefined }[] = []
  readonly #kept = new Map<string, Kept>()
  #delivered = 0

  constructor(books: StripeBooks) {
    this.books = books
  }

  undelivered(): Stripe.Event[] {
    const events = this.books.events.slice(this.#delivered)
    this.#delivered = this.books.events.length
    return events
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const url = new URL(request.url ?? '', 'http://localhost')
    const at = `${request.method} ${url.pathname}`
    const { form, names } = readForm(request.method === 'POST' ? body : url.search.slice(1))
    this.asked.push({ at, headers: request.headers, form })
    const fault = this.#faultOf(at)
    if (fault === 'lost') return
    const headers = {
      'content-type': fault === 'garbage' ? 'text/html' : 'application/json',
      'request-id': this.books.newId('req'),
      'stripe-version': String(request.headers['stripe-version']),
    }
    const answer = this.#answer({ at, form, names, headers: request.headers, body, fault })
    if (fault === 'hangs') return
    if (fault === 'cut') return void response.destroy()
    const text = fault === 'garbage' ? '<html>Bad gateway</html>' : JSON.stringify(answer.body)
    response.writeHead(answer.status, { ...headers, ...answer.headers })
    if (fault !== 'halved') return void response.end(text)
    // What was written must be out before the socket goes.
    response.write(text.slice(0, text.length / 2), () => setImmediate(() => response.destroy()))
  }

  #faultOf(at: string): StripeFault | undefined {
    const index = this.faults.findIndex((one) => one.at === undefined || one.at === at)
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]?.fault
  }

  #answer(call: Call): Answer {
    const { 'idempotency-key': key } = call.headers
    const request = `${call.at} ${call.body}`
    const kept = typeof key === 'string' ? this.#kept.get(key) : undefined
    try {
      this.#admit(call)
      if (kept && kept.at > this.books.created - keptSeconds) {
        if (kept.request !== request) throw refusals.otherParameters(String(key))
        return { ...kept, headers: { 'idempotent-replayed': 'true' } }
      }
      const answer = this.#done(call)
      if (typeof key === 'string') {
        this.#kept.set(key, { request, ...answer, at: this.books.created })
      }
      return { ...answer, headers: {} }
    } catch (refusal) {
      if (!(refusal instanceof StripeRefusal)) throw refusal
      const { status, body, isKept } = refusal
      if (isKept && typeof key === 'string') {
        this.#kept.set(key, { request, status, body, at: this.books.created })
      }
      return { status, body, headers: {} }
    }
  }

  /** What is refused before anything is looked at: none of it is kept under a key. */
  #admit({ headers, fault }: Call): void {
    const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    if (given !== secretKey || fault === 'unauthenticated') {
      throw refusals.noKey(`${given?.slice(0, 8)}****${given?.slice(-4)}`)
    }
    if (fault === 'forbidden') throw refusals.noPermission()
    if (fault === 'limited') throw refusals.rateLimit()
    if (fault === 'in_use') throw refusals.inUse(String(headers['idempotency-key']))
    const version = headers['stripe-version']
    if (version !== '2026-10-28.endive') {
      throw new StripeRefusal(400, { message: `Invalid Stripe API version: ${String(version)}` })
    }
  }

  #done({ at, form, names, fault }: Call): { status: number; body: object } {
    const [endpoint, id] = endpointAt(at)
    check(endpoint, names)
    if (fault === 'broken') throw refusals.serverError()
    if (fault === 'no_balance') throw refusals.noBalance()
    const found = endpoint.answer({ books: this.books, form, id })
    if (fault === 'done_broken') throw refusals.serverError()
    const paths = Object.values(textsAt(form, 'expand'))
    return { status: 200, body: expanded(found, paths, (held) => this.books.find(held)) }
  }
}

interface Call {
  at: string
  form: Form
  names: readonly string[]
  headers: IncomingHttpHeaders
  body: string
  fault: StripeFault | undefined
}

interface Answer {
  status: number
  body: object
  headers: Record<string, string>
}

function endpointAt(at: string): [Endpoint, id: string] {
  const exact = endpoints.find((endpoint) => endpoint.at === at)
  if (exact) return [exact, '']
  const cut = at.lastIndexOf('/') + 1
  const found = endpoints.find((endpoint) => endpoint.at === `${at.slice(0, cut)}:id`)
  if (found) return [found, decodeURIComponent(at.slice(cut))]
  const message = `Unrecognized request URL (${at}). Please see https://stripe.com/docs`
  throw new StripeRefusal(404, { message, type: 'invalid_request_error' })
}
