import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folderFiles } from '#adapters/files/folder.ts'
import { openStore } from '#adapters/store/open.ts'
import type { Files } from '#src/ports/files.ts'
import { Unavailable } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

interface Opened {
  files: Files
  /** Closes this one and opens the same place again. */
  again: () => Promise<Opened>
  close: () => Promise<void>
}

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of opened.splice(0)) await end()
})

async function inFolder(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-files-'))
  opened.push(() => rm(folder, { recursive: true, force: true }))
  const open = (): Opened => {
    const files = folderFiles(join(folder, 'files'))
    const close = (): Promise<void> => files.close()
    return { files, close, again: () => close().then(open) }
  }
  return open()
}

async function inMongo(): Promise<Opened> {
  const kind = stores().find(({ name }) => name === 'mongodb')
  const place = await kind?.place()
  if (!place) throw new Error('MONGODB_URI names no server')
  opened.push(() => place.remove())
  const open = async (): Promise<Opened> => {
    const store = await openStore(place)
    if (!store.files) throw new Error('the store keeps no files')
    const close = (): Promise<void> => store.close()
    return { files: store.files, close, again: () => close().then(open) }
  }
  return open()
}

const keepers = [
  ['a folder', inFolder],
  ...(process.env.MONGODB_URI ? ([['MongoDB', inMongo]] as const) : []),
] as const

/** Later than anything that is put, however the clocks round. */
const later = (): Date => new Date(Date.now() + 5000)
const earlier = (): Date => new Date(Date.now() - 3_600_000)

describe.each(keepers)('files in %s', (_, open) => {
  it('come back as they were put, also after the place was reopened', async () => {
    const place = await open()
    const large = randomBytes(3 * 2 ** 20 + 17)
    await place.files.put('med_large', large)
    await place.files.put('med_one', Buffer.from([0]))
    const next = await place.again()
    expect(Buffer.from((await next.files.read('med_large')) ?? []).equals(large)).toBe(true)
    expect([...((await next.files.read('med_one')) ?? [])]).toEqual([0])
    await next.close()
  })

  it('are given in stretches, and what lies beyond their end is left out', async () => {
    const { files, close } = await open()
    const bytes = randomBytes(2 ** 21 + 5)
    await files.put('med_a', bytes)
    const ranges = [
      [0, 1],
      [0, bytes.length],
      [2 ** 20 - 1, 2 ** 20 + 1],
      [bytes.length - 1, bytes.length],
      [2 ** 21, 2 ** 22],
      [bytes.length, bytes.length + 5],
      [7, 7],
    ] as const
    for (const [start, end] of ranges) {
      const stretch = await files.read('med_a', { start, end })
      expect(stretch && Buffer.from(stretch).equals(bytes.subarray(start, end))).toBe(true)
    }
    await close()
  })

  it('that are not there are undefined, and may be deleted all the same', async () => {
    const { files, close } = await open()
    expect(await files.read('med_none')).toBeUndefined()
    await files.put('med_a', Buffer.from('a'))
    await files.delete(['med_none', 'med_a'])
    await files.delete(['med_a'])
    await files.delete([])
    expect(await files.read('med_a')).toBeUndefined()
    expect(await files.read('med_a', { start: 0, end: 1 })).toBeUndefined()
    await close()
  })

  it('are listed by when they were put, page after page, each once', async () => {
    const { files, close } = await open()
    const ids = Array.from({ length: 25 }, (_, i) => `med_${i.toString(16).padStart(4, '0')}`)
    for (const id of ids) await files.put(id, Buffer.from(id))
    expect(await files.keptBefore(earlier(), '', 100)).toEqual([])
    const seen: string[] = []
    for (;;) {
      const page = await files.keptBefore(later(), seen.at(-1) ?? '', 7)
      expect(page.length).toBeLessThanOrEqual(7)
      seen.push(...page)
      if (page.length < 7) break
    }
    expect(seen.toSorted()).toEqual(ids)
    expect(await files.keptBefore(later(), '', 0)).toEqual([])
    await close()
  })

  it('are put side by side', async () => {
    const { files, close } = await open()
    const all = Array.from({ length: 20 }, (_, i) => [`med_${i}`, randomBytes(50_000 + i)] as const)
    await Promise.all(all.map(([id, bytes]) => files.put(id, bytes)))
    for (const [id, bytes] of all) {
      expect(Buffer.from((await files.read(id)) ?? []).equals(bytes)).toBe(true)
    }
    await close()
  })

  it.each(['', '../etc', 'a/b', 'a.b', '.', 'a\0b', 'x'.repeat(129)])(
    'are never called %j',
    async (id) => {
      const { files, close } = await open()
      await expect(files.put(id, Buffer.from('a'))).rejects.toThrow(RangeError)
      await expect(files.read(id)).rejects.toThrow(RangeError)
      await expect(files.delete(['med_a', id])).rejects.toThrow(RangeError)
      await close()
    },
  )

  it('are unavailable once they are closed', async () => {
    const { files, close } = await open()
    await close()
    await expect(files.put('med_a', Buffer.from('a'))).rejects.toBeInstanceOf(Unavailable)
    await expect(files.read('med_a')).rejects.toBeInstanceOf(Unavailable)
  })
})

describe('files in a folder', () => {
  const place = async (): Promise<{ folder: string; files: Files }> => {
    const above = await mkdtemp(join(tmpdir(), 'abode-files-'))
    opened.push(() => rm(above, { recursive: true, force: true }))
    const folder = join(above, 'files')
    return { folder, files: folderFiles(folder) }
  }

  it('are for their owner alone, and no other file is left with them', async () => {
    const { folder, files } = await place()
    await files.put('med_a', Buffer.from('a'))
    const names = await readdir(folder, { recursive: true })
    const file = names.find((name) => name.endsWith('med_a')) ?? ''
    expect(names).toHaveLength(2)
    const modes = [folder, join(folder, names[0] ?? ''), join(folder, file)].map(
      async (path) => (await stat(path)).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600])
  })

  it('forget a put that was cut short, once it is old enough', async () => {
    const { folder, files } = await place()
    await files.put('med_a', Buffer.from('a'))
    const [shelf = ''] = await readdir(folder)
    const draft = join(folder, shelf, '.med_b.draft')
    await writeFile(draft, 'half')
    expect(await files.keptBefore(earlier(), '', 10)).toEqual([])
    expect(await readdir(join(folder, shelf))).toHaveLength(2)
    await utimes(draft, new Date(0), new Date(0))
    await files.keptBefore(earlier(), '', 10)
    expect(await readdir(join(folder, shelf))).toEqual(['med_a'])
  })

  it('are unavailable where the folder cannot be written, and leave nothing half written', async () => {
    const { folder, files } = await place()
    await writeFile(folder, 'no folder')
    await expect(files.put('med_a', Buffer.from('a'))).rejects.toBeInstanceOf(Unavailable)
  })
})

describe.runIf(process.env.MONGODB_URI)('files in MongoDB', () => {
  it('whose put was cut short are listed, so that they are swept', async () => {
    const kind = stores().find(({ name }) => name === 'mongodb')
    const place = await kind?.place()
    if (!place?.uri) throw new Error('MONGODB_URI names no server')
    opened.push(() => place.remove())
    const store = await openStore(place)
    const { MongoClient } = await import('mongodb')
    const client = new MongoClient(place.uri)
    await client
      .db()
      .collection('files.chunks')
      .insertOne({ files_id: 'med_half', n: 0, data: Buffer.from('half') })
    expect(await store.files?.keptBefore(later(), '', 10)).toEqual(['med_half'])
    await store.files?.delete(['med_half'])
    expect(await client.db().collection('files.chunks').countDocuments()).toBe(0)
    await client.close()
    await store.close()
  })
})
