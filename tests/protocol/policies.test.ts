import { describe, expect, test } from 'vitest'
import { policiesFor } from '#protocol/policies.ts'

const { hostPolicy, originPolicy } = policiesFor('https://abode.example:8443')

describe('the Host header', () => {
  test.each([
    'abode.example:8443',
    'abode.example',
    'ABODE.example',
    'localhost:8080',
    'LOCALHOST',
    'dev.localhost:3000',
    '127.0.0.1:8080',
    '127.0.0.1:80',
    '[::1]:8080',
    '192.168.1.5:8080',
    'abode:8080',
    '[2001:db8::1]',
  ])('may be %s', (host) => expect(hostPolicy(host)).toBe(true))

  test.each([
    '',
    'evil.example',
    'abode.example.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'user@localhost',
    'localhost/..',
    'localhost#',
    'local host',
  ])('may not be "%s"', (host) => expect(hostPolicy(host)).toBe(false))
})

describe('the Origin header', () => {
  test.each([
    'https://abode.example:8443',
    'http://localhost:6274',
    'http://127.0.0.1',
    'http://[::1]:1',
  ])('may be %s', (origin) => expect(originPolicy(origin)).toBe(true))

  test.each([
    'null',
    '',
    'https://abode.example',
    'http://abode.example:8443',
    'https://evil.example',
    'http://localhost.evil.example',
    'http://192.168.1.5',
  ])('may not be "%s"', (origin) => expect(originPolicy(origin)).toBe(false))
})
