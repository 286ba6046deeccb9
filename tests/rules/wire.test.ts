import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CharacterInput } from '#src/agents/character.ts'
import { characterFrom } from '#src/agents/stored-character.ts'
import { revisionIn, spliceTasks } from '#src/agents/wire.ts'

const place = {
  id: 'ada',
  ownerId: 'acc_1',
  appId: null,
  localId: null,
  revision: 7,
  now: '2026-01-01T00:00:00.000Z',
}

function stored(sent: Record<string, unknown>, revision = 7): { id: string; text: string } {
  const input = CharacterInput.parse({ name: 'Ada', ...sent })
  return { id: 'ada', text: JSON.stringify(characterFrom(input, { ...place, revision })) }
}

/** What splicing must come to, by parsing everything. */
function slow(text: string, tasks: readonly string[]): unknown {
  const character: Record<string, unknown> = JSON.parse(text)
  if (tasks.length === 0) return character
  const settings = character.heart ?? { heartbeat_interval: null, timezone: null }
  return { ...character, heart: { ...settings, tasks: tasks.map((task) => JSON.parse(task)) } }
}

const hostile = [
  '"heart":{"tasks":[]',
  '{"id":"ada","revision":1,"heart":{"tasks":[]}}',
  ',"heart":null',
  '"]}\\"',
  'täglich 🜁',
]

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(...hostile),
  fc.constant({ heart: { tasks: [] } }),
  fc.constant({ id: 'ada', revision: 1, heart: { tasks: [] } }),
)
const names = fc.oneof(
  fc.constantFrom('1', '0', '42', 'zeta', '"heart"', 'heart":{"tasks":[]', 'constructor'),
  fc
    .string({ maxLength: 8 })
    .filter((name) => name !== '__proto__' && !(name in CharacterInput.shape)),
)
const extras = fc.dictionary(names, value, { maxKeys: 4 })
const hearts = fc.oneof(
  fc.constant(null),
  fc.constant({}),
  fc.record({ timezone: fc.constant('UTC') }),
  fc.dictionary(
    fc
      .oneof(fc.constantFrom('1', 'zeta', 'tasks2'), fc.string({ maxLength: 5 }))
      .filter((name) => !['__proto__', 'tasks', 'timezone', 'heartbeat_interval'].includes(name)),
    value,
    { maxKeys: 3 },
  ),
)
const taskTexts = fc.array(
  fc
    .record({ task_id: fc.string(), name: fc.constantFrom(...hostile), n: fc.jsonValue() })
    .map((task) => JSON.stringify(task)),
  { maxLength: 4 },
)

test('spliced text is what parsing and putting the tasks in would give, for any members', () => {
  fc.assert(
    fc.property(extras, hearts, taskTexts, (extra, heart, tasks) => {
      const row = stored({ ...extra, heart })
      expect(JSON.parse(spliceTasks(row, tasks))).toEqual(slow(row.text, tasks))
    }),
    { numRuns: 500 },
  )
})

test('members with names like numbers, which stand first, do not lead it astray', () => {
  const row = stored({ '1': { heart: { tasks: [] } }, heart: { timezone: 'UTC' } })
  expect(row.text.startsWith('{"1":{"heart":{"tasks":[]}}')).toBe(true)
  const spliced = JSON.parse(spliceTasks(row, ['{"task_id":"t"}']))
  expect(spliced['1']).toEqual({ heart: { tasks: [] } })
  expect(spliced.heart).toEqual({
    tasks: [{ task_id: 't' }],
    heartbeat_interval: null,
    timezone: 'UTC',
  })
  expect(revisionIn(row)).toBe(7)
})

test('the usual text is spliced without being parsed', () => {
  const row = stored({ heart: { timezone: 'UTC' } })
  // Two spaces that parsing would lose show that the rest is passed on as it stands.
  const spaced = { ...row, text: row.text.replace('"owner_id":', '  "owner_id":') }
  expect(spliceTasks(spaced, ['{"a":1}', '{"b":2}'])).toContain(
    '"heart":{"tasks":[{"a":1},{"b":2}],"heartbeat_interval":null,"timezone":"UTC"},  "owner_id":',
  )
})

test('an agent without a heart gets one when it has tasks, and none when it has not', () => {
  const row = stored({})
  expect(JSON.parse(spliceTasks(row, ['{"a":1}'])).heart).toEqual({
    tasks: [{ a: 1 }],
    heartbeat_interval: null,
    timezone: null,
  })
  expect(spliceTasks(row, [])).toBe(row.text)
})

test('an id that is only the beginning of the stored one is not mistaken for it', () => {
  const row = stored({})
  expect(revisionIn({ id: 'ad', text: row.text })).toBe(7)
  expect(JSON.parse(spliceTasks({ id: 'ad', text: row.text }, ['{"a":1}'])).heart.tasks).toEqual([
    { a: 1 },
  ])
})

test('the revision is read from the beginning of the text', () => {
  fc.assert(
    fc.property(fc.nat(), extras, (revision, extra) => {
      expect(revisionIn(stored(extra, revision))).toBe(revision)
    }),
  )
})
