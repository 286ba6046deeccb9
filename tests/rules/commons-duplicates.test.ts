import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, isNearlySame, sketchOf } from '#src/commons/duplicates.ts'

/** A generator of numbers from 0 up to 1 that is the same in every run. */
function lot(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

// As in a language, some words are met everywhere and most hardly ever.
const vocabulary = Array.from({ length: 3000 }, (_, i) => {
  const draw = lot(i + 1)
  const syllables = 1 + Math.floor(draw() * 3)
  const letter = (of: string) => of[Math.floor(draw() * of.length)] ?? ''
  return Array.from({ length: syllables }, () => letter('bdfgklmnprstvz') + letter('aeiou')).join(
    '',
  )
})

function wordsOf(seed: number, characters: number): string[] {
  const draw = lot(seed)
  const words: string[] = []
  for (let length = 0; length < characters;) {
    const word = vocabulary[Math.floor(draw() ** 3 * vocabulary.length)] ?? ''
    words.push(word)
    length += word.length + 1
  }
  return words
}

function edited(words: readonly string[], edits: number, seed: number): string[] {
  const draw = lot(seed)
  const changed = [...words]
  for (let i = 0; i < edits; i++) {
    const at = Math.floor(draw() * changed.length)
    const kind = draw()
    if (kind < 1 / 3) changed[at] = `edited${i}`
    else if (kind < 2 / 3) changed.splice(at, 1)
    else changed.splice(at, 0, `added${i}`)
  }
  return changed
}

const long = 'How do I keep a lease while a model streams its answer for minutes?'

describe('a fingerprint', () => {
  it.each([
    ['letter case', long.toUpperCase()],
    ['white space', `\n ${long.replaceAll(' ', '\n\t  ')}  `],
    ['punctuation', long.replace('?', '!!!').replace('lease', '"lease",')],
    ['marks of Markdown', `## **${long.replace('streams', '`streams`')}**`],
    ['forms of letters', long.replace('lease', 'ｌｅａｓｅ')],
  ])('does not depend on %s', (_, text) => {
    expect(fingerprintOf(text, 'bob')).toBe(fingerprintOf(long, 'ada'))
  })

  it.each([
    ['a word', long.replace('lease', 'claim')],
    ['the order', long.replace('lease while a model', 'model while a lease')],
    ['a number', `${long} 1`],
    ['a language that is named by signs', long.replace('model', 'C++')],
    ['an emoji', `${long} 😀`],
  ])('is another with another %s', (_, text) => {
    expect(fingerprintOf(text, 'ada')).not.toBe(fingerprintOf(long, 'ada'))
  })

  it('tells C, C++ and C# apart', () => {
    const texts = ['C', 'C++', 'C#'].map((name) => `${long} I write it in ${name}.`)
    expect(new Set(texts.map((text) => fingerprintOf(text, 'ada'))).size).toBe(3)
  })

  it('of a short text is its author’s own', () => {
    for (const text of ['Thanks, that worked', '+1', '???', '👍']) {
      expect(fingerprintOf(text, 'ada')).not.toBe(fingerprintOf(text, 'bob'))
      expect(fingerprintOf(text, 'ada')).toBe(fingerprintOf(` ${text} `, 'ada'))
    }
    expect(fingerprintOf('?', 'ada')).not.toBe(fingerprintOf('!', 'ada'))
  })

  it('of any two texts without a letter is the same only where they are', () => {
    const sign = fc.string({ unit: fc.constantFrom('?', '!', '.', '-', ' '), minLength: 1 })
    fc.assert(
      fc.property(sign, sign, (a, b) => {
        const folded = (text: string) => text.replace(/\s+/g, ' ').trim()
        const isSame = fingerprintOf(a, 'ada') === fingerprintOf(b, 'ada')
        expect(isSame).toBe(folded(a) === folded(b))
      }),
    )
  })

  it('has a form of its own', () => {
    expect(fingerprintOf(long, 'ada')).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a sketch', () => {
  it('stays near under small edits of a text of 2 KB', () => {
    const rates = [1, 3, 5].map((edits) => {
      const near = Array.from({ length: 300 }, (_, seed) => {
        const words = wordsOf(seed, 2000)
        const changed = edited(words, edits, seed + 1000)
        return isNearlySame(sketchOf(words.join(' ')), sketchOf(changed.join(' ')))
      })
      return near.filter(Boolean).length / near.length
    })
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(0.95)
  })

  it.each([80, 300, 2000])('is far from that of any other text of %i characters', (length) => {
    const sketches = Array.from({ length: 400 }, (_, seed) =>
      sketchOf(wordsOf(seed, length).join(' ')),
    )
    let alarms = 0
    for (const [i, a] of sketches.entries()) {
      for (const b of sketches.slice(0, i)) if (isNearlySame(a, b)) alarms++
    }
    // Of 79,800 pairs.
    expect(alarms).toBe(0)
  })

  it('is far where a third of the text is another', () => {
    const near = Array.from({ length: 100 }, (_, seed) => {
      const words = wordsOf(seed, 2000)
      const other = [...words.slice(0, (words.length * 2) / 3), ...wordsOf(seed + 5000, 660)]
      return isNearlySame(sketchOf(words.join(' ')), sketchOf(other.join(' ')))
    })
    expect(near.filter(Boolean).length).toBeLessThanOrEqual(5)
  })

  it('does not depend on case, white space and punctuation', () => {
    const words = wordsOf(1, 500)
    const text = words.join(' ')
    expect(sketchOf(`# ${words.join(',\n\n').toUpperCase()}!`)).toBe(sketchOf(text))
    expect(sketchOf(text)).toMatch(/^[0-9a-f]{16}$/)
  })

  it('reads scripts without blanks', () => {
    const said =
      '模型在几分钟内流式输出答案时，我该如何保持租约不过期？我已经尝试过心跳，但是它在第三次之后就停止了，日志里也没有任何错误。'
    const other =
      '今天天气很好，我们一起去公园散步，然后在湖边的小餐馆里吃了一顿非常美味的午饭，孩子们都玩得很开心，晚上才回家。'
    expect(isNearlySame(sketchOf(said), sketchOf(said.replace('三', '四')))).toBe(true)
    expect(isNearlySame(sketchOf(said), sketchOf(other))).toBe(false)
  })

  it('of a short text is near to nothing, itself included', () => {
    for (const text of ['', 'Thanks, that worked', '👍👍👍', '!'.repeat(400)]) {
      expect(sketchOf(text)).toBe('')
      expect(isNearlySame(sketchOf(text), sketchOf(text))).toBe(false)
      expect(isNearlySame(sketchOf(text), sketchOf(long))).toBe(false)
    }
  })

  it('of any text is near to itself unless that is short, and nearness goes both ways', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 200 }), (a, b) => {
        const [x, y] = [sketchOf(a), sketchOf(b)]
        expect(isNearlySame(x, x)).toBe(x !== '')
        expect(isNearlySame(x, y)).toBe(isNearlySame(y, x))
      }),
    )
  })
})
