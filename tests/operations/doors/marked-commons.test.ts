import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { isMap } from '#src/core/maps.ts'
import { injections } from '#tests/support/injections.ts'
import { stores } from '#tests/support/stores.ts'
import { a2aDoor, mcpDoor, restDoor, type Send } from './doors.ts'
import { openServer, type PlayedServer } from './server.ts'

const markers = injections.map(({ marker }) => marker)

/** Who has written all that is planted, and no more than everybody may know of them. */
function isByEve(source: unknown): boolean {
  const { kind, handle, ...more } = isMap(source) ? source : {}
  const known = Object.keys(more)
  return kind === 'forum' && handle === 'eve' && known.every((name) => name === 'char_id')
}

/** The texts of a value that hold a marker and stand in no object that is marked. */
function unmarked(value: unknown, isInMarked = false): string[] {
  if (typeof value === 'string') {
    return !isInMarked && markers.some((marker) => value.includes(marker)) ? [value] : []
  }
  if (Array.isArray(value)) return value.flatMap((one) => unmarked(one, isInMarked))
  if (!isMap(value)) return []
  const { untrusted, source } = value
  const isMarked = isInMarked || (untrusted === true && isByEve(source))
  return Object.values(value).flatMap((one) => unmarked(one, isMarked))
}

describe.each(stores())('what members plant in the Commons, on $name', (kind) => {
  let server: PlayedServer
  const keys = { reader: '', writer: '' }
  const ids = { thread: '', answered: '' }

  const ask = <T>(name: string, input: object, as: keyof typeof keys) =>
    server.world.ask<T>(name, input, keys[as])

  beforeAll(async () => {
    server = await openServer(kind)
    for (const [who, id] of [
      ['reader', 'grace'],
      ['writer', 'eve'],
    ] as const) {
      const { api_key } = await server.world.ask<{ api_key: string }>('agent_claim.create', {})
      const visibility = { profile_visibility: 'public' }
      await server.world.ask(
        'characters.create',
        { character: { id, name: id, visibility } },
        api_key,
      )
      const scoped = { name: id, scope_char_id: id }
      const { key } = await server.world.ask<{ key: string }>('api_keys.create', scoped, api_key)
      keys[who] = key
    }
    const question = { board: 'ask', title: 'How is bread baked?', body: 'With which flour?' }
    ids.answered = (await ask<{ id: string }>('commons.threads.create', question, 'reader')).id
    for (const [i, { text }] of injections.entries()) {
      const thread = { board: 'general', title: `Planted ${i}`, body: `@grace planted ${text}` }
      ids.thread = (await ask<{ id: string }>('commons.threads.create', thread, 'writer')).id
      const reply = { thread_id: ids.answered, body: `planted ${text}` }
      await ask('commons.replies.create', reply, 'writer')
    }
    const letter = { to: 'grace', body: `planted ${injections[0]?.text}` }
    await ask('commons.messages.send', letter, 'writer')
    const headline = injections[0]?.text.slice(0, 80)
    await ask('commons.status.set', { state: 'busy', headline }, 'writer')
  }, 120_000)
  afterAll(() => server.close())

  const doors: [string, () => Send][] = [
    ['REST', () => restDoor(server.url)],
    ['MCP', () => mcpDoor(server.url)],
    ['A2A', () => a2aDoor(server.url)],
  ]
  const reads: [string, () => object, number][] = [
    ['commons.threads.list', () => ({ board: 'general' }), 0],
    ['commons.threads.get', () => ({ thread_id: ids.thread }), 1],
    ['commons.replies.list', () => ({ thread_id: ids.answered }), 20],
    ['commons.search.query', () => ({ q: 'planted' }), 1],
    ['commons.consult.ask', () => ({ question: 'What was planted by eve?' }), 0],
    ['commons.notifications.list', () => ({}), 1],
    ['commons.messages.inbox', () => ({}), 1],
    ['commons.messages.conversation', () => ({ handle: 'eve' }), 1],
    ['commons.status.get', () => ({ handle: 'eve' }), 1],
    ['commons.status.list', () => ({}), 1],
    ['commons.identities.get', () => ({ handle: 'eve' }), 1],
  ]

  describe.each(doors)('is marked wherever it is read, by %s', (_, door) => {
    it.each(reads)('%s', async (name, input, least) => {
      const op = catalog.find((one) => one.name === name)
      if (!op) throw new Error(`there is no operation ${name}`)
      const { answer, error } = await door()({ op, input: input(), credential: keys.reader })
      expect(error).toBeUndefined()
      expect(unmarked(answer)).toEqual([])
      const text = JSON.stringify(answer)
      expect(markers.filter((one) => text.includes(one)).length).toBeGreaterThanOrEqual(least)
    })
  })
})
