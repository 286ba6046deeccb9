import { describe, expect, it } from 'vitest'
import { isBusy, resultCode, storeError, type UniqueIndex } from '#adapters/store/sqlite/errors.ts'
import { DuplicateKey, Unavailable } from '#src/ports/store.ts'

/** As node:sqlite throws it. */
function failed(errcode: unknown, message = 'it failed'): Error {
  return Object.assign(new Error(message), { errcode })
}

const indexes = new Map<string, UniqueIndex>([
  ['claims_code', { collection: 'claims', paths: ['code_hash'] }],
  ['claims.id', { collection: 'claims', paths: ['id'] }],
])

describe('an error of SQLite', () => {
  it('has the code that SQLite gave', () => {
    expect(resultCode(failed(2067))).toBe(2067)
    for (const other of [new Error('plain'), failed('5'), { errcode: 5 }, undefined, 'text']) {
      expect(resultCode(other)).toBeUndefined()
    }
  })

  it('is about a lock by its primary code, however it is extended', () => {
    for (const code of [5, 261, 517]) expect(isBusy(failed(code)), `${code}`).toBe(true)
    for (const code of [0, 1, 4, 6, 262]) expect(isBusy(failed(code)), `${code}`).toBe(false)
    expect(isBusy(new Error('plain'))).toBe(false)
  })

  it.each([
    [2067, "UNIQUE constraint failed: index 'claims_code'", ['code_hash']],
    [1555, 'UNIQUE constraint failed: claims.id', ['id']],
  ])('with the code %d names what is there already', (code, message, paths) => {
    const cause = failed(code, message)
    const error = storeError(cause, indexes)
    expect(error).toBeInstanceOf(DuplicateKey)
    expect(error).toMatchObject({ in: 'claims', paths, cause })
  })

  it.each([
    ['of an index that is not ours', failed(2067, "failed: index 'other'")],
    ['of several columns', failed(1555, 'failed: claims.id, claims.n')],
    ['with more behind the index', failed(2067, "failed: index 'claims_code' and more")],
    ['with more behind the column', failed(1555, 'failed: claims.id and more')],
    ['without an index', failed(2067, 'it failed')],
    ['of NOT NULL', failed(1299, 'NOT NULL constraint failed: claims.id')],
    ['of a wrong statement', failed(1)],
    ['without a code', new Error('failed: claims.id')],
  ])('%s passes as it is', (_, error) => expect(storeError(error, indexes)).toBe(error))

  it('that is none passes as it is', () => {
    for (const thrown of ['text', undefined, { errcode: 13 }]) {
      expect(storeError(thrown, indexes)).toBe(thrown)
    }
  })

  it.each([5, 6, 7, 8, 10, 11, 13, 14, 15, 26, 522, 2058])(
    'with the code %d is an outage, of which nothing took effect',
    (code) => {
      const cause = failed(code)
      const error = storeError(cause, indexes)
      expect(error).toBeInstanceOf(Unavailable)
      expect(error).toMatchObject({ outcomeUnknown: false, cause })
    },
  )
})
