import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import type { Runner } from '#src/work/runner.ts'
import { spokenModel, working, type SpokenModel } from '#tests/runs/text/spoken.ts'
import { by, eras, messagesOf, served, type Note, type Served } from './served.ts'

let place: Served
let model: SpokenModel
let worker: Runner
let key: string

beforeAll(async () => {
  model = spokenModel()
  place = await served({}, { models: model.models })
  key = (await place.world.account()).key
  const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'Say it.' }] }
  await place.world.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
})
beforeEach(() => {
  worker = working(place.world)
})
afterEach(() => worker.stop())
afterAll(() => place.close())

describe.each(eras)('a call of the %s era that waits for a run', (_, send) => {
  const calling = async (name: string, args: object, _meta?: object) => {
    const params = { name, arguments: args, ...(_meta && { _meta }) }
    return messagesOf(await place.handle(send('tools/call', params, by(key))))
  }
  /** The next note with text of a model; then the answer. */
  async function next(messages: AsyncGenerator<Note>): Promise<Note> {
    for (;;) {
      const { value, done } = await messages.next()
      if (done) throw new Error('the stream has ended')
      const meta = value.params?.['_meta'] as Record<string, unknown> | undefined
      if (meta?.['abode/text'] ?? value.result) return value
    }
  }

  test('is told its text as it comes, where it asks for progress', async () => {
    const args = { char_id: 'ada', task_id: 't', wait_seconds: 30 }
    const messages = await calling('tasks_run', args, { progressToken: 'p' })
    await model.say('It is ')
    const first = await next(messages)
    expect(first).toMatchObject({
      method: 'notifications/progress',
      params: {
        progressToken: 'p',
        total: 30,
        message: 'It is ',
        _meta: { 'abode/text': { run_id: expect.stringMatching(/^run_/), step: 1, at: 0 } },
      },
    })
    await model.say('warm')
    expect(await next(messages)).toMatchObject({
      params: { message: 'warm', _meta: { 'abode/text': { at: 6 } } },
    })
    await model.finish()
    let last = await next(messages)
    while (!last.result) last = await next(messages)
    expect(last.result).toMatchObject({ structuredContent: { output: 'It is warm' } })
  })

  test('of another call follows it so far too, and is marked where strangers had a say', async () => {
    const input = { char_id: 'ada', task_id: 't' }
    const { id } = await place.world.ask<Run>('tasks.run', input, key)
    worker.wake(1)
    await model.say('So far')
    const source = { kind: 'page', address: 'https://example.com' } as const
    const { runs } = place.world.ports.store
    await runs.update({ id }, { $set: { untrusted: true, source } })
    const wait = { run_id: id, wait_seconds: 30 }
    const messages = await calling('runs_events', wait, { progressToken: 1 })
    expect(await next(messages)).toMatchObject({
      params: { message: 'So far', _meta: { 'abode/untrusted': true } },
    })
    await model.finish()
    expect(await next(messages)).toHaveProperty('result')
  })

  test('is told nothing that it did not ask for', async () => {
    const args = { char_id: 'ada', task_id: 't', wait_seconds: 30 }
    const answering = calling('tasks_run', args).then((all) => Array.fromAsync(all))
    await model.say('Whole.')
    await model.finish()
    const all = await answering
    expect(all).toHaveLength(1)
    expect(all[0]?.result).toMatchObject({ structuredContent: { output: 'Whole.' } })
  })
})
