import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listeningBounds } from '#protocol/mcp/listener-bounds.ts'
import { messageOf, modern } from '../mcp-requests.ts'
import { by, Reading, served, type Served } from './served.ts'
import { eventPasser } from '#src/work/events.ts'

const uri = 'abode://account/events'
let place: Served
let key: string
let pass: () => Promise<number>
const leaving = new Set<AbortController>()

beforeAll(async () => {
  place = await served({ listening: { ...listeningBounds, lookAgainMs: 50 } })
  pass = eventPasser(place.world.ports)
})
afterEach(() => {
  for (const controller of leaving) controller.abort()
  leaving.clear()
})
afterAll(() => place.close())

interface Page {
  items: { seq: number; type: string }[]
  next_cursor: string
}

async function read(at: string): Promise<Page> {
  const { result } = await messageOf(
    await place.handle(modern('resources/read', { uri: at }, by(key))),
  )
  // What the resource holds is the answer of the operation.
  const { contents } = result as { contents: { text: string }[] }
  return JSON.parse(contents[0]?.text ?? '') as Page
}

async function listen(uris: readonly string[], as = key) {
  const controller = new AbortController()
  leaving.add(controller)
  const notifications = { resourceSubscriptions: uris }
  const signal = { ...by(as || undefined), signal: controller.signal }
  const answer = await place.handle(modern('subscriptions/listen', { notifications }, signal))
  const reading = new Reading(answer)
  const { params } = await reading.next()
  return { reading, honoured: params?.['notifications'] }
}

let made = 0
async function happens(as = key): Promise<void> {
  made += 1
  const character = { id: `c${made}`, name: 'C' }
  await place.world.ask('characters.create', { character }, as)
  while ((await pass()) > 0);
}

const account = async (): Promise<string> => (await place.world.account()).key

describe('a listener to its account', () => {
  beforeAll(async () => {
    key = await account()
  })

  test('is told when something happens, and reads on by the cursor without a gap', async () => {
    const before = await read(uri)
    const { reading, honoured } = await listen([uri])
    expect(honoured).toEqual({ resourceSubscriptions: [uri] })
    let { next_cursor } = before
    const seen: number[] = []
    for (let i = 0; i < 3; i++) {
      await happens()
      const { method, params } = await reading.next()
      expect({ method, uri: params?.['uri'] }).toEqual({
        method: 'notifications/resources/updated',
        uri,
      })
      const page = await read(`${uri}/${next_cursor}`)
      seen.push(...page.items.map(({ seq }) => seq))
      ;({ next_cursor } = page)
    }
    expect(seen).toEqual([1, 2, 3])
  })

  test('is told at once of what follows its cursor, and later of the rest', async () => {
    const { items, next_cursor } = await read(uri)
    expect(items.length).toBeGreaterThan(0)
    await happens()
    const after = `${uri}/${next_cursor}`
    const { reading, honoured } = await listen([after])
    expect(honoured).toEqual({ resourceSubscriptions: [after] })
    expect(await reading.next()).toMatchObject({ params: { uri: after } })
    await happens()
    expect(await reading.next()).toMatchObject({ params: { uri: after } })
  })

  test('has one place in it for a stream, next to runs', async () => {
    const { next_cursor } = await read(uri)
    const { honoured } = await listen([uri, `${uri}/${next_cursor}`, 'abode://runs/run_none'])
    expect(honoured).toEqual({ resourceSubscriptions: [uri] })
  })

  test('is told nothing of other accounts', async () => {
    const other = await account()
    await place.world.ask('account.events', {}, other)
    const { reading } = await listen([uri])
    await happens(other)
    await happens()
    expect(await reading.next()).toMatchObject({ params: { uri } })
    expect((await read(uri)).items.at(-1)).toMatchObject({ type: 'agent.created' })
  })
})

describe('no one can listen', () => {
  test.each([
    ['without a key', () => uri, () => ''],
    ['after a cursor of another list', () => `${uri}/x`, account],
    ['after a broken escape', () => `${uri}/%zz`, account],
    ['below it', () => `${uri}/a/b`, account],
    [
      'by a key that acts as an agent',
      () => uri,
      async () => {
        const whole = await account()
        const character = { id: `s${Date.now()}`, name: 'S' }
        await place.world.ask('characters.create', { character }, whole)
        const scope = { name: 'S', scope_char_id: character.id }
        return (await place.world.ask<{ key: string }>('api_keys.create', scope, whole)).key
      },
    ],
  ])('%s', async (_, at, whose) => {
    const as = await whose()
    const { reading, honoured } = await listen([at()], as)
    expect(honoured).toEqual({})
    expect((await reading.rest()).at(-1)).toMatchObject({ id: 7, result: {} })
  })
})
