import { describe, expect, it } from 'vitest'
import { countedNetworks, takeForNetworks } from '#src/core/admission/networks.ts'
import { limitsOf } from '#src/core/admission/limits-of.ts'
import { anonymous, type KeyCaller } from '#src/core/admission/caller.ts'
import { limiter, type LimitTable } from '#src/core/admission/limits.ts'
import { catalog } from '#src/catalog.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { oneStore } from '#tests/support/stores.ts'

const limit = { count: 5, seconds: 60 }

describe('the networks that an address is counted by', () => {
  it.each([
    ['203.0.113.0/24', [['203.0.113.0/24', 5]]],
    ['unknown', [['unknown', 5]]],
    [
      '2001:db8:1:2345::/64',
      [
        ['2001:db8:1:2345::/64', 5],
        ['2001:db8:1:2300::/56', 20],
        ['2001:db8:1::/48', 80],
      ],
    ],
    [
      '2001:db8:1:7f::/64',
      [
        ['2001:db8:1:7f::/64', 5],
        ['2001:db8:1:0::/56', 20],
        ['2001:db8:1::/48', 80],
      ],
    ],
  ])('of %s', (address, networks) => {
    const counted = countedNetworks(address, limit)
    expect(counted.map(({ network, limit: { count } }) => [network, count])).toEqual(networks)
    expect(counted.every(({ limit: { seconds } }) => seconds === 60)).toBe(true)
  })

  it('count calls without a key and calls that make credentials, but not calls with a key', () => {
    const operation = (name: string) => {
      const found = catalog.find((op) => op.name === name)
      if (!found) throw new Error(name)
      return found
    }
    const address = '2001:db8:1:2::/64'
    const table = { anonymous_reads: limit, keyed_reads: limit, agent_claim: limit, threads: limit }
    const subjects = (name: string, caller: Parameters<typeof limitsOf>[1]) =>
      limitsOf({ operation: operation(name), address }, caller, table).map((one) => one.subject)
    const three = [address, '2001:db8:1:0::/56', '2001:db8:1::/48']
    expect(subjects('public.agents.list', anonymous)).toEqual(three)
    const key: KeyCaller = {
      kind: 'key',
      subject: 'acc_1',
      accountId: 'acc_1',
      keyId: 'key_1',
      charId: undefined,
      claimed: false,
      key: null,
      personId: undefined,
      setsPolicy: true,
    }
    expect(subjects('public.agents.list', key)).toEqual(['acc_1'])
    expect(subjects('agent_claim.create', key)).toEqual(three)
    const member = {
      kind: 'member',
      subject: 'handle:ada',
      handle: 'ada',
      level: 1,
      charId: undefined,
      accountId: undefined,
      keyId: undefined,
      personId: undefined,
      tokenId: 'x',
    } as const
    const networks = three.map((one) => `network:${one}`)
    expect(subjects('commons.threads.create', member)).toEqual(['handle:ada', ...networks])
  })
})

describe('what everybody has together', () => {
  const table: LimitTable = { agent_claim_all: { count: 100, seconds: 3600 } }
  const operation = catalog.find(({ name }) => name === 'agent_claim.create')
  const counted = (address: string, limits = table) => {
    if (!operation) throw new Error('there is no such operation')
    const all = limitsOf({ operation, address }, anonymous, limits)
    return all.map(({ subject, limit, share }) => [subject, limit.count, share])
  }

  it('has a share for one site and one for its provider, and a half for who has had some', () => {
    expect(counted('2001:db8:1:2345::/64')).toEqual([
      ['2001:db8:1::/48', 10, 'own'],
      ['2001:db8::/32', 50, undefined],
      ['more', 50, 'more'],
      ['all', 100, undefined],
    ])
    expect(counted('203.0.113.0/24')).toEqual([
      ['203.0.113.0/24', 10, 'own'],
      ['more', 50, 'more'],
      ['all', 100, undefined],
    ])
  })

  it('has some for everybody, however little there is', () => {
    const few = { agent_claim_all: { count: 1, seconds: 60 } }
    expect(counted('203.0.113.0/24', few).map(([, count]) => count)).toEqual([1, 1, 1])
  })
})

describe.each(oneStore())('a flood out of one IPv6 site on $name', (kind) => {
  it('is limited per household and as a whole, from any of its /64 networks', async () => {
    const store = await kind.open()
    const limits = limiter(store, fakeClock())
    const admitted = async (networks: readonly string[]): Promise<number> => {
      let count = 0
      for (const address of networks) {
        const state = await takeForNetworks(limits, 'identities', limit, { address })
        if (state.admitted) count += 1
      }
      return count
    }
    const subnets = (count: number, step: number, site = '2001:db8:1') =>
      Array.from({ length: count }, (_, i) => `${site}:${(i * step).toString(16)}::/64`)
    expect(await admitted(Array<string>(9).fill('2001:db8:9:1::/64'))).toBe(5)
    // Of one household: what one /64 was refused has not used up what is left to its neighbours.
    expect(await admitted(subnets(60, 1, '2001:db8:9'))).toBe(15)
    expect(await admitted(subnets(256, 256))).toBe(80)
    expect(await admitted(subnets(256, 256))).toBe(0)
    expect(await admitted(subnets(3, 256, '2001:db8:2'))).toBe(3)
    expect(await admitted(Array.from({ length: 90 }, (_, i) => `10.0.${i}.0/24`))).toBe(90)
    await store.close()
  })
})
