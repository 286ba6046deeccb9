import { describe, expect, it } from 'vitest'
import { addresses } from '#adapters/http/address.ts'

describe('the network of a caller', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['0:0:0:0:0:ffff:cb00:714d', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.77', '64:ff9b:0:0::/64'],
    ['::ffff:203.0.113.77%eth0', '203.0.113.0/24'],
    ['fe80::1%br-lan.7', 'fe80:0:0:0::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::ffff:0:203.0.113.77', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2130706433', 'unknown'],
    ['127.1', 'unknown'],
    ['0177.0.0.1', 'unknown'],
    ['127.0.0.1%eth0', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('of %s is %s', (peer, network) => {
    expect(addresses([]).of(peer, {})).toBe(network)
  })

  it('is that of the peer, regardless of its headers, while no proxy is trusted', () => {
    expect(addresses([]).of('198.51.100.1', { 'x-forwarded-for': '203.0.113.7' })).toBe(
      '198.51.100.0/24',
    )
  })
})

describe('behind proxies', () => {
  const trusted = addresses(['10.0.0.0/8', 'fd00::/8', '::ffff:192.0.2.0/120', '::1/128'])
  const through = (peer: string, forwarded: string) =>
    trusted.of(peer, { 'x-forwarded-for': forwarded })

  it.each([
    ['one', '10.0.0.1', '203.0.113.7', '203.0.113.0/24'],
    ['two', '10.0.0.1', '203.0.113.7, 10.9.9.9', '203.0.113.0/24'],
    ['v6', 'fd00::5', '2001:db8::9', '2001:db8:0:0::/64'],
    ['a mapped network', '192.0.2.9', '203.0.113.7', '203.0.113.0/24'],
    ['ports', '::1', '"x", 203.0.113.7:4711', '203.0.113.0/24'],
    ['a bracketed port', '10.0.0.1', '[2001:db8::9]:443', '2001:db8:0:0::/64'],
  ])('the caller is the first that is not trusted: %s', (_, peer, forwarded, network) => {
    expect(through(peer, forwarded)).toBe(network)
  })

  it('what the caller wrote itself does not count', () => {
    expect(through('10.0.0.1', '1.1.1.1, 203.0.113.7')).toBe('203.0.113.0/24')
    expect(through('203.0.113.7', '1.1.1.1')).toBe('203.0.113.0/24')
  })

  it('what is no address ends the chain', () => {
    expect(through('10.0.0.1', '203.0.113.7, unknown')).toBe('10.0.0.0/24')
    expect(through('10.0.0.1', '')).toBe('10.0.0.0/24')
    expect(through('10.0.0.1', '1.2.3.4:x')).toBe('10.0.0.0/24')
  })
})

it('refuses a proxy that is no address', () => {
  expect(() => addresses(['proxy.example'])).toThrow(TypeError)
})
