import { afterEach, describe, expect, it } from 'vitest'
import { openExtractor, type ExtractorOptions } from '#adapters/extractor/extractor.ts'
import type { Extract, Extractor, Material } from '#src/ports/extractor.ts'
import { until } from '#tests/support/until.ts'

/** A thread that does what the material says, and names itself and its process as the title of what it read. */
const obedient = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    const kept = []
    parentPort.on('message', ({ material }) => {
      const order = Buffer.from(material.bytes).toString()
      if (order === 'loop') for (;;);
      if (order === 'exit') process.exit()
      if (order === 'throw') throw new Error('secret')
      if (order === 'buffers') for (;;) kept.push(new Uint8Array(1e6).fill(1))
      if (order === 'moment') return void kept.push(new Uint8Array(3e8).fill(1))
      if (order === 'unheard') {
        kept.push(new Uint8Array(3e8).fill(1))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      }
      if (order === 'objects') for (;;) kept.push({ a: [1] })
      if (order === 'stack') { const deep = () => deep() + 1; deep() }
      if (order === 'wait') return
      if (order === 'rest') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
      const about = { title: process.pid + ' ' + threadId, mediaType: process.env.HOME ?? 'none' }
      parentPort.postMessage({ part: { chunks: [], links: [] }, about })
    })
  `)}`,
)

const opened: Extractor[] = []
afterEach(() => Promise.all(opened.splice(0).map((extractor) => extractor.close())))

function open(options: ExtractorOptions = {}): Extractor {
  const extractor = openExtractor({ code: obedient, ...options })
  opened.push(extractor)
  return extractor
}

function material(order: string): Material {
  const unsaid = { mediaType: null, filename: null, url: null, as: 'file' } as const
  return { ...unsaid, bytes: Buffer.from(order) }
}

const outcome = (work: Promise<Extract>): Promise<unknown> => work.catch((cause: unknown) => cause)

describe('the thread that reads', () => {
  it('is one for all materials, and knows nothing of the environment', async () => {
    const extractor = open()
    const read = await Promise.all([1, 2, 3].map(() => extractor.extract(material('read'))))
    expect(new Set(read.map(({ title }) => title)).size).toBe(1)
    expect(read[0]?.mediaType).toBe('none')
  })

  it.for([
    ['loop', { timeoutMs: 300 }],
    ['wait', { timeoutMs: 50 }],
    ['buffers', { memoryBytes: 64 * 2 ** 20 }],
    ['objects', { memoryBytes: 64 * 2 ** 20 }],
    ['stack', {}],
    ['exit', {}],
    ['throw', {}],
  ] as const)(
    'is ended with a material that costs too much, and follows by another: %s',
    async ([order, options]) => {
      const extractor = open(options)
      const first = await extractor.extract(material('read'))
      const [fault, next] = await Promise.all([
        outcome(extractor.extract(material(order))),
        extractor.extract(material('read')),
      ])
      expect(fault).toMatchObject({ name: 'ExtractFailure', fault: 'too_costly' })
      expect(String(fault)).not.toContain('secret')
      expect(next.title).not.toBe(first.title)
    },
  )

  it('may take longer by the clock than it may take of a processor', async () => {
    const extractor = open({ timeoutMs: 250 })
    const first = await extractor.extract(material('read'))
    expect((await extractor.extract(material('rest'))).title).toBe(first.title)
  })

  it('is ended at once where it takes 300 MB, which the process does not have to give', async () => {
    const fault = await outcome(open({ timeoutMs: 3_000 }).extract(material('moment')))
    expect(String(fault)).toContain('too much memory')
  })

  it('is ended for what it takes in a moment in which it answers nothing', async () => {
    const fault = await outcome(open().extract(material('unheard')))
    expect(String(fault)).toContain('too much memory')
  })

  it('is ended when there is nothing to read, and lets the process end before', async () => {
    const extractor = open({ idleMs: 1 })
    const first = await extractor.extract(material('read'))
    await until(async () => (await extractor.extract(material('read'))).title !== first.title, {
      pauseMs: 20,
    })
  })

  it('goes on where all processes of a terminal are told to stop, until it is ended', async () => {
    const extractor = open()
    const { title } = await extractor.extract(material('read'))
    const pid = Number(title?.split(' ')[0])
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(pid, signal)
    expect((await extractor.extract(material('read'))).title).toBe(title)
    await extractor.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('fails with a material where its process is killed, and another takes its place', async () => {
    const extractor = open()
    const { title } = await extractor.extract(material('read'))
    const waiting = outcome(extractor.extract(material('wait')))
    process.kill(Number(title?.split(' ')[0]), 'SIGKILL')
    expect(await waiting).toMatchObject({ name: 'ExtractFailure', fault: 'too_costly' })
    expect((await extractor.extract(material('read'))).title).not.toBe(title)
  })

  it('is away where its process cannot be started, which is no fault of the material', async () => {
    const { execPath } = process
    process.execPath = '/there/is/no/such/program'
    try {
      const extractor = open()
      const failed = await outcome(extractor.extract(material('read')))
      expect(failed).toMatchObject({ name: 'Unavailable' })
      process.execPath = execPath
      expect((await extractor.extract(material('read'))).mediaType).toBe('none')
    } finally {
      process.execPath = execPath
    }
  })

  it('is not there before the first material', async () => {
    const extractor = open({ code: new URL('file:///there/is/no/such.js') })
    await extractor.close()
    const late = await outcome(extractor.extract(material('read')))
    expect(late).toMatchObject({ name: 'Unavailable' })
  })
})

describe('materials that wait', () => {
  it('are refused beyond a number, and those before it are read', async () => {
    const extractor = open({ queue: 2 })
    const work = [1, 2, 3, 4].map(() => outcome(extractor.extract(material('read'))))
    const outcomes = await Promise.all(work)
    expect(outcomes.slice(0, 3).every((one) => !(one instanceof Error))).toBe(true)
    expect(outcomes[3]).toMatchObject({ name: 'Unavailable' })
  })

  it('and the one under way are refused when it is closed', async () => {
    const extractor = open()
    const work = ['wait', 'read', 'read'].map((one) => outcome(extractor.extract(material(one))))
    await extractor.close()
    for (const one of await Promise.all(work)) expect(one).toMatchObject({ name: 'Unavailable' })
  })

  it('keep their bytes, which their sender may read again', async () => {
    const extractor = openExtractor()
    opened.push(extractor)
    const one = material('Dig the beds.')
    const [first, second] = [await extractor.extract(one), await extractor.extract(one)]
    expect(second).toEqual(first)
    expect(Buffer.from(one.bytes).toString()).toBe('Dig the beds.')
  })

  it('come over in parts, in order and whole', async () => {
    const extractor = openExtractor()
    opened.push(extractor)
    const paragraphs = Array.from(
      { length: 6_000 },
      (_, at) => `${at} ${'words of it. '.repeat(70)}`,
    )
    const { chunks } = await extractor.extract(material(paragraphs.join('\n\n')))
    expect(chunks.map(({ text }) => Number.parseInt(text, 10))).toEqual(
      paragraphs.map((_, at) => at),
    )
  })
})
