import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

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
  const isTrusted = (address: Address): boolean =>
    trusted.length > 0 && proxies.check(address.toString(), address.kind())
  return {
    of(peer, headers) {
      let address = addressIn(peer ?? '')
      if (!address) return 'unknown'
      if (trusted.length > 0) {
        const chain = String(headers['x-forwarded-for'] ?? '').split(',')
        // From the right: each entry was written by the proxy to its right, which must be trusted.
        for (const entry of chain.slice(-forwardedAtMost).toReversed()) {
          if (!isTrusted(address)) break
          const before = addressIn(withoutPort(entry.trim()))
          if (!before) break
          address = before
        }
      }
      return networkOf(address)
    },
    ofPeer(peer) {
      const address = addressIn(peer ?? '')
      return !address || isTrusted(address) ? undefined : networkOf(address)
    },
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [text = '', bits] = network.split('/')
    const address = addressIn(text)
    if (!address) throw new TypeError(`"${network}" is no address and no network`)
    const mappedBits = address.kind() === 'ipv4' && isIPv6(text) ? 96 : 0
    if (bits === undefined) list.addAddress(address.toString(), address.kind())
    else list.addSubnet(address.toString(), Math.max(0, Number(bits) - mappedBits), address.kind())
  }
  return list
}

/** Whether it leads back to this machine. */
export function isLoopback(address: string): boolean {
  return addressIn(address)?.range() === 'loopback'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Most requests come from whoever has just sent another one. */
const known = new Map<string, Address>()
const knownAtMost = 1024
/** Characters of what is remembered; the longest address has 45. */
const rememberedAtMost = 64

/** A v4 address in v6 clothes is the v4 address; nothing where there is no address. */
function addressIn(text: string): Address | undefined {
  const before = known.get(text)
  if (before) return before
  const address = parsed(text)
  if (!address || text.length > rememberedAtMost) return address
  if (known.size >= knownAtMost) known.clear()
  known.set(text, address)
  return address
}

function parsed(text: string): Address | undefined {
  // The library alone would also take an address in one number, and not every name of an interface.
  const [bare = ''] = text.split('%', 1)
  return isIP(text) === 0 ? undefined : ipaddr.process(bare)
}

function withoutPort(entry: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? []
  if (bracketed !== undefined) return bracketed
  const [, v4] = /^([\d.]+):\d+$/.exec(entry) ?? []
  return v4 ?? entry
}

function networkOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join('.')}.0/24`
  const prefix = address.parts.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}
