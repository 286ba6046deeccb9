import { notAbsolute } from '#src/core/text/address.ts'
import { leadsInside } from './addresses.ts'

/** Why an address is not called: as a fault of the request, and as a message for its author. */
export interface Objection {
  fault: 'address_invalid' | 'address_refused'
  words: string
}

/**
 * What speaks against an address, as far as it can be judged without resolving its name.
 * @param encrypted whether http is no way, but to what is allowed
 */
export function objectionTo(
  url: URL | undefined,
  allowed: ReadonlySet<string>,
  encrypted = false,
): Objection | undefined {
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return {
      fault: 'address_invalid',
      words: notAbsolute,
    }
  }
  if (url.username !== '' || url.password !== '') {
    return {
      fault: 'address_refused',
      words: 'The address holds a user name or a password.',
    }
  }
  if (!allowed.has(url.origin) && leadsInside(url.hostname)) {
    return {
      fault: 'address_refused',
      words: 'The address leads to a private, loopback, link-local, reserved or metadata address.',
    }
  }
  if (encrypted && url.protocol !== 'https:' && !allowed.has(url.origin)) {
    return { fault: 'address_refused', words: 'The address has to begin with https.' }
  }
  return undefined
}
