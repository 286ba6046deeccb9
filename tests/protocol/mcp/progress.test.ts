import * as z from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operation } from '#src/core/operation.ts'
import { Progress, progressTokenOf, type ProgressNote } from '#protocol/mcp/progress.ts'
import { SmallCore, smallDoor } from '../mcp-harness.ts'
import { legacy, messageOf } from '../mcp-requests.ts'
import { by, eras, messagesOf, Reading, served, type Note, type Served } from './served.ts'

let place: Served
let key: string

beforeAll(async () => {
  place = await served()
  key = (await place.world.account()).key
  await place.world.ask(
    'characters.create',
    {
      character: {
        id: 'ada',
        name: 'Ada',
        heart: { tasks: [{ task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' }] },
      },
    },
    key,
  )
})
afterAll(() => place.close())

interface Lease {
  run: { id: string }
  lease_token: string
}

/** Takes the next run and ends it. */
async function work(): Promise<void> {
  const { world } = place
  const lease = await world.ask<Lease>('runs.lease', { char_id: 'ada', wait_seconds: 20 }, key)
  const { lease_token } = lease
  await world.ask('runs.complete', { run_id: lease.run.id, lease_token, output: 'done' }, key)
}

function notesOf(messages: readonly Note[]): Note[] {
  return messages.filter(({ method }) => method === 'notifications/progress')
}

describe.each(eras)('a call of the %s era that waits', (_, send) => {
  const called = async (name: string, args: object, _meta?: object, signal?: AbortSignal) => {
    const params = { name, arguments: args, ...(_meta && { _meta }) }
    return place.handle(send('tools/call', params, { ...by(key), ...(signal && { signal }) }))
  }

  test('is told how the run goes, and then the answer', async () => {
    const args = { char_id: 'ada', task_id: 'think', input: 'tides', wait_seconds: 30 }
    const answering = called('tasks_run', args, { progressToken: 'p1' })
    const [messages] = await Promise.all([
      answering.then(async (answer) => Array.fromAsync(messagesOf(answer))),
      work(),
    ])
    const notes = notesOf(messages)
    expect(notes.map(({ params }) => params)).toEqual(
      notes.map(() => ({
        progressToken: 'p1',
        progress: expect.any(Number),
        total: 30,
        message: expect.stringMatching(/^run_\w+ is \w+/),
      })),
    )
    const steps = notes.map(({ params }) => Number(params?.['progress']))
    expect(steps.length).toBeGreaterThanOrEqual(2)
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
    const last = messages.at(-1)
    expect(last?.result).toMatchObject({
      structuredContent: { status: 'completed', output: 'done' },
    })
  })

  test('is told nothing that it did not ask for', async () => {
    const args = { char_id: 'ada', task_id: 'think', input: 'tides', wait_seconds: 30 }
    const answering = called('tasks_run', args)
    const [messages] = await Promise.all([
      answering.then(async (answer) => Array.fromAsync(messagesOf(answer))),
      work(),
    ])
    expect(messages).toHaveLength(1)
    expect(messages[0]?.result).toMatchObject({ structuredContent: { status: 'completed' } })
  })

  test('for work is told that there is none yet, with a number as its token', async () => {
    const args = { char_id: 'ada', wait_seconds: 30 }
    const reading = new Reading(await called('runs_lease', args, { progressToken: 7 }))
    expect(await reading.next()).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 7, total: 30, message: expect.stringContaining('none_waiting') },
    })
    const { id } = await place.world.ask<{ id: string }>(
      'tasks.run',
      { char_id: 'ada', task_id: 'think', input: 'x' },
      key,
    )
    const lease = (await reading.rest()).at(-1)
    // The documented answer of the operation.
    const given = lease?.result?.['structuredContent'] as Lease
    expect(given.run.id).toBe(id)
    const { lease_token } = given
    await place.world.ask('runs.complete', { run_id: id, lease_token, output: '' }, key)
  })

  test('for the end of a run gets all of its events', async () => {
    const input = { char_id: 'ada', task_id: 'think', input: 'x' }
    const { id } = await place.world.ask<{ id: string }>('tasks.run', input, key)
    const args = { run_id: id, wait_seconds: 30 }
    const answer = await called('runs_events', args, { progressToken: 'e' })
    const reading = new Reading(answer)
    const first = await reading.next()
    expect(first.params).toMatchObject({ message: expect.stringContaining(`${id} is queued`) })
    await work()
    const last = (await reading.rest()).at(-1)
    // The documented answer of the operation.
    const page = last?.result?.['structuredContent'] as { items: { type: string }[] }
    expect(page.items[0]?.type).toBe('run.queued')
    expect(page.items.at(-1)?.type).toBe('run.completed')
  })

  test('ends without waiting once its caller has gone', async () => {
    const leaving = new AbortController()
    const waiters = () => place.world.ports.waiting.keys().length
    const before = waiters()
    const answering = called(
      'runs_lease',
      { char_id: 'ada', wait_seconds: 60 },
      undefined,
      leaving.signal,
    )
    const read = answering
      .then(async (answer) => Array.fromAsync(messagesOf(answer)))
      .catch(() => undefined)
    await expect.poll(waiters).toBe(before + 1)
    leaving.abort()
    await expect.poll(waiters).toBe(before)
    await read
  })
})

test('a call that waits for ever is broken off', async () => {
  const forever = operation({
    name: 'notes.await',
    summary: 'Wait until the caller goes away.',
    example: {},
    auth: 'none',
    http: { method: 'POST', path: '/api/notes/await' },
    toolsets: ['tasks'],
    input: z.strictObject({ wait_seconds: z.int().default(0) }),
    output: z.object({ aborted: z.boolean() }),
    refuses: [],
    run: (_, { signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ aborted: true }), { once: true })
      }),
  })
  const door = smallDoor(new SmallCore([forever]), { waitsAtMostMs: 20 })
  const answer = await door.handle(legacy('tools/call', { name: 'notes_await' }))
  expect((await messageOf(answer)).result).toMatchObject({ structuredContent: { aborted: true } })
})

describe('progress', () => {
  const noted = (seconds: number) => {
    const notes: ProgressNote[] = []
    const progress = new Progress(seconds, async (note) => void notes.push(note))
    return { notes, progress }
  }

  test('grows with every note, also within a millisecond, and is told once', () => {
    const { notes, progress } = noted(0)
    for (const message of ['a', 'a', 'b', 'c']) progress.tell(message)
    progress.end()
    progress.tell('too late')
    expect(notes.map(({ message }) => message)).toEqual(['a', 'b', 'c'])
    const steps = notes.map(({ progress: step }) => step)
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
    expect(notes[0]).not.toHaveProperty('total')
  })

  test('has an end, however much there is to say', () => {
    const { notes, progress } = noted(10)
    for (let i = 0; i < 1000; i++) progress.tell(`step ${i}`)
    progress.end()
    expect(notes).toHaveLength(500)
  })

  test('whose receiver is gone is reported no more', async () => {
    let tried = 0
    const progress = new Progress(0, () => {
      tried += 1
      return Promise.reject(new Error('gone'))
    })
    progress.tell('a')
    await new Promise(setImmediate)
    progress.tell('b')
    expect(tried).toBe(1)
  })

  test.each([
    ['a', 'a'],
    [0, 0],
    [1.5, undefined],
    [null, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('is asked for by the token %j', (token, taken) => {
    expect(progressTokenOf({ progressToken: token })).toBe(taken)
  })
})
