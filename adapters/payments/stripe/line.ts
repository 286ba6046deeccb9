import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Stripe } from 'stripe'
import { failureOf, isMissing } from './faults.ts'

export interface LineTerms {
  secretKey: string
  /** Scheme, host and port of the API. */
  apiBase: string
  timeoutMs: number
}

/** The ways to call Stripe. Each throws `PaymentsFailed`. */
export interface StripeLine {
  /** For calls that change nothing: without an answer, nothing was done. */
  read<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T>
  /** One object by its id: undefined if there is none. */
  find<T>(id: string, ask: (stripe: Stripe) => Promise<T>): Promise<T | undefined>
  /** For calls that change something: without an answer, the change may have happened. */
  write<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T>
  close(): void
}

/** The form of an id: `search` is a call of its own, and an empty id would request a list. */
const idForm = /^(?!search$)\w[\w.-]{0,254}$/

/** Calls to Stripe by its own library, which is loaded with the first call. */
export function openLine(terms: LineTerms): StripeLine {
  const { protocol } = new URL(terms.apiBase)
  const agent =
    protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
  let opened: Promise<Stripe> | undefined
  const asked = async <T>(
    ask: (stripe: Stripe) => Promise<T>,
    { isWrite }: { isWrite: boolean },
  ): Promise<T> => {
    const stripe = await (opened ??= clientOf(terms, agent))
    try {
      return await ask(stripe)
    } catch (cause) {
      throw failureOf(cause, isWrite)
    }
  }
  return {
    read: (ask) => asked(ask, { isWrite: false }),
    write: (ask) => asked(ask, { isWrite: true }),
    async find(id, ask) {
      if (!idForm.test(id)) return undefined
      return asked((stripe) => ask(stripe).catch(undefinedWhereMissing), { isWrite: false })
    },
    close: () => agent.destroy(),
  }
}

function undefinedWhereMissing(cause: unknown): undefined {
  if (!isMissing(cause)) throw cause
}

async function clientOf(
  { secretKey, apiBase, timeoutMs }: LineTerms,
  httpAgent: HttpAgent,
): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return new Stripe(secretKey, {
    // Set here, so that a new release of the library does not change the version by itself.
    apiVersion: '2026-10-28.endive',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
    httpAgent,
    timeout: timeoutMs,
    // Callers retry in their own time, under the same key. The library itself still retries once if a
    // connection broke, also under the same key.
    maxNetworkRetries: 0,
    telemetry: false,
  })
}
