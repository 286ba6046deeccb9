import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, sources } from './tree.ts'

const all = sources('src', 'protocol', 'adapters', 'tests', 'examples')
const product = sources('src', 'protocol', 'adapters')

function byNumber(a: number, b: number): number {
  return a - b
}

describe('sizes', () => {
  it('no file of the product has more than 300 lines', () => {
    const large = product.filter((path) => read(path).split('\n').length - 1 > 300)
    expect(large).toEqual([])
  })

  it('half of the files have at most 70 lines, and of twenty nineteen at most 250', () => {
    const lengths = product.map((path) => read(path).split('\n').length - 1).toSorted(byNumber)
    expect(lengths[Math.floor(lengths.length * 0.5)]).toBeLessThanOrEqual(70)
    expect(lengths[Math.floor(lengths.length * 0.95)]).toBeLessThanOrEqual(250)
  })

  it('no page of the documents takes more to read than this, in bytes', () => {
    const bounds = [
      ['docs/guides', 7_000],
      ['docs', 42_000],
    ] as const
    const large = bounds.flatMap(([folder, most]) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .filter((name) => Buffer.byteLength(read(`${folder}/${name}`)) > most)
        .map((name) => `${folder}/${name}`),
    )
    expect(large).toEqual([])
    expect(Buffer.byteLength(read('README.md'))).toBeLessThan(20_000)
  })

  it('the top of src has at most 24 rooms', () => {
    expect(readdirSync(join(root, 'src')).length).toBeLessThanOrEqual(24)
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

describe('what a file gives to others', () => {
  it('is explained where it stands, nine times of ten', () => {
    const given = /^export (?:async |abstract )?(?:function|class|const|interface|type) .*/gm
    let explained = 0
    let all = 0
    for (const path of product) {
      const text = read(path)
      for (const { index, 0: line } of text.matchAll(given)) {
        all += 1
        // An operation has its summary, which callers read.
        const isOperation = path.startsWith('src/operations/') && line.includes('= operation(')
        if (isOperation || text.slice(0, index).endsWith('*/\n')) explained += 1
      }
    }
    expect(explained / all).toBeGreaterThan(0.9)
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
