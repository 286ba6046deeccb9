import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Upload } from '#src/core/input/upload.ts'

const first = Uint8Array.from([1, 2, 3])
const second = Uint8Array.from([4, 5])
const whole = Buffer.from([1, 2, 3, 4, 5])

describe('a file of a call', () => {
  it('is all of its pieces, put together once', () => {
    const file = new Upload('a', null, [first, second])
    expect([file.size, whole.equals(file.bytes)]).toEqual([5, true])
    expect(file.bytes).toBe(file.bytes)
    expect(file.sha256).toBe(createHash('sha256').update(whole).digest('hex'))
  })

  it('of one piece is that piece', () => {
    expect(new Upload('a', null, [first]).bytes).toBe(first)
  })

  it('hands its bytes on once, as they came, and keeps what is known of them', () => {
    const file = new Upload('a', null, [first, second])
    const { sha256 } = file
    expect(new Upload('a', null, [first, second]).taken()).toEqual([first, second])
    file.taken()
    expect([file.size, file.sha256]).toEqual([5, sha256])
    expect(() => file.taken()).toThrow('handed on')
    expect(() => file.bytes).toThrow('handed on')
  })
})
