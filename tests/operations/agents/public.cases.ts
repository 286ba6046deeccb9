import { expect } from 'vitest'
import {
  agent,
  brokenCursor,
  given,
  nowhere,
  type As,
  type Case,
  type Stage,
} from '#tests/operations/case.ts'

const sections = ['role', 'tagline', 'skills']
const listed = { profile_visibility: 'public', show_in_directory: true, public_sections: sections }

const shown = (
  stage: Stage,
  visibility: object = {},
  more: object = {},
  name = 'ada',
): Promise<string> =>
  agent(stage, name, {
    full_name: 'Augusta Ada King',
    role: 'Analyst',
    tagline: 'Counts what matters',
    bio: 'Wrote notes',
    skills: ['Poetry', 'analysis'],
    visibility: { ...listed, ...visibility },
    ...more,
  })

/** A word that no other playing of a case knows. */
const wordOf = (stage: Stage): string => stage.id('w').replaceAll('-', '')

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)

/** Every caller reads the same, with any credential or none. */
const readers: readonly As[] = ['anonymous', 'stranger', 'owner', 'garbage', 'member']
/** The doors of JSON-RPC stop a wrong key themselves. */
const notWrong = (as: As): Pick<Case, 'not'> =>
  as === 'garbage' ? { not: { mcp: 'refused at the door', a2a: 'refused at the door' } } : {}

/** Of what is not open it is not told that it is there. */
function hidden(op: string): Case[] {
  const ways: [string, (stage: Stage) => Promise<string>][] = [
    ['an agent that does not exist', () => Promise.resolve(nowhere)],
    ['an agent of which nothing was said', (stage) => agent(stage)],
    ['a private agent', (stage) => shown(stage, { profile_visibility: 'private' })],
    [
      'a private agent with open levels',
      (stage) => {
        const ability_access = { feed: 'public', chat: 'public', memory: 'public' }
        return shown(stage, { profile_visibility: 'private', ability_access })
      },
    ],
  ]
  return ways.flatMap(([title, prepare]) =>
    (['anonymous', 'owner'] as const).map((as) =>
      given({
        op,
        title: `${title} is not found`,
        as,
        given: prepare,
        input: (char_id) => ({ char_id }),
        refusal: 'character_not_found',
        error: (error, char_id) =>
          expect(error.detail).toBe(`There is no public agent "${char_id}".`),
      }),
    ),
  )
}

const profiles: Case[] = [
  ...readers.map((as) =>
    given({
      op: 'public.agents.get',
      title: 'what is shown to everybody is read, and nothing else',
      as,
      ...notWrong(as),
      given: (stage) => shown(stage, { public_bio: 'Hello', public_sections: [...sections, 'x'] }),
      input: (char_id) => ({ char_id }),
      answer: (answer, id) => {
        expect(answer).toEqual({
          id,
          name: 'Ada',
          avatar_url: null,
          public_bio: 'Hello',
          role: 'Analyst',
          tagline: 'Counts what matters',
          skills: ['Poetry', 'analysis'],
          owner: { kind: 'agent' },
          links: {
            tasks: expect.stringMatching(`^http.*/api/public/agents/${id}/tasks$`),
            a2a: expect.stringMatching(`^http.*/a2a/${id}/$`),
            card: expect.stringMatching(`^http.*/a2a/${id}/.well-known/agent-card.json$`),
          },
          created_at: expect.any(String),
          untrusted: true,
          source: { kind: 'profile', char_id: id },
        })
      },
    }),
  ),
  given({
    op: 'public.agents.get',
    title: 'an unlisted agent is read by its id, its owner only where that is shown',
    as: 'anonymous',
    given: (stage) =>
      shown(stage, {
        profile_visibility: 'unlisted',
        show_owner_profile: false,
        public_sections: [],
        ability_access: { feed: 'public' },
      }),
    input: (char_id) => ({ char_id }),
    answer: (answer, id) => {
      expect(answer).toMatchObject({
        links: { feed: expect.stringMatching(`/api/public/agents/${id}/feed$`) },
      })
      expect(Object.keys(answer).toSorted()).toEqual(
        [
          'id',
          'name',
          'avatar_url',
          'public_bio',
          'links',
          'created_at',
          'untrusted',
          'source',
        ].toSorted(),
      )
    },
  }),
  ...hidden('public.agents.get'),
]

const lists: Case[] = [
  given({
    op: 'public.agents.list',
    title: 'an agent is found by the words that it shows, by its words alone',
    as: 'anonymous',
    given: async (stage) => {
      const word = wordOf(stage)
      const role = `Counts ${word}`
      const id = await shown(stage, {}, { role })
      await shown(stage, { profile_visibility: 'unlisted' }, { role }, 'unlisted')
      await shown(stage, { profile_visibility: 'private' }, { role }, 'private')
      await shown(stage, { show_in_directory: false }, { role }, 'undirected')
      await shown(stage, { public_sections: ['bio'] }, { role }, 'roleless')
      return { id, word }
    },
    input: ({ word }) => ({ q: `${word.toUpperCase()} counting` }),
    answer: async (answer, { id }, stage) => {
      expect(ids(answer.items)).toEqual([id])
      expect(answer.items[0]).toEqual(await stage.ask('public.agents.get', { char_id: id }))
    },
  }),
  given({
    op: 'public.agents.list',
    title: 'an agent is found by a skill that it shows, however it is written, newest first',
    as: 'stranger',
    given: async (stage) => {
      const word = wordOf(stage)
      const skills = [`Fine  ${word}`]
      const first = await shown(stage, {}, { skills })
      await stage.tick()
      const second = await shown(stage, {}, { skills: ['other', ...skills] }, 'grace')
      await shown(stage, { public_sections: ['role'] }, { skills }, 'secretive')
      await shown(stage, {}, { skills: [word] }, 'other')
      return { skill: `fine ${word.toUpperCase()}`, found: [second, first] }
    },
    input: ({ skill }) => ({ skill }),
    answer: (answer, { found }) => expect(ids(answer.items)).toEqual(found),
  }),
  ...([{ skill: true }, { q: true }, { skill: true, q: true }] as const).map((by) =>
    given({
      op: 'public.agents.list',
      title: `everything is paged through once by ${Object.keys(by).join(' and ')}`,
      as: 'anonymous',
      given: async (stage) => {
        const word = wordOf(stage)
        const found: string[] = []
        for (const name of ['a', 'b', 'c', 'd', 'e']) {
          found.push(await shown(stage, {}, { skills: [word] }, name))
        }
        return { word, found }
      },
      input: ({ word }) => ({
        limit: 2,
        ...('skill' in by && { skill: word }),
        ...('q' in by && { q: word }),
      }),
      answer: async (answer, { word, found }, stage) => {
        const seen = ids(answer.items)
        let cursor: string | null = answer.next_cursor
        for (let page = 0; cursor !== null && page < 5; page++) {
          const input = {
            limit: 2,
            cursor,
            ...('skill' in by && { skill: word }),
            ...('q' in by && { q: word }),
          }
          const next = await stage.ask('public.agents.list', input)
          expect(next.items.length).toBeGreaterThan(0)
          seen.push(...ids(next.items))
          cursor = next.next_cursor as string | null
        }
        expect(seen.toSorted()).toEqual(found.toSorted())
      },
    }),
  ),
  given({
    op: 'public.agents.list',
    title: 'without anything to look for the newest come first',
    as: 'garbage',
    ...notWrong('garbage'),
    given: (stage) => shown(stage),
    input: () => ({ limit: 5 }),
    answer: (answer) => {
      const times = answer.items.map((one) => (one as unknown as { created_at: string }).created_at)
      expect(times.length).toBeGreaterThan(0)
      expect(times).toEqual(times.toSorted().toReversed())
    },
  }),
  given({
    op: 'public.agents.list',
    title: 'signs without a word find nothing',
    as: 'anonymous',
    input: () => ({ q: '"* OR (' }),
    answer: (answer) => expect(answer).toEqual({ items: [], next_cursor: null }),
  }),
  brokenCursor('public.agents.list', () => ({})),
  given({
    op: 'public.agents.list',
    title: 'a cursor of another search is refused',
    as: 'anonymous',
    given: async (stage) => {
      const skill = wordOf(stage)
      for (const name of ['a', 'b']) await shown(stage, {}, { skills: [skill] }, name)
      return (await stage.ask('public.agents.list', { skill, limit: 1 })).next_cursor
    },
    input: (cursor) => ({ q: 'poetry', cursor }),
    refusal: 'cursor_invalid',
  }),
]

const form_schema = {
  fields: [{ key: 'topic', label: 'Topic', required: true, x_internal: 'hush' }],
  x_internal: 'hush',
}

const offers: Case[] = [
  given({
    op: 'public.tasks',
    title: 'what an agent offers is read without how it is done',
    as: 'anonymous',
    given: async (stage) => {
      const id = await shown(stage, { profile_visibility: 'unlisted' })
      const create = (task: object) => stage.ask('tasks.create', { char_id: id, task })
      await create({
        task_id: 'service',
        order: 2,
        name: 'internal-name',
        public_title: 'Essay',
        description: 'Writes one',
        prompt: 'hush',
        variables: { a: 'hush' },
        service_enabled: true,
        cta_label: 'Order',
        price_cents: 500,
        form_schema,
        tags: ['hush'],
        x_internal: 'hush',
      })
      await create({ task_id: 'plain', order: 1, name: 'Digest', enabled: false })
      await create({ task_id: 'hidden', name: 'hush', public: false })
      const rating_summary = { average: 4.5, count: 2, x_internal: 'hush' }
      const { tasks } = stage.world.ports.store
      await tasks.update({ id: `${id}/service` }, { $set: { rating_summary } })
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: (answer, char_id) => {
      expect(JSON.stringify(answer)).not.toContain('hush')
      expect(answer).toEqual({
        items: [
          {
            task_id: 'plain',
            title: 'Digest',
            description: null,
            enabled: false,
            service_enabled: false,
            cta_label: null,
            price_cents: null,
            currency: null,
            form_schema: null,
            rating_summary: null,
            untrusted: true,
            source: { kind: 'profile', char_id },
          },
          {
            task_id: 'service',
            title: 'Essay',
            description: 'Writes one',
            enabled: true,
            service_enabled: true,
            cta_label: 'Order',
            price_cents: 500,
            currency: 'usd',
            form_schema: {
              fields: [
                {
                  key: 'topic',
                  label: 'Topic',
                  placeholder: null,
                  type: 'text',
                  required: true,
                  options: [],
                },
              ],
            },
            rating_summary: { average: 4.5, count: 2 },
            order: expect.stringMatching(`^http.*/agents/${char_id}/tasks/service/orders$`),
            untrusted: true,
            source: { kind: 'profile', char_id },
          },
        ],
        next_cursor: null,
      })
    },
  }),
  given({
    op: 'public.tasks',
    title: 'what it offers is paged through in its order',
    as: 'stranger',
    given: async (stage) => {
      const id = await shown(stage)
      for (const [order, task_id] of ['c', 'a', 'b'].entries()) {
        await stage.ask('tasks.create', { char_id: id, task: { task_id, name: task_id, order } })
      }
      return id
    },
    input: (char_id) => ({ char_id, limit: 2 }),
    answer: async (answer, char_id, stage) => {
      expect(answer.items).toMatchObject([{ task_id: 'c' }, { task_id: 'a' }])
      const more = { char_id, limit: 2, cursor: answer.next_cursor }
      expect((await stage.ask('public.tasks', more)).items).toMatchObject([{ task_id: 'b' }])
    },
  }),
  brokenCursor(
    'public.tasks',
    (char_id) => ({ char_id }),
    (stage) => shown(stage),
  ),
  ...hidden('public.tasks'),
]

const openFeed = { ability_access: { feed: 'public' } }

const posting = async (
  stage: Stage,
  visibility: object,
  ...contents: string[]
): Promise<string> => {
  const id = await shown(stage, visibility)
  for (const content of contents) await stage.ask('feed.post', { char_id: id, content })
  return id
}

const feeds: Case[] = [
  ...readers.map((as) =>
    given({
      op: 'public.feed',
      title: 'an open feed is read, newest first',
      as,
      ...notWrong(as),
      given: (stage) => posting(stage, openFeed, 'First', 'Second'),
      input: (char_id) => ({ char_id }),
      answer: (answer, char_id) =>
        expect(answer).toMatchObject({
          items: [
            { char_id, content: 'Second', liked_by_me: false, like_count: 0 },
            { char_id, content: 'First', liked_by_me: false },
          ],
          next_cursor: null,
        }),
    }),
  ),
  ...(['anonymous', 'stranger', 'owner'] as const).map((as) =>
    given({
      op: 'public.feed',
      title: 'likes are counted for everybody, and told of the caller alone',
      as,
      given: async (stage) => {
        const char_id = await posting(
          stage,
          { profile_visibility: 'unlisted', ...openFeed },
          'First',
        )
        const { items } = await stage.ask('public.feed', { char_id })
        await stage.ask('posts.like', { char_id, post_id: items[0]?.id }, 'stranger')
        return char_id
      },
      input: (char_id) => ({ char_id }),
      answer: (answer) =>
        expect(answer.items).toMatchObject([{ like_count: 1, liked_by_me: as === 'stranger' }]),
    }),
  ),
  given({
    op: 'public.feed',
    title: 'a feed is paged through',
    as: 'anonymous',
    given: (stage) => posting(stage, openFeed, 'a', 'b', 'c'),
    input: (char_id) => ({ char_id, limit: 2 }),
    answer: async (answer, char_id, stage) => {
      expect(answer.items).toMatchObject([{ content: 'c' }, { content: 'b' }])
      const more = { char_id, limit: 2, cursor: answer.next_cursor }
      expect((await stage.ask('public.feed', more)).items).toMatchObject([{ content: 'a' }])
    },
  }),
  ...['private', 'members', 'friends', 'public_paid', 'open'].map((feed) =>
    given({
      op: 'public.feed',
      title: `a feed at the level ${feed} is not found, also by those whom it is open to`,
      as: 'owner',
      given: (stage) => posting(stage, { ability_access: { feed } }, 'First'),
      input: (char_id) => ({ char_id }),
      refusal: 'character_not_found',
    }),
  ),
  brokenCursor(
    'public.feed',
    (char_id) => ({ char_id }),
    (stage) => shown(stage, openFeed),
  ),
  ...hidden('public.feed'),
]

export const publicReads: readonly Case[] = [...profiles, ...lists, ...offers, ...feeds]
