import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { isOpenAddress, leadsInside } from './addresses.ts'
import { failure } from './faults.ts'

type Connector = ReturnType<typeof buildConnector>

const connectMs = 10_000

/**
 * Connects only to addresses on the open internet, and to any address for the allowed origins. The
 * check is made on the very addresses that the socket then uses, so a name that resolves differently a
 * moment later changes nothing.
 */
export function guardedConnector(
  build: typeof buildConnector,
  allowed: ReadonlySet<string>,
  resolve: LookupFunction = systemLookup,
): Connector {
  const settings = { allowH2: false, timeout: connectMs, autoSelectFamily: true }
  const guarded = build({ ...settings, lookup: openAddressesOf(resolve) })
  const free = build({ ...settings, lookup: resolve })
  return (target, callback) => {
    const origin = `${target.protocol}//${target.host ?? target.hostname}`
    if (allowed.has(origin)) return free(target, callback)
    // A socket looks up only names: an address in the URL itself never reaches the lookup.
    if (leadsInside(target.hostname)) return callback(failure('address_refused'), null)
    return guarded(target, callback)
  }
}

function openAddressesOf(resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = typeof found === 'string' ? [{ address: found, family: 4 }] : found
      const open = addresses.filter(({ address }) => isOpenAddress(address))
      const [first] = open
      if (!first) return callback(failure('address_refused'), [])
      if (options.all) return callback(null, open)
      return callback(null, first.address, first.family)
    })
  }
}
