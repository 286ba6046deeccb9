import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '#adapters/extractor/chunks/chunks.ts'
import { visible } from '#adapters/extractor/visible.ts'
import type { Chunk } from '#src/ports/extractor.ts'

type Markup = 'markdown' | 'plain'

function chunked(text: string, markup: Markup = 'markdown'): Chunk[] {
  return [...chunksOf({ text, markup, place: (line) => `line ${line}` })]
}

const bare = (text: string): string => text.replace(/\s/g, '')
const sentence = 'The beds by the wall are dug in autumn, and left to the frost. '

const marks = [
  '# One\n|## Two\n|\n### Three ###\n\n|Under\n===\n|---\n|- item\n|  * inner\n|3. third\n|> said\n',
  '```ts\n|```\n|~~~\n|`|\n\n|\n| |\t|end. |天地玄黃。|😀|é|a\u0301\u0302',
]
  .flatMap((some) => some.split('|'))
  .concat('|', ' | ')

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(...marks),
  fc.nat({ max: 60 }).map((times) => sentence.repeat(times)),
  fc.nat({ max: 4_000 }).map((times) => 'x'.repeat(times)),
  fc.nat({ max: 2_000 }).map((times) => '😀'.repeat(times)),
)
// What is no table, since the header of one is repeated.
const texts = fc
  .array(piece, { maxLength: 60 })
  .map((pieces) => visible(pieces.join('')))
  .filter((text) => !/^[ \t]*[|:-][|:\- \t]*$/m.test(text.replace(/^---$/gm, '')))

describe('chunks of any text', () => {
  it('hold every character but blanks, once and in order', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom<Markup>('markdown', 'plain'), (text, markup) => {
        const chunks = chunked(text, markup)
        expect(bare(chunks.map((chunk) => chunk.text).join(''))).toBe(bare(text))
      }),
    )
  })

  it('are no longer than a chunk may be, well-formed, never blank, and the same each time', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const chunks = chunked(text)
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(2_000)
          expect(chunk.text.isWellFormed()).toBe(true)
          expect(chunk.text.trim()).toBe(chunk.text)
          expect(chunk.text).not.toBe('')
        }
        expect(chunked(text)).toEqual(chunks)
      }),
    )
  })

  it('say the line that they begin at', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.split('\n')
        for (const { text: own, place } of chunked(text)) {
          const line = lines[Number(place?.slice(5)) - 1] ?? ''
          const first = own.split('\n')[0] ?? ''
          expect(line).toContain(first)
        }
      }),
    )
  })
})

describe('where a text is cut', () => {
  it('is before a line break where nothing better is near, and the next line is named', () => {
    const code = `~~~\n${'a'.repeat(1196)}\n${'b'.repeat(1500)}`
    const next = chunked(code).find(({ text }) => text.startsWith('b'))
    expect(next?.place).toBe('line 3')
  })

  it('is at a heading, and each chunk says what it stands under', () => {
    const text = `# Garden\n\n## Soil\n\n${sentence.repeat(12)}\n\n## Water\n\n${sentence.repeat(12)}`
    const chunks = chunked(text)
    expect(chunks.map(({ heading }) => heading)).toEqual(['Garden > Soil', 'Garden > Water'])
    expect(chunks.map(({ place }) => place)).toEqual(['line 1', 'line 7'])
    expect(chunks[1]?.text.startsWith('## Water')).toBe(true)
  })

  it('leaves a heading with what it stands above', () => {
    const text = `${sentence.repeat(17)}\n\n## Water\n\n${sentence.repeat(3)}`
    expect(chunked(text).every((chunk) => !chunk.text.endsWith('## Water'))).toBe(true)
  })

  it('joins small sections, and names what is above all of them', () => {
    const questions = Array.from({ length: 6 }, (_, at) => `## Why ${at}?\n\nBecause.`)
    const [chunk, ...others] = chunked(`# Questions\n\n${questions.join('\n\n')}`)
    expect(others).toEqual([])
    expect(chunk?.heading).toBe('Questions')
  })

  it('is at a paragraph where there is no heading, and of the wished size', () => {
    const chunks = chunked(`${sentence.repeat(7)}\n\n`.repeat(30))
    for (const chunk of chunks.slice(0, -1)) {
      expect(chunk.text.length).toBeGreaterThanOrEqual(600)
      expect(chunk.text.length).toBeLessThanOrEqual(1_200)
      expect(chunk.text.startsWith('The beds')).toBe(true)
    }
  })

  it('is at an item of a long list, at the end of a sentence of a long paragraph', () => {
    const items = chunked(`- ${sentence.repeat(3)}\n`.repeat(30))
    expect(items.length).toBeGreaterThan(3)
    expect(items.every((chunk) => chunk.text.startsWith('- The'))).toBe(true)
    const sentences = chunked(sentence.repeat(100))
    expect(sentences.every((chunk) => /^The.*frost\.$/s.test(chunk.text))).toBe(true)
  })

  it('is at 。 in a script without blanks, and between characters where nothing ends', () => {
    const chunks = chunked('天地玄黃宇宙洪荒。'.repeat(800))
    expect(chunks.every((chunk) => chunk.text.startsWith('天') && chunk.text.endsWith('。'))).toBe(
      true,
    )
    const faces = chunked('😀'.repeat(5_000), 'plain')
    expect(faces.every((chunk) => /^(?:😀)+$/u.test(chunk.text))).toBe(true)
  })

  it('leaves code whole where it fits, and marks in it are no headings', () => {
    const code = `\`\`\`sh\n${'# dig the beds\nrun --all\n'.repeat(60)}\`\`\``
    const chunks = chunked(`${sentence.repeat(5)}\n\n${code}\n\n${sentence.repeat(5)}`)
    expect(chunks.some((chunk) => chunk.text.includes(code))).toBe(true)
    expect(chunks.every(({ heading }) => heading === null)).toBe(true)
  })

  it('repeats the header of a table that needs several chunks, and keeps its rows whole', () => {
    const header = '| Plant | Month |\n| --- | --- |'
    const rows = Array.from({ length: 200 }, (_, at) => `| Bean of the kind ${at} | May ${at} |`)
    const chunks = chunked(`Before.\n\n${header}\n${rows.join('\n')}\n\nAfter.`)
    const tables = chunks.filter((chunk) => chunk.text.includes('Bean'))
    expect(tables.length).toBeGreaterThan(3)
    expect(tables.slice(1).every((chunk) => chunk.text.startsWith(header))).toBe(true)
    const lines = chunks.flatMap((chunk) => chunk.text.split('\n'))
    expect(lines.filter((line) => line.includes('Bean'))).toEqual(rows)
  })
})

describe('the time that it takes', () => {
  const line = 'words and words'
  const hostile: Record<string, (size: number) => string> = {
    paragraphs: (size) => 'a\n\n'.repeat(size / 3),
    headings: (size) => '# h\n\n'.repeat(size / 5),
    items: (size) => '- a\n'.repeat(size / 4),
    'a line': (size) => 'x'.repeat(size),
    blanks: (size) => ' a'.repeat(size / 2),
    bars: (size) => `${'|:'.repeat(size / 4)}\n${'|:'.repeat(size / 4)}x`,
    fences: (size) => '```a`\n'.repeat(size / 6),
    underlines: (size) => `${line}\n${'='.repeat(40)}x\n`.repeat(size / 58),
    brackets: (size) => `# ${'['.repeat(200)}\n`.repeat(size / 203),
    marks: (size) => '\u0301'.repeat(size),
  }

  it.for(Object.keys(hostile))('grows with the length of the text alone: %s', (name) => {
    const cost = (size: number): number => {
      const text = hostile[name]?.(size) ?? ''
      const before = process.threadCpuUsage()
      for (const _ of chunksOf({ text, markup: 'markdown', place: (at) => `line ${at}` }));
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    // What else the thread does, such as collecting garbage, comes on top of some.
    const least = (size: number): number => Math.min(cost(size), cost(size), cost(size))
    cost(100_000)
    const small = Math.max(least(100_000), 4_000)
    // Sixteen times the text would take 256 times as long if the time grew by the square.
    expect(least(1_600_000)).toBeLessThan(small * 16 * 5)
  })
})
