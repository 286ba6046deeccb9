import { describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import { changeIndexes } from '#adapters/store/mongo/changes/change-store.ts'
import { changeTables } from '#adapters/store/sqlite/changes/tables.ts'
import { kept, keptByStores } from './kept.ts'
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

  it('of the stores alone says the same, on each of them', () => {
    const own = Object.keys(keptByStores)
    expect(changeTables.map(([name]) => name)).toEqual(own)
    expect(Object.keys(changeIndexes)).toEqual(own)
    for (const [name, { ends }] of Object.entries(keptByStores)) {
      for (const file of [ends].flat()) {
        expect(files.has(file), file).toBe(true)
        const removes = new RegExp(
          `DELETE FROM ${name}|${name === 'changes' ? 'notes' : name}\\.delete`,
        )
        expect(removes.test(read(file)), `${file} deletes of ${name}`).toBe(true)
      }
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
