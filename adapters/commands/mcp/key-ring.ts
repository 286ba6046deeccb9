import { checkKeepable, isKey, keepKey, type KeptKey } from './key-file.ts'
import { messagesIn } from './reply.ts'
import type { Carrier } from './relay.ts'

interface KeyRingOptions {
  carrier: Carrier
  /** Which service the key opens. */
  service: string
  file: string
  /** A key that is there already: one's own, or that of the file. */
  known: string | undefined
  /** A code for a service that admits by invitation. */
  invitation?: string | undefined
  /** For a person, on one line; no key is ever in it. */
  say: (line: string) => void
}

/** The key of this process: one that it was given, else one that it gets when it first needs it. */
export class KeyRing {
  readonly #options: KeyRingOptions
  #key: string | undefined
  #getting: Promise<string> | undefined

  constructor(options: KeyRingOptions) {
    this.#options = options
    this.#key = options.known
  }

  /** @throws Error that says why there is none; a later call tries again */
  async key(isNeeded: boolean): Promise<string | undefined> {
    if (this.#key !== undefined || !isNeeded) return this.#key
    this.#getting ??= this.#get().finally(() => (this.#getting = undefined))
    return this.#getting
  }

  async #get(): Promise<string> {
    const { file, service, say } = this.#options
    await checkKeepable(file)
    const { api_key: key } = await keepKey(file, { service, ...(await this.#claimed()) })
    say(`a key was got and is kept in ${file}, with a link for whoever is to own the account`)
    this.#key = key
    return key
  }

  /** Gets a key by agent_claim, which every agent may call. */
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
    // Where nobody is let in who has no code, whoever started this is told that there is such a thing.
    const code = said.startsWith(notAdmitted) ? ' ABODE_INVITATION brings an invitation code.' : ''
    const why = said.slice(code === '' ? 0 : notAdmitted.length).replace(/\.$/, '')
    throw new Error(
      `No key could be got from ${service}: ${why}.${code} ABODE_KEY brings one of your own.`,
    )
  }
}

interface Answered {
  result?: { structuredContent?: Partial<KeptKey>; content?: { text?: unknown }[] }
  error?: { message?: unknown }
}

function answerIn(text: string): Answered | undefined {
  try {
    // Whatever it is, only members of the right form are used.
    return JSON.parse(text) as Answered
  } catch {
    return undefined
  }
}

function claimIn(text: string): Omit<KeptKey, 'service'> | undefined {
  const { api_key, token, claim_url } = answerIn(text)?.result?.structuredContent ?? {}
  const isWhole = isKey(api_key) && typeof token === 'string' && typeof claim_url === 'string'
  return isWhole ? { api_key, token, claim_url } : undefined
}

const notAdmitted = 'sign_up_closed: '

/** What a service said no with, on one line and not at length. */
function refusalIn(text: string): string | undefined {
  const { error, result } = answerIn(text) ?? {}
  const said = error?.message ?? detailIn(result?.content?.[0]?.text)
  return typeof said === 'string' ? said.replaceAll(/\s+/g, ' ').slice(0, 400) : undefined
}

/** With whom to ask, where the service lets in nobody by itself. */
function detailIn(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  const { code, detail, hint } = (answerIn(text) ?? {}) as Partial<Record<string, unknown>>
  if (code !== 'sign_up_closed') return detail
  return `${notAdmitted}${String(detail)} ${typeof hint === 'string' ? hint : ''}`.trim()
}
