import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { toolName } from '#src/core/operation-facts.ts'
import { product } from './districts.ts'
import { told } from './refusals/told.ts'
import { read } from './tree.ts'

const names = new Set(catalog.map(({ name }) => name))
const tools = new Set(catalog.map(toolName))

const texts = told(product.map((path) => ({ path, text: read(path) }))).filter(
  ({ refuses }) => refuses,
)

/** What only HTTP refuses may name what HTTP has. */
const overHttp = /^adapters\/(?:http|commands)\/|^protocol\/web\//
/** Told in answers, which are the same at every door, or to an operator. */
const elsewhere = /^adapters\/config\/|^src\/apps\/revisions\/|^src\/agents\/tasks\/references\//

describe('a call that the text of a refusal names', () => {
  it('is a reference to an operation that exists', () => {
    const missing = texts.flatMap(({ text, place }) =>
      [...text.matchAll(/<([a-z_]+(?:\.[a-z_]+)+)/g)]
        .filter(([, name = '']) => !names.has(name))
        .map(([, name]) => `${place}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('is not in the words of one door', () => {
    const own = texts
      .filter(({ place }) => !elsewhere.test(place))
      .flatMap(({ text, place }) => {
        const bare = text.replaceAll(/<[a-z_]+(?:\.[a-z_]+)+(?: \{[^<>]*\})?>/g, '')
        const words = bare.match(/[a-z_]+(?:\.[a-z_]+)*/g) ?? []
        const named = words.filter((word) =>
          word.includes('.') ? names.has(word) : word.includes('_') && tools.has(word),
        )
        const paths = overHttp.test(place)
          ? []
          : (bare.match(/\/api\/[\w/-]*|\b(?:GET|POST|PUT|PATCH|DELETE) \/\S+/g) ?? [])
        return [...named, ...paths].map((word) => `${place}: ${word} in "${text.slice(0, 120)}"`)
      })
    expect(own).toEqual([])
  })
})
