import { isMap } from '#src/core/maps.ts'
import { OutboundFailure, type Sender } from '#src/ports/sender.ts'

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/i

/** Whether an address leads to a program on the machine of the person who follows it. */
export function isLoopback(address: string): boolean {
  return loopback.test(address)
}

const nameCharactersAtMost = 100
const redirectsAtMost = 20
const addressCharactersAtMost = 2000

/** What is read of a description: nothing that leads to further addresses is. */
const members: ReadonlySet<string> = new Set([
  'client_id',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'redirect_uris',
  'grant_types',
  'response_types',
  'scope',
  'token_endpoint_auth_method',
  'id_token_signed_response_alg',
])

/** Bytes of a description at most, registered or read from its address. */
export const descriptionBytesAtMost = 16_384
const fetchMilliseconds = 5000
/** So many are read at once: those who answer slowly keep others waiting, not this service. */
const fetchesAtOnce = { all: 16, ofHost: 2 }

/**
 * The description of a program, as it is handed on: a program that is sent its code on its own machine, or by a scheme of
 * its own, is a native one whether it says so or not, which also means that any other address of it needs TLS.
 */
export function described(metadata: unknown): unknown {
  if (!isMap(metadata)) return metadata
  const { redirect_uris: redirects, client_name: name } = metadata
  const addresses = Array.isArray(redirects) ? redirects : []
  const isNative = addresses.some((one) => !/^https:/i.test(String(one)))
  const known = Object.entries(metadata).filter(([member]) => members.has(member))
  return {
    ...Object.fromEntries(known),
    ...(typeof name === 'string' && { client_name: shownName(name) }),
    application_type: isNative ? 'native' : 'web',
  }
}

/** A name as people are shown it: without characters that cannot be seen, or that turn others around. */
function shownName(name: string): string {
  const words = name
    .replaceAll(/[\p{C}\p{Z}]/gu, ' ')
    .split(' ')
    .filter(Boolean)
  return Array.from(words.join(' ')).slice(0, nameCharactersAtMost).join('')
}

/** A registration as it is handed on: no program that registers itself is given a secret. */
export function registration(metadata: unknown): unknown {
  if (!isMap(metadata)) return metadata
  return described({ ...metadata, token_endpoint_auth_method: 'none' })
}

/** What is wrong with a description that the library would accept; undefined if nothing is. */
export function objectionTo(metadata: unknown): string | undefined {
  if (!isMap(metadata) || !Array.isArray(metadata['redirect_uris'])) return undefined
  const redirects = metadata['redirect_uris'].map(String)
  if (redirects.length > redirectsAtMost) {
    return `redirect_uris has at most ${redirectsAtMost} items`
  }
  if (redirects.some((one) => one.length > addressCharactersAtMost)) {
    return `a redirect URI has at most ${addressCharactersAtMost} characters`
  }
  const isOdd = redirects.some((one) => /[^\w.:[\]-]/.test(URL.parse(one)?.host ?? ''))
  if (isOdd) return 'a redirect URI has an odd host'
  const isOpen = redirects.some((one) => /^http:/i.test(one) && !isLoopback(one))
  return isOpen ? 'a redirect URI without TLS must be a loopback address' : undefined
}

/**
 * Reads the descriptions of programs for the library: only by the guarded sender, without redirects, and for a short
 * while. Nothing else is fetched.
 */
export function descriptionFetch(sender: Pick<Sender, 'send'>) {
  const places = placesFor(fetchesAtOnce)
  return async (url: string): Promise<Response> => {
    using _place = places(new URL(url).host)
    const { status, headers, body } = await sender.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: fetchMilliseconds,
      bytesAtMost: descriptionBytesAtMost,
      redirects: 0,
    })
    if (status !== 200) return new Response(null, { status: status < 200 ? 502 : status })
    const metadata: unknown = JSON.parse(body)
    const objection = objectionTo(metadata)
    if (objection !== undefined) throw new OutboundFailure('broken_answer', objection)
    const kept = headers['cache-control']
    return Response.json(described(metadata), {
      headers: kept === undefined ? {} : { 'cache-control': kept },
    })
  }
}

/** Places for so many at once. @throws OutboundFailure where there is none left */
function placesFor({ all, ofHost }: typeof fetchesAtOnce): (host: string) => Disposable {
  const taken: string[] = []
  return (host) => {
    if (taken.length >= all || taken.filter((one) => one === host).length >= ofHost) {
      throw new OutboundFailure('unreachable', 'Too many descriptions are being read.')
    }
    taken.push(host)
    return { [Symbol.dispose]: () => void taken.splice(taken.indexOf(host), 1) }
  }
}
