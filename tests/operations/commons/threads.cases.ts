import { expect } from 'vitest'
import { taken } from '#src/commons/threads/states.ts'
import { newToken } from '#src/core/ids.ts'
import type { Standing } from '#src/commons/thread.ts'
import {
  agent,
  given,
  nowhere,
  type Case,
  type MemberName,
  type Stage,
} from '#tests/operations/case.ts'

/** A thread that is like no other, with a tag that no other has. */
async function thread(
  stage: Stage,
  more: object = {},
  as: MemberName = 'member',
): Promise<{ thread_id: string; tag: string; body: string }> {
  const tag = stage.id('tag').toLowerCase()
  // Unique words, so that no two threads are nearly the same.
  const body = `Where are ${['a', 'b', 'c', 'd'].map((name) => stage.id(name)).join(', ')}?`
  const input = { board: 'ask', title: 'What is it?', body, tags: [tag], ...more }
  const { id } = await stage.ask('commons.threads.create', input, as)
  return { thread_id: id, tag, body }
}

/** Three of one tag, the oldest first. */
async function three(stage: Stage): Promise<{ tag: string; ids: string[] }> {
  const { thread_id: first, tag } = await thread(stage)
  const ids = [first]
  for (const as of ['other', 'third'] as const) {
    ids.push((await thread(stage, { tags: [tag], board: 'howto' }, as)).thread_id)
  }
  return { tag, ids }
}

async function stands(stage: Stage, id: string, as: Partial<Standing>): Promise<void> {
  await stage.world.ports.store.commons_standings.update({ id }, { $set: as })
}

/** As a moderator would. */
async function hold(stage: Stage, id: string): Promise<void> {
  const { store } = stage.world.ports
  const kept = await store.commons_threads.get(id)
  const standing = await store.commons_standings.get(id)
  if (!kept || !standing) throw new Error('there is no such thread')
  await store.commit(taken(kept, standing, 'held', new Date()))
}

async function held(stage: Stage): Promise<{ thread_id: string; tag: string; body: string }> {
  const made = await thread(stage)
  await hold(stage, made.thread_id)
  return made
}

async function removed(stage: Stage): Promise<{ thread_id: string; tag: string }> {
  const made = await thread(stage)
  await stage.ask('commons.threads.delete', { thread_id: made.thread_id }, 'member')
  return made
}

const lists: readonly Case[] = [
  given({
    op: 'commons.threads.list',
    title: 'lists the threads of a tag, newest first, page by page',
    as: 'anonymous',
    given: three,
    input: ({ tag }) => ({ tag, sort: 'new', limit: 2 }),
    async answer({ items, next_cursor }, { tag, ids }, stage) {
      const input = { tag, sort: 'new', limit: 2, cursor: next_cursor }
      const rest = await stage.ask('commons.threads.list', input)
      expect(rest.next_cursor).toBeNull()
      const shown = [items, rest.items].flatMap((page) => page.map(({ id }) => id))
      expect(shown).toEqual(ids.toReversed())
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'sorts by score',
    as: 'anonymous',
    async given(stage) {
      const made = await three(stage)
      await stands(stage, made.ids[0] ?? '', { score: 3 })
      return made
    },
    input: ({ tag }) => ({ tag, sort: 'top' }),
    answer({ items }, { ids: [first, second, third] }) {
      expect(items.map(({ id }) => id)).toEqual([first, third, second])
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'lists the threads of a board with all that was written',
    as: 'anonymous',
    given: (stage) => thread(stage, { board: 'meta' }),
    input: () => ({ board: 'meta', sort: 'new', limit: 100 }),
    answer({ items }, { thread_id, body }) {
      expect(new Set(items.map(({ board }) => board))).toEqual(new Set(['meta']))
      const own = items.find(({ id }) => id === thread_id)
      expect(own).toMatchObject({ body, state: 'open', pinned: false, untrusted: true })
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'leaves out what has a reply where the unanswered are asked for',
    as: 'anonymous',
    async given(stage) {
      const made = await three(stage)
      await stands(stage, made.ids[1] ?? '', { reply_count: 1, unanswered: null })
      return made
    },
    input: ({ tag }) => ({ tag, sort: 'unanswered' }),
    answer({ items }, { ids: [first, , third] }) {
      expect(items.map(({ id }) => id)).toEqual([third, first])
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'narrows by author and state together',
    as: 'anonymous',
    async given(stage) {
      const closed = await thread(stage)
      await stands(stage, closed.thread_id, { state: 'closed' })
      await thread(stage)
      return { ...closed, ...(await stage.member('member')) }
    },
    input: ({ handle }) => ({ author: handle, state: 'closed', sort: 'hot' }),
    answer({ items }, { thread_id }) {
      expect(items.map(({ id }) => id)).toEqual([thread_id])
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'narrows by words, and sorts what they find',
    as: 'anonymous',
    async given(stage) {
      const word = stage.id('quokka').toLowerCase()
      const one = await thread(stage, { body: `A ${word} of ${stage.id('a')}` })
      const two = await thread(stage, { body: `Again ${word} ${stage.id('b')}` }, 'other')
      await thread(stage, { body: `Without it, ${stage.id('c')}` }, 'third')
      await stands(stage, one.thread_id, { score: 1 })
      return { word, ids: [one.thread_id, two.thread_id] }
    },
    input: ({ word }) => ({ q: `"${word}"`, sort: 'top', board: 'ask', state: 'open' }),
    answer({ items }, { ids }) {
      expect(items.map(({ id }) => id)).toEqual(ids)
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'shows no one else what is held or removed',
    as: 'other',
    async given(stage) {
      await removed(stage)
      await held(stage)
      return stage.member('member')
    },
    input: ({ handle }) => ({ author: handle }),
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  given({
    op: 'commons.threads.list',
    title: 'shows an author what is held of their own',
    as: 'member',
    async given(stage) {
      await removed(stage)
      return { ...(await held(stage)), ...(await stage.member('member')) }
    },
    input: ({ handle, tag }) => ({ author: handle, state: 'held', tag, board: 'ask' }),
    answer({ items }, { thread_id, body }) {
      expect(items).toMatchObject([{ id: thread_id, state: 'held', body }])
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'lists nothing as held to anybody else',
    as: 'other',
    async given(stage) {
      await held(stage)
      return stage.member('member')
    },
    input: ({ handle }) => ({ author: handle, state: 'held' }),
    answer: ({ items, next_cursor }) => {
      expect(items).toEqual([])
      expect(next_cursor).toBeNull()
    },
  }),
  given({
    op: 'commons.threads.list',
    title: 'refuses a board that there is not',
    as: 'anonymous',
    input: () => ({ board: 'howtos' }),
    refusal: 'board_unknown',
    error: ({ hint }) => expect(hint).toContain('"howto"'),
  }),
  given({
    op: 'commons.threads.list',
    title: 'refuses the cursor of another sort',
    as: 'anonymous',
    async given(stage) {
      const { tag } = await three(stage)
      const page = await stage.ask('commons.threads.list', { tag, sort: 'new', limit: 1 })
      return { tag, cursor: page.next_cursor }
    },
    input: ({ tag, cursor }) => ({ tag, sort: 'top', cursor }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.threads.list',
    title: 'refuses a broken cursor',
    as: 'anonymous',
    input: () => ({ cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.threads.list',
    title: 'refuses a broken cursor where there is nothing to list, too',
    as: 'anonymous',
    input: () => ({ state: 'held', author: nowhere, cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.threads.list',
    title: 'refuses a way of sorting that there is not',
    as: 'anonymous',
    input: () => ({ sort: 'random' }),
    refusal: 'invalid_input',
  }),
]

const creations: readonly Case[] = [
  given({
    op: 'commons.threads.create',
    title: 'starts a thread that stands open',
    as: 'member',
    input: (_, stage) => ({
      board: 'howto',
      title: 'How I do it',
      body: `With ${stage.id('patience')}.`,
      tags: ['Node.js', 'c++'],
    }),
    async answer(made, _, stage) {
      const { handle } = await stage.member('member')
      expect(made).toMatchObject({
        board: 'howto',
        title: 'How I do it',
        tags: ['node.js', 'c++'],
        author: { handle, kind: 'handle', char_id: null },
        state: 'open',
        score: 0,
        reply_count: 0,
        untrusted: true,
      })
      expect(made).not.toHaveProperty('sketch')
      expect(made).not.toHaveProperty('hot')
      expect(await stage.ask('commons.threads.get', { thread_id: made.id })).toEqual(made)
    },
  }),
  given({
    op: 'commons.threads.create',
    title: 'tells those whom it mentions, and of those only who there is',
    as: 'member',
    given: (stage) => stage.member('other'),
    input: ({ handle }, stage) => ({
      board: 'ask',
      title: 'Help',
      body: `@${handle} and @${nowhere}: see ${stage.id('this')}`,
    }),
    async answer({ id }, { handle }, stage) {
      const from = (await stage.member('member')).handle
      const { commons_notifications } = stage.world.ports.store
      const told = await commons_notifications.find({ handle })
      expect(told).toMatchObject([
        { kind: 'mention', from, thread_id: id, reply_id: null, untrusted: true },
      ])
      expect(await commons_notifications.count({ handle: nowhere })).toBe(0)
    },
  }),
  given({
    op: 'commons.threads.create',
    title: 'is written by an agent with its own key',
    as: 'scoped',
    async given(stage) {
      const char_id = await agent(stage)
      await stage.scopeTo(char_id)
      return char_id
    },
    input: (_, stage) => ({ board: 'general', title: 'Hello', body: stage.id('hello') }),
    answer({ author }, char_id) {
      expect(author).toMatchObject({ kind: 'agent', char_id })
    },
  }),
  given({
    op: 'commons.threads.create',
    title: 'refuses a board that there is not',
    as: 'member',
    input: () => ({ board: 'jokes', title: 'One', body: 'Two' }),
    refusal: 'board_unknown',
  }),
  given({
    op: 'commons.threads.create',
    title: 'refuses a credential, and says where it stands and not what it is',
    as: 'member',
    given: () => Promise.resolve(newToken('ab')),
    input: (token) => ({ board: 'ask', title: 'Why?', body: `It fails with ${token} always` }),
    refusal: 'secret_detected',
    error(error, token) {
      expect(JSON.stringify(error)).not.toContain(token)
    },
  }),
  given({
    op: 'commons.threads.create',
    title: 'refuses what another has posted already',
    as: 'other',
    given: (stage) => thread(stage),
    input: ({ body }) => ({ board: 'general', title: 'Mine', body: `**${body}**` }),
    refusal: 'duplicate_content',
  }),
  given({
    op: 'commons.threads.create',
    title: 'refuses what the same author has posted but for a word',
    as: 'member',
    async given(stage) {
      const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')
      const body = `${stage.id('first')} ${words}`
      await thread(stage, { body })
      return words
    },
    input: (words, stage) => ({ board: 'ask', title: 'Again', body: `${stage.id('x')} ${words}` }),
    refusal: 'duplicate_content',
  }),
  given({
    op: 'commons.threads.create',
    title: 'refuses a title that hides something',
    as: 'member',
    input: () => ({ board: 'ask', title: 'safe\u202Egpj.exe', body: 'Look' }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'commons.threads.create',
    title: 'refuses a caller without a token',
    as: 'anonymous',
    input: () => ({ board: 'ask', title: 'Hello', body: 'Anybody?' }),
    refusal: 'missing_token',
  }),
]

const readings: readonly Case[] = [
  given({
    op: 'commons.threads.get',
    title: 'shows a thread to anybody',
    as: 'anonymous',
    given: (stage) => thread(stage),
    input: ({ thread_id }) => ({ thread_id }),
    answer(answer, { thread_id, body, tag }) {
      expect(answer).toMatchObject({ id: thread_id, body, tags: [tag], accepted_reply_id: null })
    },
  }),
  given({
    op: 'commons.threads.get',
    title: 'shows that a thread was removed and nothing of what it said',
    as: 'anonymous',
    given: removed,
    input: ({ thread_id }) => ({ thread_id }),
    answer(answer) {
      expect(answer).toMatchObject({ state: 'removed', title: null, body: null, tags: [] })
    },
  }),
  given({
    op: 'commons.threads.get',
    title: 'shows others nothing of what a held thread says',
    as: 'other',
    given: held,
    input: ({ thread_id }) => ({ thread_id }),
    answer(answer) {
      expect(answer).toMatchObject({ state: 'held', title: null, body: null, tags: [] })
    },
  }),
  given({
    op: 'commons.threads.get',
    title: 'shows an author their held thread',
    as: 'member',
    given: held,
    input: ({ thread_id }) => ({ thread_id }),
    answer(answer, { body }) {
      expect(answer).toMatchObject({ state: 'held', title: 'What is it?', body })
    },
  }),
  given({
    op: 'commons.threads.get',
    title: 'refuses an id that no thread has',
    as: 'anonymous',
    input: () => ({ thread_id: nowhere }),
    refusal: 'thread_not_found',
  }),
]

const edits: readonly Case[] = [
  given({
    op: 'commons.threads.edit',
    title: 'changes what is sent, keeps what was said before, and lets tags follow',
    as: 'member',
    given: (stage) => thread(stage),
    input: ({ thread_id }, stage) => ({
      thread_id,
      title: 'What was it?',
      tags: [stage.id('new').toLowerCase()],
    }),
    async answer(answer, { thread_id, body, tag }, stage) {
      expect(answer).toMatchObject({ title: 'What was it?', body, board: 'ask' })
      const listed = async (of: unknown): Promise<unknown> =>
        (await stage.ask('commons.threads.list', { tag: of, sort: 'new' })).items
      expect(await listed(tag)).toEqual([])
      expect(await listed(answer.tags[0])).toEqual([answer])
      const { commons_revisions } = stage.world.ports.store
      const before = { target_id: thread_id, title: 'What is it?', body, tags: [tag] }
      expect(await commons_revisions.find({ target_id: thread_id })).toMatchObject([before])
    },
  }),
  given({
    op: 'commons.threads.edit',
    title: 'changes nothing where it says what is there',
    as: 'member',
    given: (stage) => thread(stage),
    input: ({ thread_id, body }) => ({ thread_id, body }),
    async answer(answer, { thread_id, body }, stage) {
      expect(answer).toMatchObject({ body })
      const { commons_revisions } = stage.world.ports.store
      expect(await commons_revisions.count({ target_id: thread_id })).toBe(0)
    },
  }),
  given({
    op: 'commons.threads.edit',
    title: 'does not notify those it mentions',
    as: 'member',
    async given(stage) {
      const [{ handle: known }, { handle: added }] = [
        await stage.member('other'),
        await stage.member('third'),
      ]
      const body = `@${known} should know of ${stage.id('it')}`
      return { ...(await thread(stage, { body })), body, known, added }
    },
    input: ({ thread_id, body, added }) => ({
      thread_id,
      body: `${body}, and so should @${added}`,
    }),
    async answer(_, { known, added }, stage) {
      const { commons_notifications } = stage.world.ports.store
      expect(await commons_notifications.count({ handle: known, kind: 'mention' })).toBe(1)
      expect(await commons_notifications.count({ handle: added, kind: 'mention' })).toBe(0)
    },
  }),
  given({
    op: 'commons.threads.edit',
    title: 'leaves a held thread held',
    as: 'member',
    given: held,
    input: ({ thread_id }) => ({ thread_id, tags: ['mended'] }),
    async answer(answer, { thread_id }, stage) {
      expect(answer).toMatchObject({ state: 'held', tags: ['mended'] })
      const { commons_tags } = stage.world.ports.store
      expect(await commons_tags.count({ thread_id })).toBe(0)
    },
  }),
  given({
    op: 'commons.threads.edit',
    title: 'refuses anyone but the author',
    as: 'other',
    given: (stage) => thread(stage),
    input: ({ thread_id }) => ({ thread_id, title: 'Mine now' }),
    refusal: 'not_author',
  }),
  given({
    op: 'commons.threads.edit',
    title: 'refuses a locked thread',
    as: 'member',
    async given(stage) {
      const made = await thread(stage)
      await stands(stage, made.thread_id, { locked: true })
      return made
    },
    input: ({ thread_id }) => ({ thread_id, title: 'Something else' }),
    refusal: 'thread_locked',
  }),
  given({
    op: 'commons.threads.edit',
    title: 'refuses a removed thread',
    as: 'member',
    given: removed,
    input: ({ thread_id }) => ({ thread_id, title: 'Back again' }),
    refusal: 'thread_not_found',
  }),
  given({
    op: 'commons.threads.edit',
    title: 'refuses a credential that is put in later',
    as: 'member',
    given: (stage) => thread(stage),
    input: ({ thread_id }) => ({ thread_id, title: `Who owns ${newToken('cmn')}?` }),
    refusal: 'secret_detected',
  }),
  given({
    op: 'commons.threads.edit',
    title: 'refuses the text of another',
    as: 'member',
    async given(stage) {
      const { body } = await thread(stage, {}, 'other')
      return { thread_id: (await thread(stage)).thread_id, body }
    },
    input: (facts) => facts,
    refusal: 'duplicate_content',
  }),
]

const deletions: readonly Case[] = [
  given({
    op: 'commons.threads.delete',
    title: 'removes a thread from every list, and what it said with its revisions',
    as: 'member',
    async given(stage) {
      const made = await thread(stage)
      await stage.ask('commons.threads.edit', { ...idOf(made), title: 'Wait' }, 'member')
      return made
    },
    input: idOf,
    async answer(answer, { thread_id, tag }, stage) {
      expect(answer).toEqual({ id: thread_id, deleted: true })
      const { items } = await stage.ask('commons.threads.list', { tag })
      expect(items).toEqual([])
      const { commons_revisions, commons_standings } = stage.world.ports.store
      expect(await commons_revisions.count({ target_id: thread_id })).toBe(0)
      const standing = await commons_standings.get(thread_id)
      expect(standing).toMatchObject({ board: null, listed: null, unanswered: null })
    },
  }),
  given({
    op: 'commons.threads.delete',
    title: 'lets its author post the same on another board',
    as: 'member',
    given: (stage) => thread(stage),
    input: idOf,
    async answer(_, { body }, stage) {
      const input = { board: 'howto', title: 'There it belongs', body }
      const again = await stage.ask('commons.threads.create', input, 'member')
      expect(again).toMatchObject({ body, board: 'howto' })
    },
  }),
  given({
    op: 'commons.threads.delete',
    title: 'finds nothing the second time',
    as: 'member',
    given: removed,
    input: idOf,
    refusal: 'thread_not_found',
  }),
  given({
    op: 'commons.threads.delete',
    title: 'refuses anyone but the author',
    as: 'other',
    given: (stage) => thread(stage),
    input: idOf,
    refusal: 'not_author',
  }),
]

function idOf({ thread_id }: { thread_id: string }): { thread_id: string } {
  return { thread_id }
}

/** Threads of the Commons: lists, and how they are made, read, changed and deleted. */
export const commonsThreads: readonly Case[] = [
  ...lists,
  ...creations,
  ...readings,
  ...edits,
  ...deletions,
]
