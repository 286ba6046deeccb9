import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const forwardedAtMost = 32

/** Tells callers apart by their network: `/24` or `/64`, seen through the proxies that are trusted. */
export interface Addresses {
  of(peer: string | undefined, headers: IncomingHttpHeaders): string
  /** Of whoever is at the other end of a connection; undefined for a proxy, which brings many. */
  ofPeer(peer: string | undefined): string | undefined
}

/**
 * @param trusted addresses and networks (`10.0.0.0/8`, `::1`) whose `X-Forwarded-For` counts
 * @throws TypeError for what is neither
 */
export function addresses(trusted: readonly string[]): Addresses {
  const proxies = blockListOf(trusted)
  const isTrusted = (address: string): boolean =>
    proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return {
    of(peer, headers) {
      let address = unwrapped(peer ?? '')
      if (!address) return 'unknown'
      if (trusted.length > 0) {
        const chain = String(headers['x-forwarded-for'] ?? '').split(',')
        // From the right: each entry was written by the proxy to its right, which must be trusted.
        for (const entry of chain.slice(-forwardedAtMost).toReversed()) {
          if (!isTrusted(address)) break
          const before = unwrapped(withoutPort(entry.trim()))
          if (!before) break
          address = before
        }
      }
      return networkOf(address)
    },
    ofPeer(peer) {
      const address = unwrapped(peer ?? '')
      return address === '' || isTrusted(address) ? undefined : networkOf(address)
    },
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [text = '', bits] = network.split('/')
    const address = unwrapped(text)
    if (!address) throw new TypeError(`"${network}" is no address and no network`)
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const mappedBits = family === 'ipv4' && isIPv6(text) ? 96 : 0
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Math.max(0, Number(bits) - mappedBits), family)
  }
  return list
}

/** A v4 address in v6 clothes is the v4 address; empty for what is no address. */
function unwrapped(address: string): string {
  if (isIPv4(address)) return address
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return ''
  const groups = groupsOf(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return bare
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function withoutPort(entry: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? []
  if (bracketed !== undefined) return bracketed
  const [, v4] = /^([\d.]+):\d+$/.exec(entry) ?? []
  return v4 ?? entry
}

function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  const prefix = groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The eight groups of a valid v6 address. */
function groupsOf(address: string): number[] {
  const [left = '', right] = address.split('::')
  const before = groupsIn(left)
  if (right === undefined) return before
  const after = groupsIn(right)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function groupsIn(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
