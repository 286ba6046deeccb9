import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filled, pages } from './documents.ts'
import type { History } from './history.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
// The bench wrote it.
const history = JSON.parse(read('tests/bench/history.json')) as History

describe('the figures', () => {
  it.each(Object.entries(pages))('of %s are those that were recorded', async (path, page) => {
    const file = new URL(path, root)
    await expect(page(read(path), history), 'npm run docs').toMatchFileSnapshot(file.pathname)
  })

  it('have their place between two marks', () => {
    const page = `before\n<!-- figures: npm run bench -- --record LABEL -->\nold\n<!-- end of figures -->\nafter`
    expect(filled(page, 'new')).toBe(page.replace('old', 'new'))
    expect(() => filled('a page', 'new')).toThrow('no place for figures')
  })
})
