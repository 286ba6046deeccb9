import { describe, expect, it } from 'vitest'
import { Slices } from '#src/core/turns/slices.ts'
import { markupOfPost } from '#src/documents/markdown/post.ts'
import { piecesOf } from '#src/documents/markdown/pieces.ts'

const rested: number[] = []
const slices = () =>
  new Slices({
    turn: () => {
      rested.push(1)
      return Promise.resolve()
    },
  })
const shown = async (markdown: string): Promise<string> =>
  (await markupOfPost(markdown, slices())).text

describe('the markup of a post', () => {
  it.each([
    ['# One\n\ntwo\nthree', '<h3>One</h3>\n<p>two<br>\nthree</p>'],
    ['<b>x</b> &amp; `<i>`', '<p>&lt;b&gt;x&lt;/b&gt; &amp; <code>&lt;i&gt;</code></p>'],
    ['[a](/sign-out) [b](data:x)', '<p>[a](/sign-out) [b](data:x)</p>'],
    ['[a]\n\n[a]: https://x.example', '<p>[a]</p>\n<p>[a]: <a href="https://x.example" rel='],
    ['a\u202eb', '<p>a[U+202E]b</p>'],
    ['[![p](https://x.example/p.png)](https://y.example)', 'noopener">Picture: p</a></p>'],
    ['a.example and x@y.example', '<p>a.example and x@y.example</p>'],
  ])('of %j', async (markdown, markup) => {
    expect(await shown(markdown)).toContain(markup)
  })

  it('has a text of any kind in pieces that take no time, and is never many times as long', async () => {
    const long = 32_000
    const rows = `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'|\n'.repeat(long)}`
    for (const one of ['[', '*a ', '> ', '- a\n', '![', 'http://', '| a ', '```\n', '&', rows]) {
      const text = one.repeat(Math.ceil(long / one.length)).slice(0, long)
      expect((await shown(text)).length).toBeLessThan(long * 12)
      for (const { text: piece, isReadable } of piecesOf(text)) {
        if (isReadable && !piece.startsWith('```')) expect(piece.length).toBeLessThanOrEqual(4_000)
      }
    }
    expect(rested.length).toBeGreaterThan(10)
  })

  it('parts a long text between blocks, and keeps code whole', async () => {
    const paragraph = `${'Some words of a sentence. '.repeat(30)}\n\n`
    const code = `\`\`\`ts\n${'const a = 1\n\n'.repeat(500)}\`\`\`\n`
    const text = paragraph.repeat(6) + code + paragraph.repeat(3)
    const parts = [...piecesOf(text)]
    expect(parts.map(({ text: part }) => part).join('\n')).toBe(text)
    expect(parts.every(({ isReadable }) => isReadable)).toBe(true)
    expect((await shown(text)).match(/<pre/g)).toHaveLength(1)
  })
})
