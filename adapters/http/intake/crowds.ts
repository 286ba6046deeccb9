import { countedNetworks } from '#src/core/admission/networks.ts'

/** The networks of one connection, the narrowest first; empty for a trusted proxy. */
export type Networks = readonly { network: string; most: number }[]

/** How many connections each network has. */
export class Crowds {
  readonly #each: number
  readonly #counts = new Map<string, number>()

  /** @param each the limit of a /24 or /64; wider IPv6 networks may have more */
  constructor(each: number) {
    this.#each = each
  }

  networksOf(address: string | undefined): Networks {
    if (address === undefined) return []
    const counted = countedNetworks(address, { count: this.#each, seconds: 0 })
    return counted.map(({ network, limit }) => ({ network, most: limit.count }))
  }

  enter(networks: Networks): void {
    for (const { network } of networks) this.#counts.set(network, this.#of(network) + 1)
  }

  leave(networks: Networks): void {
    for (const { network } of networks) {
      const left = this.#of(network) - 1
      if (left > 0) this.#counts.set(network, left)
      else this.#counts.delete(network)
    }
  }

  /** The first of the networks that has reached its limit. */
  fullOf(networks: Networks): string | undefined {
    return networks.find(({ network, most }) => this.#of(network) >= most)?.network
  }

  /** How many connections the widest of the networks has. */
  sizeOf(networks: Networks): number {
    return this.#of(networks.at(-1)?.network ?? '')
  }

  #of(network: string): number {
    return this.#counts.get(network) ?? 0
  }
}
