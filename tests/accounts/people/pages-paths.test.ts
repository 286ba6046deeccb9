import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimCodeIn, localPath, Paths } from '#protocol/web/paths.ts'

const paths = new Paths(() => 'https://abode.example')
const base = 'https://abode.example/sign-in?register'

describe('the path to which a visitor is led on', () => {
  it.each([
    ['/', '/'],
    ['/settings', '/settings'],
    ['/settings?account=acc_1&done=key_revoked', '/settings?account=acc_1&done=key_revoked'],
    ['/claim/act_1?reject', '/claim/act_1?reject'],
    ['/a/../b', '/b'],
    ['/ä b', '/%C3%A4%20b'],
    ['/settings#keys', '/settings'],
  ])('is the path %s', (sent, path) => {
    expect(localPath(sent)).toBe(path)
  })

  it.each([
    null,
    '',
    'settings',
    'https://elsewhere.example/',
    '//elsewhere.example',
    '///elsewhere.example',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example',
    '\n//elsewhere.example',
    '/\n\\elsewhere.example',
    '/.//elsewhere.example',
    '/a/..//elsewhere.example',
    '/%2e//elsewhere.example',
    '/./\\elsewhere.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    ' /settings',
    `/${'a'.repeat(2000)}`,
  ])('is never %j', (sent) => {
    expect(localPath(sent)).toBeUndefined()
  })

  it('is on this server for any input, and fits in a header', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'x.y',
    )
    const any = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`),
      fc.string({ unit: 'binary' }).map((text) => `/${text}`),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(any, (sent) => {
        const path = localPath(sent)
        if (path === undefined) return
        expect(path).toMatch(/^\/[\x21-\x7e]*$/)
        expect(new URL(path, base).origin).toBe('https://abode.example')
        expect(localPath(path)).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })

  it('comes through the page to sign in at as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        const path = paths.settings(id)
        const { searchParams } = new URL(paths.signInFor(path), base)
        expect(searchParams.get('next')).toBe(path)
      }),
    )
  })
})

describe('the code of a claim', () => {
  it('is what follows in the path', () => {
    expect(claimCodeIn(paths.claim('act_0Az'))).toBe('act_0Az')
    expect(claimCodeIn('/claim')).toBeUndefined()
    expect(claimCodeIn('/claims/act_1')).toBeUndefined()
    expect(claimCodeIn('/claim/a/b')).toBe('a/b')
  })
})
