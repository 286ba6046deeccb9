import { describe, expect, it } from 'vitest'
import { Streams, type StreamBounds } from '#src/core/admission/streams.ts'
import { anonymous, type KeyCaller } from '#src/core/admission/caller.ts'

const bounds: StreamBounds = {
  all: 12,
  unclaimed: 8,
  address: 4,
  always: 1,
  account: { claimed: 6, unclaimed: 4 },
  credential: { claimed: 5, unclaimed: 2 },
}

function caller(account: string, key: string, claimed = false): KeyCaller {
  const named = { id: key, name: key, scope_char_id: null }
  const own = { subject: account, accountId: account, keyId: key, key: named }
  return { kind: 'key', ...own, charId: undefined, claimed, personId: undefined, setsPolicy: true }
}

/** How many more this caller may open; they stay open. */
function fill(streams: Streams, who: KeyCaller | typeof anonymous, address: string): number {
  for (let count = 0; ; count++) {
    try {
      streams.open({ caller: who, address })
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 })
      return count
    }
  }
}

describe('streams and waits', () => {
  it('are bounded by credential, account and address', () => {
    const streams = new Streams(bounds)
    expect(fill(streams, caller('a', 'a1'), 'here')).toBe(2)
    expect(fill(streams, caller('a', 'a2'), 'here')).toBe(2)
    expect(fill(streams, caller('a', 'a3'), 'there')).toBe(0)
    expect(fill(streams, anonymous, 'here')).toBe(0)
  })

  it('at a full address leave some to each account, and all of its own to a claimed one', () => {
    const streams = new Streams(bounds)
    for (const key of ['a1', 'a2']) fill(streams, caller('a', key), 'here')
    expect(fill(streams, caller('b', 'b1'), 'here')).toBe(1)
    expect(fill(streams, caller('b', 'b2'), 'here')).toBe(0)
    expect(fill(streams, anonymous, 'here')).toBe(0)
    expect(fill(streams, caller('claimed', 'key', true), 'here')).toBe(5)
  })

  it('of unclaimed accounts leave places to the others', () => {
    const streams = new Streams(bounds)
    for (let i = 0; i < 10; i++) fill(streams, caller(`a${i}`, `k${i}`), `network ${i}`)
    expect(streams.size).toBe(8)
    expect(fill(streams, caller('claimed', 'key', true), 'here')).toBe(4)
    expect(streams.size).toBe(12)
  })

  it('give their places back once', () => {
    const streams = new Streams(bounds)
    const holder = { caller: caller('a', 'a1'), address: 'here' }
    const ends = [streams.open(holder), streams.open(holder)]
    expect(() => streams.open(holder)).toThrow('2 streams')
    ends[0]?.()
    ends[0]?.()
    expect(streams.size).toBe(1)
    expect(fill(streams, holder.caller, 'here')).toBe(1)
    ends[1]?.()
    expect(streams.size).toBe(1)
  })
})
