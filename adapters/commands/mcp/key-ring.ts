import { checkKeepable, isKey, keepKey, type KeptKey } from './key-file.ts'
import { messagesIn } from './reply.ts'
import type { Carrier } from './relay.ts'

interface KeyRingOptions {
  carrier: Carrier
  /** The service that the key belongs to. */
  service: string
  file: string
  /** A key that exists already: the caller's own, or the one in the file. */
  known: string | undefined
  /** A code for a service that admits by invitation. */
  invitation?: string | undefined
  /** Prints one line for a person; it never contains a key. */
  say: (line: string) => void
}

/** The key of this process: one given to it, else one that it requests when first needed. */
export class KeyRing {
  readonly #options: KeyRingOptions
  #key: string | undefined
  #getting: Promise<string> | undefined

  constructor(options: KeyRingOptions) {
    this.#options = options
    this.#key = options.known
  }

  /** @throws Error that says why there is no key; a later call tries again */
  async key(isNeeded: boolean): Promise<string | undefined> {
    if (this.#key !== undefined || !isNeeded) return this.#key
    this.#getting ??= this.#get().finally(() => (this.#getting = undefined))
    return this.#getting
  }

  async #get(): Promise<string> {
    const { file, service, say } = this.#options
    await checkKeepable(file)
    const { api_key: key } = await keepKey(file, { service, ...(await this.#claimed()) })
    say(
      `a key was issued and is kept in ${file}, with a link for the person who will own the account`,
    )
    this.#key = key
    return key
  }

  /** Requests a key by agent_claim, which every agent may call. */
  async #claimed(): Promise<Omit<KeptKey, 'service'>> {
    const { carrier, service, invitation } = this.#options
    const input = { name: 'MCP over standard input', ...(invitation && { invitation }) }
    const params = { name: 'agent_claim_create', arguments: input }
    const value = { jsonrpc: '2.0', id: 'key', method: 'tools/call', params }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const message = { value, bytes: JSON.stringify(value).length }
    const reply = await carrier.send(message, headers, AbortSignal.timeout(30_000))
    let said = `HTTP status ${reply.status}`
    for await (const text of messagesIn(reply)) {
      const claim = claimIn(text)
      if (claim) return claim
      said = refusalIn(text) ?? said
    }
    // Where an invitation code is required, the message says how to give one.
    const code = said.startsWith(notAdmitted) ? ' Set ABODE_INVITATION to an invitation code.' : ''
    const why = said.slice(code === '' ? 0 : notAdmitted.length).replace(/\.$/, '')
    throw new Error(
      `No key could be obtained from ${service}: ${why}.${code} Set ABODE_KEY to use your own key.`,
    )
  }
}

interface Answered {
  result?: { content?: { text?: unknown }[] }
  error?: { message?: unknown }
}

function answerIn(text: string): Answered | undefined {
  return valueOf(text) as Answered | undefined
}

/** The text may be anything; only members of the right form are used. */
function valueOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function claimIn(text: string): Omit<KeptKey, 'service'> | undefined {
  // An answer may be given once, as text.
  const said = answerIn(text)?.result?.content?.[0]?.text
  const claim = valueOf(said) as Partial<KeptKey> | null | undefined
  const { api_key, token, claim_url } = claim ?? {}
  const isWhole = isKey(api_key) && typeof token === 'string' && typeof claim_url === 'string'
  return isWhole ? { api_key, token, claim_url } : undefined
}

const notAdmitted = 'sign_up_closed: '

/** Why a service refused, on one line and at limited length. */
function refusalIn(text: string): string | undefined {
  const { error, result } = answerIn(text) ?? {}
  const said = error?.message ?? detailIn(result?.content?.[0]?.text)
  return typeof said === 'string' ? said.replaceAll(/\s+/g, ' ').slice(0, 400) : undefined
}

/** The detail, with the hint of whom to ask where the service does not admit everyone. */
function detailIn(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  const { code, detail, hint } = (answerIn(text) ?? {}) as Partial<Record<string, unknown>>
  if (code !== 'sign_up_closed') return detail
  return `${notAdmitted}${String(detail)} ${typeof hint === 'string' ? hint : ''}`.trim()
}
