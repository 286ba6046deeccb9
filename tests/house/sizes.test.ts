import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, sources } from './tree.ts'

const all = sources('src', 'protocol', 'adapters', 'tests', 'examples')
const product = sources('src', 'protocol', 'adapters')

describe('sizes', () => {
  it('no file of the product has more than 300 lines', () => {
    const large = product.filter((path) => read(path).split('\n').length - 1 > 300)
    expect(large).toEqual([])
  })

  it('no folder holds more than 25 files', () => {
    const folders = new Set(all.map((path) => dirname(path)))
    const crowded = [...folders].filter((folder) => {
      const entries = readdirSync(join(root, folder), { withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).length > 25
    })
    expect(crowded).toEqual([])
  })

  it('files are named in kebab-case', () => {
    const odd = all.filter(
      (path) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.ts$/.test(path.split('/').at(-1) ?? ''),
    )
    expect(odd).toEqual([])
  })
})

describe('the text of the project', () => {
  it('has no marks of unfinished work', () => {
    // Spelled so that they do not find themselves.
    const marks = /\b(FIXM[E]|XX[X]|not implemente[d])\b|\.only\(/
    const untyped = /^(?!\s*(\/\/|\*|\/\*)).*(: an[y]\b|\bas an[y]\b)/m
    const found = all.filter((path) => {
      const text = read(path)
      return marks.test(text) || untyped.test(text)
    })
    expect(found).toEqual([])
  })
})
