import { describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import { kept } from './kept.ts'
import { read, sources } from './tree.ts'

const names = Object.keys(collections) as CollectionName[]
const files = new Set(sources('src', 'adapters', 'protocol'))

/** Whether a file deletes documents of a collection, in a commit or by itself. */
function deletes(file: string, name: string): boolean {
  const text = read(file)
  return [
    new RegExp(`in: '${name}'(?: as const)?,\\s*delete`),
    new RegExp(`\\b${name}\\.delete\\(`),
    // Helpers of their own take the collection.
    new RegExp(`(?:purgeRows|emptied)\\(store\\.${name}\\b`),
  ].some((form) => form.test(text))
}

describe('every collection', () => {
  it('says whose it is, what counts it, and how it ends', () => {
    expect(Object.keys(kept).sort()).toEqual([...names].sort())
    for (const name of names) {
      const { owner, counted } = kept[name]
      expect(owner.length, name).toBeGreaterThan(3)
      if (!counted.startsWith('not: ')) expect(files.has(counted), `${name}: ${counted}`).toBe(true)
    }
  })

  it.each(names)('%s is deleted where it says', (name) => {
    const { ends } = kept[name]
    if (typeof ends === 'string' && ends.startsWith('kept: ')) {
      expect(ends.length).toBeGreaterThan('kept: '.length + 10)
      return
    }
    for (const file of [ends].flat()) {
      expect(files.has(file), file).toBe(true)
      expect(deletes(file, name), `${file} deletes ${name}`).toBe(true)
    }
  })

  it('is counted where it says: by bytes of an account or of a share', () => {
    const counts = /addBytes|sizeOf|Bytes\(|bytes:|countRun|countOrder|countPost|countMessage/
    for (const name of names) {
      const { counted } = kept[name]
      if (counted.startsWith('not: ')) continue
      expect(counts.test(read(counted)), `${counted} counts ${name}`).toBe(true)
    }
  })
})
