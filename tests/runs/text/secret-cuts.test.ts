import { describe, expect, it } from 'vitest'
import { safeEnd } from '#src/agents/secrets/cut.ts'
import { scrubber } from '#src/agents/secrets/scrubber.ts'

/** A number from 0 to below 1, the same each time. */
function chance(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const token = `abs_${'a1B2'.repeat(9)}zz`

/** The text as it is shown while it comes in these pieces. */
function shown(pieces: readonly string[], secrets: readonly string[]): string[] {
  const scrub = scrubber(secrets)
  const parts: string[] = []
  let held = ''
  for (const piece of pieces) {
    held += piece
    const end = safeEnd(held, scrub)
    parts.push(scrub(held.slice(0, end)))
    held = held.slice(end)
  }
  return [...parts, scrub(held)]
}

describe('a text that is shown while it comes', () => {
  it.each([
    ['one secret', ['hunter22-prod']],
    ['one that is the beginning of another', ['hunter22', 'hunter22-prod-key']],
    ['one that is inside of another', ['unter22', 'hunter22-prod-key']],
    ['two that overlap', ['ABCDEF', 'DEFGHI']],
    ['words with blanks', ['a pass phrase', 'phrase of words']],
    ['one that repeats itself', ['abababab', 'ababab!']],
    ['one of our tokens', []],
  ])('is what the whole is, without secrets: %s', (_, secrets) => {
    const random = chance(7)
    for (let round = 0; round < 300; round += 1) {
      const fillers = [' ', 'x', 'a', 'hunter', 'AB', 'abab', 'a pass ', 'abs_', '😀', '\n']
      const words = [...secrets, token, ...fillers]
      const text = Array.from(
        { length: 12 },
        () => words[Math.floor(random() * words.length)] ?? '',
      ).join('')
      const pieces: string[] = []
      for (let at = 0; at < text.length;) {
        const next = at + 1 + Math.floor(random() * 9)
        pieces.push(text.slice(at, next))
        at = next
      }
      expect(shown(pieces, secrets).join('')).toBe(scrubber(secrets)(text))
    }
  })

  it('waits only for what may be the beginning of a secret', () => {
    const secrets = ['hunter22-prod-key']
    expect(shown(['So ', 'far hun'], secrets)).toEqual(['So ', 'far ', 'hun'])
    expect(shown(['长文本没有空格'], secrets)).toEqual(['长文本没有空格', ''])
    expect(shown(['😀'.slice(0, 1), '😀'.slice(1)], secrets)).toEqual(['', '😀', ''])
  })

  it('is held back without a comparison where it often begins like a secret', () => {
    const scrub = scrubber([`${'a'.repeat(900)}!`])
    expect(safeEnd(`${'a'.repeat(4000)}b`, scrub)).toBeLessThan(4000)
    expect(safeEnd(`${'a'.repeat(4000)}${'b'.repeat(900)}`, scrub)).toBe(4900)
  })
})
