import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Runner } from '#src/work/runner.ts'
import type { RpcAnswer, Shown } from '#tests/protocol/a2a-harness.ts'
import { openSpoken, working, type SpokenModel } from '#tests/runs/text/spoken.ts'
import type { FakeClock } from '#tests/support/fake-clock.ts'
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
  ;({ clock, store, model } = await openSpoken(kind))
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
  text: string | undefined
  append: boolean
  last: boolean
  metadata: unknown
}

/** The updates of artifacts that a stream has told so far. */
interface Told {
  id: string
  updates: Update[]
  ended: Promise<void>
}

function reading(events: AsyncGenerator<RpcAnswer>): Told {
  const told: Told = { id: '', updates: [], ended: Promise.resolve() }
  const read = async (): Promise<void> => {
    for await (const { result } of events) {
      if (result?.['task']) told.id = textOrNone(result['task']['id']) ?? ''
      const update: Shown | undefined = result?.['artifactUpdate']
      if (!update) continue
      const { artifact, append, lastChunk } = update
      const [part] = artifact?.['parts'] ?? []
      told.updates.push({
        text: textOrNone(part?.['text']),
        append: Boolean(append),
        last: Boolean(lastChunk),
        metadata: artifact?.['metadata'],
      })
    }
  }
  told.ended = read()
  return told
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The text that a reader has who appends and replaces as it is told. */
function textOf({ updates }: Told): string {
  return updates.reduce((all, { text, append }) => (append ? all : '') + (text ?? ''), '')
}

/** A message whose run the model works on, and the stream of its sender. */
async function begun(): Promise<Told> {
  const params = saying([{ text: 'this' }, { data: { task_id: 'think' } }])
  const told = reading(agents.stream('ada', 'SendStreamingMessage', params, { key: sender }))
  await until(async () => (await store.run_texts.count({})) > 0, inTime)
  return told
}

const inTime = { seconds: 20 }

/** The model says something, which the stream tells within 250 ms. */
async function said(told: Told, text: string, whole = text): Promise<void> {
  await model.say(text)
  await clock.advance(250)
  await until(() => textOf(told) === whole, inTime)
}

describe('the text of an answer', () => {
  test('comes to its sender piece by piece, and is not sent again at the end', async () => {
    const told = await begun()
    const metadata = {
      'abode/untrusted': true,
      'abode/source': { kind: 'chat', char_id: 'ada' },
    }
    await said(told, 'It is ')
    expect(told.updates).toEqual([{ text: 'It is ', append: false, last: false, metadata }])
    await said(told, 'warm', 'It is warm')
    expect(told.updates[1]).toEqual({ text: 'warm', append: true, last: false, metadata })
    await model.say(' today.')
    await model.finish()
    await told.ended
    expect(textOf(told)).toBe('It is warm today.')
    expect(told.updates.slice(1).every(({ append }) => append)).toBe(true)
    expect(told.updates.at(-1)).toMatchObject({ last: true, metadata })
  })

  test('comes to the account of the agent too, and so far to who subscribes later', async () => {
    const told = await begun()
    await said(told, 'So far')
    const { id } = told
    for (const key of [owner, sender]) {
      const leave = new AbortController()
      const sent = { key, signal: leave.signal }
      const late = reading(agents.stream('ada', 'SubscribeToTask', { id }, sent))
      await until(() => textOf(late) === 'So far', inTime)
      expect(late.updates[0]).toMatchObject({ append: false, last: false })
      leave.abort()
    }
    const other = (await agents.account()).key
    const refused = await agents.rpc('ada', 'SubscribeToTask', { id }, { key: other })
    expect(refused).toHaveProperty('error')
    expect(JSON.stringify(refused)).not.toContain('So far')
    await model.finish()
    await told.ended
    expect(textOf(told)).toBe('So far')
  })

  test('is replaced by the next one', async () => {
    const told = await begun()
    await said(told, 'Let me look.')
    await model.finish('calls')
    await said(told, 'Found')
    expect(told.updates.map(({ append }) => append)).toEqual([false, false])
    await model.finish()
    await told.ended
    expect(textOf(told)).toBe('Found')
    expect(told.updates.at(-1)).toMatchObject({ append: true, last: true })
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

  test('is replaced by a result that is none', async () => {
    const schema = { output_schema: { type: 'object', required: ['n'] } }
    await agents.ask('tasks.update', { char_id: 'ada', task_id: 'think', task: schema }, owner)
    const told = await begun()
    await said(told, '{"n":')
    await model.say('1}')
    await model.finish()
    await told.ended
    expect(told.updates.at(-1)).toMatchObject({ text: undefined, append: false, last: true })
  })
})
