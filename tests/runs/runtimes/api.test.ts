import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const named = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`name-of-member-${i}`, i]))
const many = Array.from({ length: 40_000 }, (_, i) => ({ [`n${i}`]: [i] }))

describe.each(stores())('the answer of an API on $name', (kind) => {
  let store: Store
  let world: World
  let work: Work
  let key: string
  let body: string

  beforeAll(async () => {
    store = await kind.open()
    const sender: Sender = {
      send: () =>
        Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body }),
      load: () => Promise.reject(new Error('only texts are sent here')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    world = openWorld(store, { sender })
    work = startWork(world.ports, ['runner'], 2)
    key = (await world.account()).key
    const task = { task_id: 't', name: 'T', runtime: 'api', api_url: 'https://api.example/' }
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
  })
  afterAll(async () => {
    await work.stop()
    await store.close()
  })

  const answered = (text: string): Promise<Run> => {
    body = text
    return world.ask('tasks.run', { char_id: 'ada', task_id: 't', wait_seconds: 60 }, key)
  }

  it.each([
    ['in one line', JSON.stringify(many)],
    ['in many lines', JSON.stringify(many.slice(0, 20_000), null, 2)],
    ['of one long text', JSON.stringify('"ä\n'.repeat(150_000))],
    ['small, of an object with many names', JSON.stringify(named(2000))],
  ])('is the output as it is: %s', async (_, text) => {
    const { status, output } = await answered(text)
    expect(status).toBe('completed')
    expect(JSON.stringify(output) === JSON.stringify(JSON.parse(text))).toBe(true)
  })

  it.each([
    ['an object of more members than a body may have', JSON.stringify(named(6000))],
    ['a list of more items', JSON.stringify(Array.from({ length: 110_000 }, () => 1))],
    ['deeper than a body may be', `${'['.repeat(40)}${'1,'.repeat(40_000)}1${']'.repeat(40)}`],
    ['no JSON at its end', `${JSON.stringify(many).slice(0, -1)},]`],
  ])('is broken where it is %s', async (_, text) => {
    expect(await answered(text)).toMatchObject({
      status: 'failed',
      error: { code: 'api_broken_answer' },
    })
  })

  it('is read in turns of the event loop, if it takes long one for each part', async () => {
    const { clock } = world.ports
    const turn = vi.spyOn(clock, 'turn')
    let now = 0
    vi.spyOn(clock, 'monotonic').mockImplementation(() => (now += 10))
    onTestFinished(() => void vi.restoreAllMocks())
    const text = JSON.stringify(many)
    await answered(text)
    // For the scan, the parser and the walk.
    expect(turn.mock.calls.length).toBeGreaterThan((3 * text.length) / 65_536)
  })
})
