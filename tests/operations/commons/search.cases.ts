import { expect } from 'vitest'
import { given, type Case, type Stage } from '#tests/operations/case.ts'

/** A word that no one else has written. */
const rare = (stage: Stage): string => stage.id('word').replaceAll(/[^a-z0-9]/g, '')

interface Asked {
  word: string
  thread_id: string
  reply_id: string
}

/** A question with an accepted answer, whose rare word only these two have. */
async function answered(stage: Stage, tag = 'sqlite'): Promise<Asked> {
  const word = rare(stage)
  const thread = await stage.ask(
    'commons.threads.create',
    {
      board: 'ask',
      title: `How is ${word} opened twice?`,
      body: `Two processes open ${word} at once, and one of them waits for ever.`,
      tags: [tag],
    },
    'member',
  )
  const thread_id = thread.id
  const body = `Give ${word} a timeout of its own, and retry in timers.`
  const reply = await stage.ask('commons.replies.create', { thread_id, body }, 'other')
  const reply_id = reply.id
  await stage.ask('commons.threads.accept', { thread_id, reply_id }, 'member')
  return { word, thread_id, reply_id }
}

/** Searching the Commons, and consulting it. */
export const commonsSearch: readonly Case[] = [
  given({
    op: 'commons.search.query',
    title: 'finds a thread and its accepted answer, and says why',
    as: 'anonymous',
    given: (stage) => answered(stage),
    input: ({ word }) => ({ q: word.toUpperCase() }),
    answer({ items }, { thread_id, reply_id }) {
      expect(items.map(({ kind }) => kind).toSorted()).toEqual(['answer', 'thread'])
      const answer = items.find(({ kind }) => kind === 'answer')
      expect(answer).toMatchObject({ thread_id, reply_id, untrusted: true, state: 'answered' })
      expect(answer?.why).toEqual(['the word matches', 'accepted by the asker'])
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'shows what was found in its excerpt, and tears no character',
    as: 'anonymous',
    async given(stage) {
      const word = rare(stage)
      const bodies = [`${'İ '.repeat(200)} ${word} end`, `${'😀'.repeat(150)}.${word}`]
      for (const [i, body] of bodies.entries()) {
        const thread = { board: 'general', title: `Signs ${i}, ${stage.id('sign')}`, body }
        await stage.ask('commons.threads.create', thread, i === 0 ? 'member' : 'other')
      }
      return word
    },
    input: (word) => ({ q: word }),
    answer({ items }, word) {
      expect(items).toHaveLength(2)
      for (const { excerpt } of items) {
        expect(excerpt).toContain(word)
        expect(excerpt).not.toContain('\ufffd')
      }
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'narrows by board, tag and author',
    as: 'anonymous',
    async given(stage) {
      const asked = await answered(stage)
      return { ...asked, author: (await stage.member('other')).handle }
    },
    input: ({ word, author }) => ({ q: word, board: 'ask', tag: 'sqlite', author }),
    answer({ items }, { reply_id }) {
      expect(items).toMatchObject([{ kind: 'answer', reply_id }])
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'takes the words of a phrase side by side only',
    as: 'anonymous',
    given: (stage) => answered(stage),
    input: ({ word }) => ({ q: `"twice ${word}"` }),
    answer({ items }) {
      expect(items).toEqual([])
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'gives the best partial matches where nothing has every word',
    as: 'anonymous',
    given: (stage) => answered(stage),
    input: ({ word }, stage) => ({ q: `${word} ${rare(stage)}` }),
    answer({ items, mode }, { thread_id }) {
      expect(mode).toBe('any')
      expect(items).toMatchObject([{ thread_id }, { thread_id }])
      expect(items[0]?.why).toContain('1 of 2 words match')
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'suggests the tag that was meant',
    as: 'anonymous',
    async given(stage) {
      const tag = rare(stage).slice(0, 12)
      return { ...(await answered(stage, tag)), tag }
    },
    input: ({ word, tag }) => ({ q: word, tag: `${tag}s` }),
    answer({ items, suggestions }, { tag }) {
      expect(items).toEqual([])
      expect(suggestions).toEqual({ tag, untrusted: true, source: { kind: 'forum' } })
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'shows nothing of a thread that was removed',
    as: 'anonymous',
    async given(stage) {
      const asked = await answered(stage)
      await stage.ask('commons.threads.delete', { thread_id: asked.thread_id }, 'member')
      return asked
    },
    input: ({ word }) => ({ q: word }),
    answer({ items }) {
      expect(items).toEqual([])
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'takes any punctuation for what parts words',
    as: 'anonymous',
    input: () => ({ q: '") OR (a:* NEAR/2 ^b) -- \'; DROP' }),
    answer({ mode }) {
      expect(['all', 'any']).toContain(mode)
    },
  }),
  given({
    op: 'commons.search.query',
    title: 'refuses a board that does not exist',
    as: 'anonymous',
    input: () => ({ q: 'anything', board: 'asks' }),
    refusal: 'board_unknown',
    error: ({ hint }) => expect(hint).toContain('Did you mean "ask"?'),
  }),
  given({
    op: 'commons.search.query',
    title: 'refuses the cursor of another search',
    as: 'anonymous',
    async given(stage) {
      const { word } = await answered(stage)
      return stage.ask('commons.search.query', { q: word, limit: 1 })
    },
    input: ({ next_cursor }) => ({ q: 'another', cursor: next_cursor }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.consult.ask',
    title: 'gives answers that others verified before those that were only accepted',
    as: 'anonymous',
    async given(stage) {
      const first = await answered(stage)
      const second = await answered(stage)
      await stage.raise('third', 1)
      const verdict = { reply_id: second.reply_id, result: 'works' }
      await stage.ask('commons.replies.verify', verdict, 'third')
      return { first, second }
    },
    input: ({ first, second }) => ({ question: `${first.word} ${first.word} ${second.word}` }),
    answer({ items }, { first, second }) {
      expect(items.map(({ thread }) => thread.id)).toEqual([second.thread_id, first.thread_id])
      expect(items[0]).toMatchObject({ answer: { id: second.reply_id }, untrusted: true })
      expect(items[0]?.why).toEqual([
        'accepted by the asker',
        'verified by others: works 1',
        '1 of 2 words match',
      ])
    },
  }),
  given({
    op: 'commons.consult.ask',
    title: 'gives nothing where nothing fits',
    as: 'anonymous',
    input: (_, stage) => ({ question: `What is ${rare(stage)}?` }),
    answer({ items }) {
      expect(items).toEqual([])
    },
  }),
]
