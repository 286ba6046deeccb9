import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  brokenCursor,
  given,
  needsKey,
  passOn,
  staleRevision,
  type Case,
  type Made,
  type Stage,
} from './case.ts'

const place = { namespace: 'readers', key: 'grace' }
const put = (stage: Stage, char_id: string, value: unknown, more: object = {}) =>
  stage.ask('memory.put', { char_id, ...place, value, ...more })

const remembering = async (stage: Stage, more: object = {}): Promise<{ char_id: string }> => {
  const char_id = await agent(stage, 'ada', more)
  await put(stage, char_id, { likes: ['tides'] })
  return { char_id }
}

const openTo = (memory: string, profile_visibility = 'public') => ({
  visibility: { profile_visibility, ability_access: { memory } },
})

/** An agent of the stranger's under whose id there still is what the owner's agent remembered. */
const takenOver = async (stage: Stage): Promise<{ char_id: string }> => {
  const facts = await remembering(stage)
  await passOn(stage, facts.char_id)
  return facts
}

/** An agent of the stranger's that is a friend of the owner's. */
const befriended = async (stage: Stage, char_id: string): Promise<string> => {
  const friend_id = stage.id('eve')
  await stage.ask('characters.create', { character: { id: friend_id, name: 'Eve' } }, 'stranger')
  await stage.ask('friends.request', { char_id: friend_id, friend_id: char_id }, 'stranger')
  await stage.ask('friends.accept', { char_id, friend_id })
  return friend_id
}

const values = [
  { likes: ['tides'], 'a.b': { $set: 1 }, '': null },
  ['a', 1, null],
  'a text',
  '',
  '{"not": "parsed"}',
  42.5,
  0,
  false,
  null,
]

const puts: Case[] = [
  ...[{ value: 1 }, { namespace: 'readers', value: { value: null } }].map((value) =>
    given({
      op: 'memory.put',
      title: 'a value that looks like a call around a value is kept whole, and told',
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, ...place, value }),
      answer: (answer) => {
        expect(answer).toMatchObject({ value })
        expect(answer.warnings).toMatchObject([{ code: 'kept_whole', pointer: '/value' }])
      },
    }),
  ),
  given({
    op: 'memory.put',
    title: 'a value with a member "value" among others of its own is told of nothing',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, ...place, value: { value: 1, unit: 'm' } }),
    answer: (answer) => expect(answer).not.toHaveProperty('warnings'),
  }),
  ...values.map((value) =>
    given({
      op: 'memory.put',
      title: `any JSON is remembered as it is: ${JSON.stringify(value)}`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, ...place, value }),
      answer: async (answer, char_id, stage) => {
        expect(answer).toMatchObject({ ...place, value, revision: 1 })
        expect(await stage.ask('memory.get', { char_id, ...place })).toEqual(answer)
      },
    }),
  ),
  given({
    op: 'memory.put',
    title: 'a value takes the place of the one before, never merged',
    as: 'scoped',
    given: async (stage) => {
      const { char_id } = await remembering(stage)
      await stage.scopeTo(char_id)
      return char_id
    },
    input: (char_id) => ({ char_id, ...place, value: { dislikes: 'noise' } }),
    answer: (answer) => expect(answer).toMatchObject({ value: { dislikes: 'noise' }, revision: 2 }),
  }),
  given({
    op: 'memory.put',
    title: 'the revision that is expected is changed',
    as: 'owner',
    given: remembering,
    expected: 1,
    input: (facts) => ({ ...facts, ...place, value: 2 }),
    answer: (answer) => expect(answer.revision).toBe(2),
    not: { mcp: 'no If-Match there', a2a: 'no If-Match there' },
  }),
  given({
    op: 'memory.put',
    title: 'what was forgotten goes on counting its revisions',
    as: 'owner',
    given: async (stage) => {
      const facts = await remembering(stage)
      await stage.ask('memory.delete', { ...facts, ...place })
      return facts
    },
    input: (facts) => ({ ...facts, ...place, value: 1 }),
    answer: (answer) => expect(answer.revision).toBe(2),
  }),
  staleRevision('memory.put', remembering, { ...place, value: 1 }),
  staleRevision('memory.put', async (stage) => ({ char_id: await agent(stage) }), {
    ...place,
    key: 'never-put',
    value: 1,
  }),
  given({
    op: 'memory.put',
    title: 'more than 64 KB is too much',
    as: 'owner',
    given: (stage) => agent(stage),
    // Each letter takes three bytes.
    input: (char_id) => ({ char_id, ...place, value: '\u20ac'.repeat(21_845) }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]).toMatchObject({ code: 'too_big' }),
  }),
  given({
    op: 'memory.put',
    title: '64 KB is not too much',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, ...place, value: 'x'.repeat(65_534) }),
    answer: (answer) => expect(answer.revision).toBe(1),
  }),
  given({
    op: 'memory.put',
    title: 'a key is made of what ids are made of',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, ...place, key: 'a key', value: 1 }),
    refusal: 'invalid_input',
    error: (error) => expect(error.errors?.[0]?.pointer).toBe('/key'),
  }),
  ...agentRefusals('memory.put', (char_id) => ({ char_id, ...place, value: 1 })),
  ...needsKey('memory.put', { char_id: 'ada', ...place, value: 1 }),
]

const sought = { get: place, list: { namespace: 'readers' }, namespaces: {} }
const seen = { get: 'tides', list: 'tides', namespaces: 'readers' }

const gets: Case[] = [
  given({
    op: 'memory.get',
    title: 'nothing is remembered under another key',
    as: 'owner',
    given: remembering,
    input: (facts) => ({ ...facts, ...place, key: 'alan' }),
    refusal: 'memory_not_found',
  }),
  ...(['get', 'list', 'namespaces'] as const).flatMap((name) => [
    given({
      op: `memory.${name}`,
      title: 'a public memory is open to anybody with a key',
      as: 'stranger',
      given: (stage) => remembering(stage, openTo('public')),
      input: (facts) => ({ ...facts, ...sought[name] }),
      answer: (answer) => expect(JSON.stringify(answer)).toContain(seen[name]),
    }),
    given({
      op: `memory.${name}`,
      title: 'friends may read what is open to friends',
      as: 'stranger',
      given: async (stage) => {
        const facts = await remembering(stage, openTo('friends', 'unlisted'))
        await befriended(stage, facts.char_id)
        return facts
      },
      input: (facts) => ({ ...facts, ...sought[name] }),
      answer: (answer) => expect(JSON.stringify(answer)).toContain(seen[name]),
    }),
    given({
      op: `memory.${name}`,
      title: 'a friend request that is not accepted opens nothing',
      as: 'stranger',
      given: async (stage) => {
        const facts = await remembering(stage, openTo('friends'))
        const from = stage.id('eve')
        await stage.ask('characters.create', { character: { id: from, name: 'Eve' } }, 'stranger')
        const asked = { char_id: from, friend_id: facts.char_id, permissions: ['read_memory'] }
        await stage.ask('friends.request', asked, 'stranger')
        return facts
      },
      input: (facts) => ({ ...facts, ...sought[name] }),
      refusal: 'forbidden',
    }),
    ...['private', 'members', 'public_paid', 'open', 'friends'].map((level) =>
      given({
        op: `memory.${name}`,
        title: `the level ${level} opens it to no stranger`,
        as: 'stranger',
        given: (stage) => remembering(stage, openTo(level)),
        input: (facts) => ({ ...facts, ...sought[name] }),
        refusal: 'forbidden',
      }),
    ),
    given({
      op: `memory.${name}`,
      title: 'a private profile beats every level',
      as: 'stranger',
      given: async (stage) => {
        const facts = await remembering(stage, openTo('public', 'private'))
        await befriended(stage, facts.char_id)
        return facts
      },
      input: (facts) => ({ ...facts, ...sought[name] }),
      refusal: 'forbidden',
    }),
    given({
      op: `memory.${name}`,
      title: 'a key that acts as a sibling may not read what is private',
      as: 'scoped',
      given: async (stage) => {
        const facts = await remembering(stage)
        await stage.scopeTo(await agent(stage, 'grace'))
        return facts
      },
      input: (facts) => ({ ...facts, ...sought[name] }),
      refusal: 'forbidden',
    }),
  ]),
  ...(['get', 'list', 'namespaces'] as const).flatMap((name) => [
    given({
      op: `memory.${name}`,
      title: 'a public memory is open to anybody, without a credential too',
      as: 'anonymous',
      given: (stage) => remembering(stage, openTo('public', 'unlisted')),
      input: (facts) => ({ ...facts, ...sought[name] }),
      answer: (answer) => expect(JSON.stringify(answer)).toContain(seen[name]),
    }),
    ...(['friends', 'private'] as const).map((level) =>
      given({
        op: `memory.${name}`,
        title: `without a credential nothing is read that is open to ${level}`,
        as: 'anonymous',
        given: (stage) => remembering(stage, openTo(level)),
        input: (facts) => ({ ...facts, ...sought[name] }),
        refusal: 'unauthenticated',
      }),
    ),
    given({
      op: `memory.${name}`,
      title: 'without a credential a private profile closes even a public memory',
      as: 'anonymous',
      given: (stage) => remembering(stage, openTo('public', 'private')),
      input: (facts) => ({ ...facts, ...sought[name] }),
      refusal: 'unauthenticated',
    }),
    given({
      op: `memory.${name}`,
      title: 'a wrong key is refused even where none is needed',
      as: 'garbage',
      given: (stage) => remembering(stage, openTo('public')),
      input: (facts) => ({ ...facts, ...sought[name] }),
      refusal: 'invalid_credential',
    }),
  ]),
  given({
    op: 'memory.get',
    title: 'without a credential, what a public memory does not hold is not found',
    as: 'anonymous',
    given: (stage) => remembering(stage, openTo('public')),
    input: (facts) => ({ ...facts, ...place, key: 'alan' }),
    refusal: 'memory_not_found',
  }),
  ...agentRefusals('memory.get', (char_id) => ({ char_id, ...place })),
  ...agentRefusals('memory.namespaces', (char_id) => ({ char_id })),
  ...agentRefusals('memory.list', (char_id) => ({ char_id, namespace: 'readers' })),
]

const others: Case[] = [
  given({
    op: 'memory.list',
    title: 'a namespace is listed by key, page by page',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await remembering(stage)
      for (const key of ['b', 'a', 'c']) await put(stage, char_id, key, { namespace: 'n', key })
      return char_id
    },
    input: (char_id) => ({ char_id, namespace: 'n', limit: 2 }),
    answer: async (answer, char_id, stage) => {
      expect(answer.items).toMatchObject([{ key: 'a', value: 'a' }, { key: 'b' }])
      const more = { char_id, namespace: 'n', cursor: answer.next_cursor }
      expect((await stage.ask('memory.list', more)).items).toMatchObject([{ key: 'c' }])
    },
  }),
  given({
    op: 'memory.namespaces',
    title: 'namespaces are listed by name with what they hold, page by page',
    as: 'scoped',
    given: async (stage) => {
      const { char_id } = await shelved(stage)
      await stage.tick()
      const { updated_at } = await stage.ask<{ updated_at: string }>('memory.put', {
        char_id,
        namespace: 'readers',
        key: 'alan',
        value: 'is back',
      })
      await put(stage, char_id, 'x', { namespace: 'gone', key: 'x' })
      await stage.ask('memory.delete', { char_id, namespace: 'gone', key: 'x' })
      await stage.scopeTo(char_id)
      return { char_id, updated_at }
    },
    input: ({ char_id }) => ({ char_id, limit: 1 }),
    answer: async (answer, { char_id, updated_at }, stage) => {
      const entries = { count: 2, more: false }
      expect(answer.items).toMatchObject([{ namespace: 'places', entries }])
      const next = { char_id, cursor: answer.next_cursor }
      expect(await stage.ask('memory.namespaces', next)).toEqual({
        items: [{ namespace: 'readers', entries, updated_at }],
        next_cursor: null,
      })
    },
  }),
  given({
    op: 'memory.namespaces',
    title: 'what another account has left under the id of an agent is not listed',
    as: 'stranger',
    given: takenOver,
    input: (facts) => facts,
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  brokenCursor(
    'memory.namespaces',
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
  brokenCursor(
    'memory.list',
    (char_id) => ({ char_id, namespace: 'n' }),
    (stage) => agent(stage),
  ),
  given({
    op: 'memory.list',
    title: 'a new agent with the id of a deleted one finds nothing of it',
    as: 'stranger',
    given: async (stage) => {
      const { char_id } = await remembering(stage)
      await stage.ask('characters.delete', { char_id })
      await stage.ask('characters.create', { character: { id: char_id, name: 'New' } }, 'stranger')
      return char_id
    },
    input: (char_id) => ({ char_id, namespace: 'readers' }),
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  given({
    op: 'memory.list',
    title: 'what another account has left under the id of an agent is not listed',
    as: 'stranger',
    given: async (stage) => {
      const { char_id } = await takenOver(stage)
      const own = { char_id, ...place, key: 'own', value: 1 }
      await stage.ask('memory.put', own, 'stranger')
      return char_id
    },
    input: (char_id) => ({ char_id, namespace: 'readers' }),
    answer: (answer) => expect(answer.items).toMatchObject([{ key: 'own', value: 1 }]),
  }),
  ...['memory.get', 'memory.delete'].map((op) =>
    given({
      op,
      title: 'what another account has left under the id of an agent is not there',
      as: 'stranger',
      given: takenOver,
      input: (facts) => ({ ...facts, ...place }),
      refusal: 'memory_not_found',
    }),
  ),
  given({
    op: 'memory.put',
    title: 'a value takes the place of what another account has left under the id of an agent',
    as: 'stranger',
    given: takenOver,
    input: (facts) => ({ ...facts, ...place, value: 'new' }),
    answer: async (answer, facts, stage) => {
      expect(answer).toMatchObject({ value: 'new' })
      const read = await stage.ask('memory.get', { ...facts, ...place }, 'stranger')
      expect(read).toEqual(answer)
    },
  }),
  given({
    op: 'memory.delete',
    title: 'one thing is forgotten, and the others stay',
    as: 'owner',
    given: async (stage) => {
      const facts = await remembering(stage)
      await put(stage, facts.char_id, 1, { key: 'other' })
      return facts
    },
    input: (facts) => ({ ...facts, ...place }),
    answer: async (answer, { char_id }, stage) => {
      expect(answer).toEqual({ id: 'readers/grace', deleted: true })
      const left = await stage.ask('memory.list', { char_id, namespace: 'readers' })
      expect(left.items).toMatchObject([{ key: 'other' }])
    },
  }),
  given({
    op: 'memory.delete',
    title: 'what is not there cannot be forgotten',
    as: 'owner',
    given: remembering,
    input: (facts) => ({ ...facts, ...place, key: 'alan' }),
    refusal: 'memory_not_found',
  }),
  staleRevision('memory.delete', remembering, place),
  given({
    op: 'memory.delete',
    title: 'an open memory is still only its own account’s to change',
    as: 'stranger',
    given: (stage) => remembering(stage, openTo('public')),
    input: (facts) => ({ ...facts, ...place }),
    refusal: 'forbidden',
  }),
  ...agentRefusals('memory.delete', (char_id) => ({ char_id, ...place })),
]

/** An agent that remembers some things in two namespaces, and a sibling that remembers one of them too. */
const shelved = async (stage: Stage, more: object = {}): Promise<{ char_id: string }> => {
  const char_id = await agent(stage, 'ada', more)
  const kept = {
    'readers/grace': { likes: ['tides', 'harbour lights'], visits: 3 },
    'readers/alan': { likes: ['apples'], note: 'asked about the tides' },
    'places/harbour': { opens: { weekdays: 'at nine', 'tide-tables': [2026] } },
    'places/empty': null,
  }
  for (const [at, value] of Object.entries(kept)) {
    const [namespace, key] = at.split('/')
    await stage.ask('memory.put', { char_id, namespace, key, value })
  }
  const grace = await agent(stage, 'grace')
  await put(stage, grace, { likes: ['tides'] })
  return { char_id }
}

const foundAt = ({ items }: Made): string[] =>
  (items as unknown as { namespace: string; key: string }[]).map(
    ({ namespace, key }) => `${namespace}/${key}`,
  )

const search = (title: string, more: object, found: readonly string[]): Case =>
  given({
    op: 'memory.search',
    title,
    as: 'owner',
    given: (stage) => shelved(stage),
    input: (facts) => ({ ...facts, ...more }),
    answer: (answer) => expect(foundAt(answer)).toEqual(found),
  })

const searches: Case[] = [
  given({
    op: 'memory.search',
    title: 'entries are found by the words of their values, best first, as they are read',
    as: 'owner',
    given: (stage) => shelved(stage),
    input: (facts) => ({ ...facts, q: 'Who likes tides and harbour lights?' }),
    answer: async (answer, facts, stage) => {
      expect(foundAt(answer)).toEqual(['readers/grace', 'places/harbour', 'readers/alan'])
      const { score, ...entry } = (answer.items[0] ?? {}) as unknown as Record<string, unknown>
      expect(score).toBeGreaterThan(0)
      expect(await stage.ask('memory.get', { ...facts, ...place })).toEqual(entry)
    },
  }),
  search('numbers, members’ names and other forms of a word count', { q: '2026 weekday' }, [
    'places/harbour',
  ]),
  search('words in quotes stand together', { q: '"the tides"' }, ['readers/alan']),
  search('a namespace narrows it', { q: 'tides harbour', namespace: 'places' }, ['places/harbour']),
  search('so many as are asked for', { q: 'apples tides', limit: 1 }, ['readers/alan']),
  search('what no entry says finds nothing', { q: 'zeppelin' }, []),
  search('what is no word finds nothing', { q: '" OR * (' }, []),
  given({
    op: 'memory.search',
    title: 'what was replaced or forgotten is not found any more',
    as: 'scoped',
    given: async (stage) => {
      const facts = await shelved(stage)
      await put(stage, facts.char_id, { likes: ['apples'] })
      await stage.ask('memory.delete', { ...facts, namespace: 'readers', key: 'alan' })
      await stage.scopeTo(facts.char_id)
      return facts
    },
    input: (facts) => ({ ...facts, q: 'apples lights' }),
    answer: (answer) => expect(foundAt(answer)).toEqual(['readers/grace']),
  }),
  given({
    op: 'memory.search',
    title: 'what another account has left under the id of an agent is not found',
    as: 'stranger',
    given: takenOver,
    input: (facts) => ({ ...facts, q: 'tides' }),
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  given({
    op: 'memory.search',
    title: 'a long text is a valid question',
    as: 'owner',
    given: (stage) => shelved(stage),
    input: (facts) => ({ ...facts, q: 'tides '.repeat(84).slice(0, 500) }),
    answer: (answer) => expect(answer.items).toHaveLength(3),
  }),
  ...['x'.repeat(501), ''].map((q) =>
    given({
      op: 'memory.search',
      title: `${q.length} characters are no question`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, q }),
      refusal: 'invalid_input',
    }),
  ),
  ...(['stranger', 'anonymous'] as const).flatMap((as) => [
    given({
      op: 'memory.search',
      title: `a public memory is searched by everybody, as ${as}`,
      as,
      given: (stage) => shelved(stage, openTo('public')),
      input: (facts) => ({ ...facts, q: 'apples' }),
      answer: (answer) => expect(foundAt(answer)).toEqual(['readers/alan']),
    }),
    given({
      op: 'memory.search',
      title: `a memory that is open to friends is not searched as ${as}`,
      as,
      given: (stage) => shelved(stage, openTo('friends')),
      input: (facts) => ({ ...facts, q: 'apples' }),
      refusal: as === 'stranger' ? 'forbidden' : 'unauthenticated',
    }),
  ]),
  ...agentRefusals('memory.search', (char_id) => ({ char_id, q: 'tides' })),
]

export const memory: readonly Case[] = [...puts, ...gets, ...others, ...searches]
