import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The range of public IPv6 addresses; other assigned ranges have special uses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Reserved for documentation, and not yet known to ipaddr.js. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20')
/** A cloud metadata address that is otherwise an ordinary unicast address: Azure's. */
const metadataAddresses = new Set(['168.63.129.16'])

const inwardNames = new Set([
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'instance-data',
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
])

/**
 * Whether an address, as written by the resolver or a parsed URL, is on the open internet: not private,
 * loopback, link-local, reserved or cloud metadata, including forms embedded in IPv6.
 */
export function isOpenAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv4) return !metadataAddresses.has(parsed.toString())
  return parsed.match(globalUnicast) && !parsed.match(documentation)
}

/** Whether a host name stands for this machine or a cloud's metadata, regardless of what a resolver says. */
export function isInwardName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return inwardNames.has(name) || name.endsWith('.localhost')
}

/** Whether a URL's host is known to be internal, without resolving a name. */
export function leadsInside(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? isInwardName(bare) : !isOpenAddress(bare)
}
