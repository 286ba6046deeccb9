import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Runner } from '#src/work/runner.ts'
import type { RpcAnswer, Shown } from '#tests/protocol/a2a-harness.ts'
import { spokenModel, working, type SpokenModel } from '#tests/runs/text/spoken.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openAgents, saying, talker, think, type AgentsWorld } from './harness.ts'

let agents: AgentsWorld
let store: Store
let clock: FakeClock
let model: SpokenModel
let worker: Runner
let owner: string
let sender: string

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  clock = fakeClock()
  const time = () => Promise.resolve(clock.now())
  store = { ...(await kind.open()), now: time, leaseTime: time }
  model = spokenModel()
  agents = openAgents(store, { clock, models: model.models })
  worker = working(agents)
  owner = (await agents.account()).key
  sender = (await agents.account()).key
  await agents.ask('characters.create', { character: talker('ada', [think]) }, owner)
})
afterEach(async () => {
  await agents.doors.close()
  await worker.stop()
  await store.close()
})

/** What a stream says of artifacts: the text, and how it is to be read. */
interface Update {
  text: unknown
  append: boolean
  last: boolean
  metadata: unknown
}

/** Reads the next update of an artifact. */
async function updated(events: AsyncGenerator<RpcAnswer>): Promise<Update> {
  for (;;) {
    const { value, done } = await events.next()
    if (done) throw new Error('the stream has ended')
    const update: Shown | undefined = value.result?.['artifactUpdate']
    if (!update) continue
    const { artifact, append, lastChunk } = update
    return {
      text: artifact?.['parts']?.[0 as never]?.['text'],
      append: Boolean(append),
      last: Boolean(lastChunk),
      metadata: artifact?.['metadata'],
    }
  }
}

async function begun(): Promise<{ id: string; events: AsyncGenerator<RpcAnswer> }> {
  const params = saying([{ text: 'this' }, { data: { task_id: 'think' } }])
  const events = agents.stream('ada', 'SendStreamingMessage', params, { key: sender })
  const { value } = await events.next()
  await until(async () => (await store.run_texts.count({})) > 0)
  worker.wake(1)
  return { id: String(value?.result?.['task']?.['id']), events }
}

async function said(text: string): Promise<void> {
  await model.say(text)
  await clock.advance(250)
}

describe('the text of an answer', () => {
  test('comes to its sender piece by piece, and is not sent again at the end', async () => {
    const { events } = await begun()
    const marked = { 'abode/untrusted': true }
    await said('It is ')
    expect(await updated(events)).toEqual({
      text: 'It is ',
      append: false,
      last: false,
      metadata: marked,
    })
    await said('warm')
    expect(await updated(events)).toMatchObject({ text: 'warm', append: true, last: false })
    await model.say(' today.')
    await model.finish()
    const rest = [await updated(events)]
    while (!rest.at(-1)?.last) rest.push(await updated(events))
    expect(rest.map(({ text }) => text).join('')).toBe(' today.')
    for (const { append, metadata } of rest) {
      expect({ append, metadata }).toEqual({ append: true, metadata: marked })
    }
  })

  test('comes to the account of the agent too, and so far to who subscribes later', async () => {
    const { id, events } = await begun()
    await said('So far')
    await updated(events)
    for (const key of [owner, sender]) {
      const leave = new AbortController()
      const sent = { key, signal: leave.signal }
      const late = agents.stream('ada', 'SubscribeToTask', { id }, sent)
      expect(await updated(late)).toMatchObject({ text: 'So far', append: false, last: false })
      leave.abort()
    }
    const other = (await agents.account()).key
    const refused = await agents.rpc('ada', 'SubscribeToTask', { id }, { key: other })
    expect(refused).toHaveProperty('error')
    expect(JSON.stringify(refused)).not.toContain('So far')
    await model.finish()
    expect(await updated(events)).toMatchObject({ text: '', append: true, last: true })
  })

  test('is replaced by the next one', async () => {
    const { events } = await begun()
    await said('Let me look.')
    expect(await updated(events)).toMatchObject({ text: 'Let me look.', append: false })
    await model.finish('calls')
    await said('Found')
    expect(await updated(events)).toMatchObject({ text: 'Found', append: false, last: false })
    await model.finish()
    expect(await updated(events)).toMatchObject({ text: '', append: true, last: true })
  })

  test('is not waited for by who sends a message and wants the result alone', async () => {
    const params = saying([{ text: 'this' }, { data: { task_id: 'think' } }])
    const answering = agents.rpc('ada', 'SendMessage', params, { key: sender })
    await model.say('Whole.')
    await clock.advance(250)
    expect(await store.run_texts.count({})).toBe(0)
    await model.finish()
    expect(JSON.stringify(await answering)).toContain('"text":"Whole."')
  })
})

test('the text of a run comes as long as its output is another, and is then replaced', async () => {
  const schema = { output_schema: { type: 'object', required: ['n'] } }
  await agents.ask('tasks.update', { char_id: 'ada', task_id: 'think', task: schema }, owner)
  const { events } = await begun()
  await said('{"n":')
  expect(await updated(events)).toMatchObject({ text: '{"n":', append: false })
  await model.say('1}')
  await model.finish()
  const rest = [await updated(events)]
  while (!rest.at(-1)?.last) rest.push(await updated(events))
  expect(rest.at(-1)?.append).toBe(false)
})
