import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from '#src/core/html/html.ts'

describe('markup from a template', () => {
  it('escapes what is put in, for text and for attributes in either quotes', () => {
    const { text } = html`<p title="${`"><script>`}">${`<b>'&'</b>`}</p>`
    expect(text).toBe('<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&#39;&amp;&#39;&lt;/b&gt;</p>')
  })

  it('takes markup as it is, lists one after the other, and nothing for what is not there', () => {
    const items = ['a', '<'].map((name) => html`<i>${name}</i>`)
    const { text } = html`<p>${items}${null}${undefined}${false}${7}</p>`
    expect(text).toBe('<p><i>a</i><i>&lt;</i>7</p>')
  })

  it('lets no text escape from its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const inside = html`${name}`.text
        expect(inside).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
        const back = inside.replace(
          /&(amp|lt|gt|quot|#39);/g,
          (_, sign: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[sign] ?? '',
        )
        expect(back).toBe(name)
      }),
    )
  })
})
