import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCopyist, type CopyistTerms } from '#adapters/threads/copyist/copyist.ts'
import type { Copyist } from '#src/agents/copies/copyist.ts'
import { cardWithBook } from './samples.ts'

const real = new URL('../../../src/agents/copies/desk.ts', import.meta.url)
const large = new Uint8Array(100_000)

describe('the thread for large agents', () => {
  let folder: string
  const open: Copyist[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-copyist-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()))
    await rm(folder, { recursive: true, force: true })
  })

  const copyist = (terms: CopyistTerms): Copyist => {
    const made = openCopyist(terms)
    open.push(made)
    return made
  }
  /** A copyist whose work is this. */
  const working = async (body: string, terms: Partial<CopyistTerms> = {}): Promise<Copyist> => {
    const path = join(folder, 'desk.mjs')
    await writeFile(path, `let turns = 0\nexport function work(job) { ${body} }`)
    return copyist({ desk: pathToFileURL(path), ...terms })
  }

  it('gives the same as is given at once', async () => {
    const worker = copyist({ desk: real })
    const book = cardWithBook(1)
    const [small, whole] = await Promise.all([
      worker.read(
        Buffer.from(JSON.stringify({ ...book, data: { ...book.data, character_book: null } })),
        'a',
      ),
      worker.read(Buffer.from(JSON.stringify(book)), 'a'),
    ])
    expect(whole.input).toEqual({ ...small.input, extensions: undefined, brain: whole.input.brain })
    const more = JSON.parse(`{${whole.more}}`) as {
      extensions: { chara_card_v2: { data: typeof book.data } }
    }
    expect(more.extensions.chara_card_v2.data.character_book).toEqual(book.data.character_book)
  })

  it('passes refusals on', async () => {
    const worker = copyist({ desk: real })
    await expect(worker.read(large, 'a')).rejects.toMatchObject({ code: 'import_unreadable' })
    await expect(worker.read(Buffer.from('{"name":""}'), 'a')).rejects.toMatchObject({
      code: 'import_unreadable',
    })
  })

  it('does one piece of work after the other', async () => {
    const worker = await working('turns += 1; return { done: String(turns) }')
    const texts = { agent: 'x'.repeat(100_000), tasks: [] }
    const all = [1, 2, 3].map(() => worker.exported(texts, 'a'))
    expect(await Promise.all(all)).toEqual(['1', '2', '3'])
  })

  it('does it for accounts in turn, and refuses the 17th large agent of one that waits', async () => {
    const worker = await working('turns += 1; return { done: String(turns) }')
    const own = Array.from({ length: 17 }, () => worker.read(large, 'a'))
    const refused = { code: 'unavailable', message: expect.stringContaining('Too many') }
    await expect(worker.read(large, 'a')).rejects.toMatchObject(refused)
    const texts = { agent: 'x'.repeat(100_000), tasks: [] }
    expect(await worker.exported(texts, 'b')).toBe('3')
    await Promise.all(own)
  })

  it('is given up when it takes too long, and the next work starts another process', async () => {
    const body = 'if (job.file[0] === 1) for (;;); return { done: "well" }'
    // The second work includes the start of another process.
    const worker = await working(body, { patienceMs: 2000 })
    const stuck = new Uint8Array(100_000).fill(1)
    const [first, second] = await Promise.allSettled([
      worker.read(stuck, 'a'),
      worker.read(large, 'a'),
    ])
    expect(first).toMatchObject({ reason: { code: 'import_unreadable' } })
    expect(second).toMatchObject({ value: 'well' })
  })

  it('ends when it takes too much memory, and the next work starts another process', async () => {
    const body =
      'const all = []; while (job.file[0] === 1) all.push(new Array(1e5).fill({})); return { done: "well" }'
    const worker = await working(body, { memoryMb: 32 })
    const greedy = new Uint8Array(100_000).fill(1)
    await expect(worker.read(greedy, 'a')).rejects.toMatchObject({ code: 'import_unreadable' })
    expect(await worker.read(large, 'a')).toBe('well')
  })

  it('tells of faults, and refuses once it is closed', async () => {
    const made = await working('throw new Error("an unexpected fault")')
    await expect(made.read(large, 'a')).rejects.toThrow('an unexpected fault')
    await made.close()
    await expect(made.read(large, 'a')).rejects.toMatchObject({ code: 'unavailable' })
  })
})
