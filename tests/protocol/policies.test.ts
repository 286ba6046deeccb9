import { describe, expect, test } from 'vitest'
import { bearerOf, checkAdmitted, endedBy, limitHeaders } from '#protocol/admission.ts'
import { catalog } from '#src/catalog.ts'
import { Refusal } from '#src/core/errors.ts'
import { policiesFor } from '#protocol/policies.ts'
import { request } from './mcp-requests.ts'

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
  test('may be one that the operator names, and no other of its host', () => {
    const named = policiesFor('https://abode.example', ['https://console.example:8443'])
    expect(named.originPolicy('https://console.example:8443')).toBe(true)
    for (const origin of [
      'https://console.example',
      'http://console.example:8443',
      'https://x.console.example:8443',
    ]) {
      expect(named.originPolicy(origin)).toBe(false)
    }
  })

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

describe('the Authorization header', () => {
  const bearer = (authorization: string | undefined) =>
    bearerOf(request(undefined, { headers: { authorization } }))

  test.each([
    ['Bearer ab_1', 'ab_1'],
    ['bearer ab_1', 'ab_1'],
    ['BEARER   ab_1', 'ab_1'],
    ['Bearer ab_1  ', 'ab_1'],
    ['ab_1', 'ab_1'],
    ['cmn_1 ', 'cmn_1'],
    ['act_1', 'act_1'],
    ['Bearer key', 'key'],
    [undefined, undefined],
  ])('may be "%s"', (header, token) => expect(bearer(header)).toBe(token))

  test.each([
    '',
    'key',
    'ab_1 ab_2',
    'Bearer',
    'Bearer ',
    'Bearerab_1',
    'Bearer a b',
    'Basic YTpi',
    'A Bearer a',
  ])('may not be "%s"', (header) =>
    expect(() => bearer(header)).toThrow(expect.objectContaining({ code: 'invalid_credential' })),
  )
})

describe('how a limit stands', () => {
  const state = {
    name: 'keyed_reads',
    count: 9,
    seconds: 60,
    remaining: 3,
    resetSeconds: 7,
  } as const

  test('is told in the fields of HTTP for it, where there is one', () => {
    expect(limitHeaders({ ...state, admitted: true })).toEqual({
      'ratelimit-policy': '"keyed_reads";q=9;w=60',
      ratelimit: '"keyed_reads";r=3;t=7',
    })
    expect(limitHeaders(undefined)).toEqual({})
  })

  test('refuses what is over it, and nothing else', () => {
    checkAdmitted(undefined)
    checkAdmitted({ ...state, admitted: true })
    expect(() => checkAdmitted({ ...state, admitted: false })).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 7 }),
    )
  })
})

test('a token that its own call has ended is told from one that never was, and from a fault', () => {
  const rotate = catalog.find(({ endsToken }) => endsToken)
  const other = catalog.find(({ endsToken }) => !endsToken)
  const ended = new Refusal('token_revoked', 'It was ended.')
  expect(endedBy(rotate, ended)).toBe(ended)
  expect(endedBy(other, ended)).toBeUndefined()
  expect(endedBy(undefined, ended)).toBeUndefined()
  for (const cause of [new Refusal('invalid_credential', 'There is none.'), new Error('a fault')]) {
    expect(endedBy(rotate, cause)).toBeUndefined()
  }
  expect(endedBy(rotate, { code: 'token_revoked' })).toBeUndefined()
})
