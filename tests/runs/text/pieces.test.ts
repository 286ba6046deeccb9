import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { StreamEvent } from '#src/core/answer.ts'
import type { Store } from '#src/ports/store.ts'
import { runEvent, type RunEvent } from '#src/runs/events.ts'
import type { Run } from '#src/runs/run.ts'
import { purgeTexts } from '#src/runs/text/text.ts'
import type { Runner } from '#src/work/runner.ts'
import type { FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { openSpoken, working, type SpokenModel } from './spoken.ts'

interface Piece {
  answer: number
  step: number
  at: number
  text: string
}

/** What a stream has told so far. */
interface Heard {
  pieces: Piece[]
  events: { id: string; type: string }[]
  ended: Promise<void>
}

describe.each(stores())('the text of a model on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let model: SpokenModel
  let world: World
  let worker: Runner
  let key: string
  let leave: AbortController
  let listening: Promise<void>[]

  beforeEach(async () => {
    ;({ clock, store, model } = await openSpoken(kind))
    world = openWorld(store, { clock, models: model.models })
    worker = working(world)
    key = (await world.account()).key
    leave = new AbortController()
    listening = []
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
    const secrets = [
      { name: 'SHORT', value: 'hunter22' },
      { name: 'LONG', value: 'hunter22-prod-key' },
    ]
    await world.ask('characters.secrets.update', { char_id: 'ada', secrets }, key)
    const selected = { selected_secrets: ['SHORT', 'LONG'] }
    const task = { task_id: 't', name: 'T', prompt: 'Say it.', ...selected }
    await world.ask('tasks.create', { char_id: 'ada', task }, key)
  })
  afterEach(async () => {
    leave.abort()
    await Promise.all(listening)
    await worker.stop()
    await store.close()
  })

  const started = async (): Promise<Run> => {
    const run = await world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't' }, key)
    worker.wake(1)
    return run
  }
  const ofRun = (id: string) => ({ run_id: id })

  async function follow(id: string, more: object = { pieces: true }): Promise<Heard> {
    const operation = world.core.catalog.find(({ name }) => name === 'runs.events')
    if (!operation) throw new Error('it is there')
    const from = { credential: key, address: '127.0.0.0', requestId: 'test', counted: true }
    const input = { ...ofRun(id), ...more }
    const call = { operation, input, ...from, follow: true, signal: leave.signal }
    const { answer } = await world.core.serve(call)
    if (!answer?.events) throw new Error('it is a stream')
    const heard: Heard = { pieces: [], events: [], ended: Promise.resolve() }
    heard.ended = listen(answer.events, heard)
    listening.push(heard.ended)
    return heard
  }
  async function listen(events: AsyncIterable<StreamEvent>, heard: Heard): Promise<void> {
    for await (const { id, type, text } of events) {
      // The operation shows pieces so.
      if (type === 'model.piece') heard.pieces.push(JSON.parse(text) as Piece)
      heard.events.push({ id, type })
    }
  }
  const textOf = ({ pieces }: Heard): string => pieces.map(({ text }) => text).join('')
  const hears = (heard: Heard, text: string) => until(() => textOf(heard) === text, { seconds: 20 })
  const kept = () => store.run_events.find({ type: 'model.text' }, { sort: { seq: 1 } })

  it('reaches who follows the run within 250 ms, and is kept once', async () => {
    const { id } = await started()
    const heard = await follow(id)
    await model.say('It is war')
    await clock.advance(199)
    expect(heard.pieces).toEqual([])
    await clock.advance(1)
    await hears(heard, 'It is war')
    await model.say('m')
    await model.say(' today')
    await clock.advance(250)
    await hears(heard, 'It is warm today')
    expect(heard.pieces).toMatchObject([
      { step: 1, at: 0, text: 'It is war' },
      { step: 1, at: 9, text: 'm today' },
    ])
    expect(await kept()).toEqual([])
    await model.say('.')
    await model.finish()
    await heard.ended
    expect(textOf(heard)).toBe('It is warm today.')
    expect((await kept()).map(({ data }) => data)).toMatchObject([
      { step: 1, at: 0, text: 'It is warm today.' },
    ])
    expect(await world.ask('runs.get', ofRun(id), key)).toMatchObject({ output: textOf(heard) })
    expect(heard.events.at(-1)).toMatchObject({ type: 'run.completed' })
  })

  it('is written to the store for readers alone, in one row that goes by itself', async () => {
    const { id } = await started()
    await model.say('Unheard of')
    await clock.advance(1000)
    expect(await store.run_texts.count({})).toBe(0)
    const heard = await follow(id)
    await clock.advance(250)
    await hears(heard, 'Unheard of')
    for (let i = 0; i < 20; i++) {
      await model.say(` ${i}`)
      await clock.advance(250)
    }
    await until(() => textOf(heard).endsWith(' 19'))
    expect(await store.run_texts.count({})).toBe(1)
    leave.abort()
    await heard.ended
    await model.finish()
    await until(async () => (await world.ask<Run>('runs.get', ofRun(id), key)).status !== 'running')
    await clock.advance(151_000)
    await purgeTexts(world.ports, clock.now())
    expect(await store.run_texts.count({})).toBe(0)
  })

  it('is not asked for while the run waits', async () => {
    const later = { not_before: new Date(clock.now().getTime() + 3_600_000).toISOString() }
    const input = { char_id: 'ada', task_id: 't', ...later }
    const { id } = await world.ask<Run>('tasks.run', input, key)
    await follow(id)
    await clock.advance(61_000)
    expect(await store.run_texts.count({})).toBe(0)
  })

  itOnEach('is read once for many who are told at once', async () => {
    const { id } = await started()
    await model.say('For you')
    const all = await Promise.all(Array.from({ length: 200 }, () => follow(id)))
    await clock.advance(250)
    const hear = (text: string) =>
      until(() => all.every((one) => textOf(one) === text), { seconds: 20 })
    await hear('For you')
    let reads = 0
    const get = store.run_texts.get.bind(store.run_texts)
    store.run_texts.get = (runId) => {
      reads += 1
      return get(runId)
    }
    await model.say(' two.')
    await clock.advance(250)
    await hear('For you two.')
    expect(reads).toBeLessThan(50)
    await model.finish()
    await Promise.all(all.map(({ ended }) => ended))
  })

  it('goes with its run', async () => {
    const { id } = await started()
    const heard = await follow(id)
    await model.say('Gone.')
    await model.finish()
    await heard.ended
    expect(await store.run_texts.count({})).toBe(1)
    await world.ask('runs.delete', ofRun(id), key)
    expect(await store.run_texts.count({})).toBe(0)
  })

  it('is there so far for who comes later, of long texts too', async () => {
    const { id } = await started()
    const words = Array.from({ length: 400 }, (_, i) => `word${i} `)
    for (const word of words) await model.say(word)
    await clock.advance(250)
    const late = await follow(id)
    await clock.advance(250)
    await hears(late, words.join(''))
    expect(late.pieces.map(({ at }) => at)).toEqual(
      late.pieces.map((_, i) =>
        late.pieces.slice(0, i).reduce((n, { text }) => n + text.length, 0),
      ),
    )
    await model.say('The end')
    await model.finish()
    await late.ended
    expect(textOf(late)).toBe(`${words.join('')}The end`)
  })

  it('begins again with another answer, after a call and where the provider broke off', async () => {
    const { id } = await started()
    const heard = await follow(id)
    await model.say('Half of')
    await clock.advance(250)
    await hears(heard, 'Half of')
    await model.finish('breaks')
    await until(() => clock.isSlept(2000))
    await clock.advance(2000)
    await model.say('Let me look.')
    await model.finish('calls')
    await model.say('Done.')
    await model.finish()
    await heard.ended
    const answers = Map.groupBy(heard.pieces, ({ answer }) => answer)
    const texts = [...answers.values()].map((all) => all.map(({ text }) => text).join(''))
    expect(texts).toEqual(['Half of', 'Let me look.', 'Done.'])
    expect([...answers.keys()]).toEqual([...answers.keys()].sort((a, b) => a - b))
  })

  it('never shows a secret, however it is cut', async () => {
    const { id } = await started()
    const heard = await follow(id)
    const text = 'One hunter22 and hunter22-prod-key, or hunter2 and abs_ and hunter22'
    for (const letter of text) {
      await model.say(letter)
      await clock.advance(250)
    }
    await model.finish()
    await heard.ended
    const clean = 'One [secret] and [secret], or hunter2 and abs_ and [secret]'
    expect(textOf(heard)).toBe(clean)
    expect(await world.ask('runs.get', ofRun(id), key)).toMatchObject({ output: clean })
  })

  it('is in a stream for who asks for it, and resumes after the last event', async () => {
    const { id } = await started()
    const without = await follow(id, {})
    const heard = await follow(id)
    const words = 'word '.repeat(100)
    await model.say(words)
    await model.say('more')
    await clock.advance(250)
    await hears(heard, `${words}more`)
    const { id: last } = heard.events.at(-1) ?? {}
    const resumed = await follow(id, { pieces: true, cursor: last })
    await hears(resumed, 'more')
    expect(resumed.pieces).toMatchObject([{ at: words.length }])
    await model.finish()
    await Promise.all([heard.ended, without.ended, resumed.ended])
    expect(without.events.map(({ type }) => type)).not.toContain('model.piece')
    const stranger = (await world.account()).key
    expect(
      await world.refusal('runs.events', { ...ofRun(id), pieces: true }, stranger),
    ).toMatchObject({
      code: 'forbidden',
    })
  })

  it('is told whole with what else happened, however many events there are', async () => {
    const { id } = await started()
    const many = Array.from({ length: 2500 }, (_, n) => runEvent(id, 'noted', clock.now(), { n }))
    const insert = (event: RunEvent) => ({ in: 'run_events', insert: event }) as const
    for (let n = 0; n < many.length; n += 250) {
      await store.commit(many.slice(n, n + 250).map(insert))
    }
    await model.say('The end.')
    await model.finish()
    await until(async () => (await store.runs.get(id))?.status === 'completed')
    const heard = await follow(id)
    await heard.ended
    expect(textOf(heard)).toBe('The end.')
    expect(heard.events.filter(({ type }) => type === 'noted')).toHaveLength(many.length)
    expect(heard.events.at(-1)).toMatchObject({ type: 'run.completed' })
  })
})
