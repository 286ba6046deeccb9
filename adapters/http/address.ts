import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const forwardedAtMost = 32

/** Tells callers apart by their network: `/24` or `/64`, seen through trusted proxies. */
export interface Addresses {
  of(peer: string | undefined, headers: IncomingHttpHeaders): string
  /** The address of the other end of a connection; undefined for a proxy, which carries many callers. */
  ofPeer(peer: string | undefined): string | undefined
}

/**
 * @param trusted addresses and networks (`10.0.0.0/8`, `::1`) whose `X-Forwarded-For` counts
 * @throws TypeError for an entry that is neither
 */
export function addresses(trusted: readonly string[]): Addresses {
  const proxies = blockListOf(trusted)
  const isTrusted = ({ address }: Seen): boolean =>
    trusted.length > 0 && proxies.check(address.toString(), address.kind())
  return {
    of(peer, headers) {
      let address = addressIn(peer ?? '')
      if (!address) return 'unknown'
      if (isTrusted(address)) {
        const chain = String(headers['x-forwarded-for'] ?? '').split(',')
        // From right to left: each entry was written by the proxy to its right, which must be trusted.
        for (const entry of chain.slice(-forwardedAtMost).toReversed()) {
          if (!isTrusted(address)) break
          const before = addressIn(withoutPort(entry.trim()))
          if (!before) break
          address = before
        }
      }
      return address.network
    },
    ofPeer(peer) {
      const address = addressIn(peer ?? '')
      return !address || isTrusted(address) ? undefined : address.network
    },
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [text = '', bits] = network.split('/')
    const address = addressIn(text)?.address
    if (!address) throw new TypeError(`"${network}" is no address and no network`)
    const mappedBits = address.kind() === 'ipv4' && isIPv6(text) ? 96 : 0
    if (bits === undefined) list.addAddress(address.toString(), address.kind())
    else list.addSubnet(address.toString(), Math.max(0, Number(bits) - mappedBits), address.kind())
  }
  return list
}

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return addressIn(address)?.address.range() === 'loopback'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An address with the name of its network. */
interface Seen {
  address: Address
  network: string
}

/** A small cache: most requests come from a sender that has just sent another. */
const known = new Map<string, Seen>()
const knownAtMost = 1024
/** Longer texts are not cached; the longest address has 45 characters. */
const rememberedAtMost = 64

/** An IPv4-mapped IPv6 address becomes the IPv4 address; undefined if the text is no address. */
function addressIn(text: string): Seen | undefined {
  const before = known.get(text)
  if (before) return before
  const address = parsed(text)
  if (!address) return undefined
  const seen = { address, network: networkOf(address) }
  if (text.length > rememberedAtMost) return seen
  if (known.size >= knownAtMost) known.clear()
  known.set(text, seen)
  return seen
}

function parsed(text: string): Address | undefined {
  // The library alone would also accept an address as one number, and would reject some zone names.
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
