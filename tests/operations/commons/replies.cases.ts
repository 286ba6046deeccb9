import { expect } from 'vitest'
import {
  agent,
  given,
  nowhere,
  type Case,
  type Made,
  type MemberName,
  type Stage,
} from '#tests/operations/case.ts'

/** Long texts of the same words would be repeats of each other, so each has some of its own. */
function words(stage: Stage, about: string): string {
  return `${about}: ${stage.id('one')} ${stage.id('two')} ${stage.id('three')}`
}

async function threadOf(stage: Stage, by: MemberName = 'member'): Promise<Made> {
  const title = stage.id('How do I set the header')
  const body = words(stage, 'The token is refused')
  return stage.ask('commons.threads.create', { board: 'ask', title, body, tags: ['http'] }, by)
}

async function replyTo(
  stage: Stage,
  thread_id: string,
  by: MemberName = 'other',
  parent_id?: string,
): Promise<Made> {
  const body = words(stage, 'Set it on the connection')
  const input = { thread_id, body, ...(parent_id !== undefined && { parent_id }) }
  return stage.ask('commons.replies.create', input, by)
}

interface Facts {
  thread_id: string
  reply_id: string
}

/** A thread of `member` with a reply of `other`. */
async function answeredThread(stage: Stage): Promise<Facts> {
  // A new handle raises no one by accepting.
  await stage.raise('member', 1)
  const { id: thread_id } = await threadOf(stage)
  const { id: reply_id } = await replyTo(stage, thread_id)
  return { thread_id, reply_id }
}

async function put(stage: Stage, id: string, standing: object): Promise<void> {
  await stage.world.ports.store.commons_standings.update({ id }, { $set: standing })
}

async function hold(stage: Stage, id: string): Promise<void> {
  await stage.world.ports.store.commons_replies.update({ id }, { $set: { state: 'held' } })
}

const standingOf = (stage: Stage, id: string) => stage.world.ports.store.commons_standings.get(id)

async function identityOf(stage: Stage, name: MemberName) {
  const { handle } = await stage.member(name)
  const identity = await stage.world.ports.store.commons_identities.get(handle)
  if (!identity) throw new Error(`${name} has joined`)
  return identity
}

async function newsOf(stage: Stage, name: MemberName) {
  const { handle } = await stage.member(name)
  const news = await stage.world.ports.store.commons_notifications.find({ handle })
  return news.map(({ kind, reply_id }) => `${kind} ${reply_id ?? ''}`)
}

const secret = 'ghp_aZ3bY8cX1dW6eV4fU9gT2hS7iR5jQ0kP1mN3'

function refused(
  op: string,
  title: string,
  as: Case['as'],
  refusal: NonNullable<Case['refusal']>,
  prepare: (stage: Stage) => Promise<object>,
  more: object = {},
): Case {
  return given({
    op,
    title,
    as,
    given: prepare,
    input: (facts) => ({ ...facts, ...more }),
    refusal,
  })
}

/** A thread that is removed, held, closed or locked. */
const inState = (standing: object, withReply = false) => {
  return async (stage: Stage): Promise<{ thread_id: string; reply_id?: string }> => {
    const facts = await answeredThread(stage)
    await put(stage, facts.thread_id, standing)
    return withReply ? facts : { thread_id: facts.thread_id }
  }
}

const replyIn = (standing: object) => async (stage: Stage) => {
  const { thread_id, reply_id } = await answeredThread(stage)
  await put(stage, thread_id, standing)
  return { reply_id }
}

const listCases: readonly Case[] = [
  given({
    op: 'commons.replies.list',
    title: 'lists replies to anybody, oldest first, page by page',
    as: 'anonymous',
    async given(stage) {
      const { thread_id, reply_id } = await answeredThread(stage)
      const second = await replyTo(stage, thread_id, 'third', reply_id)
      const third = await replyTo(stage, thread_id, 'member')
      const page = await stage.ask('commons.replies.list', { thread_id, limit: 2 })
      return { thread_id, ids: [reply_id, second.id, third.id], page }
    },
    input: ({ thread_id, page }) => ({ thread_id, limit: 2, cursor: page.next_cursor }),
    answer(rest, { ids, page }) {
      expect(page.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
      expect(page.items.map(({ depth }) => depth)).toEqual([1, 2])
      expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(2))
      expect(rest.next_cursor).toBeNull()
      expect(rest.items[0]).toMatchObject({ state: 'standing', untrusted: true, score: 0 })
    },
  }),
  given({
    op: 'commons.replies.list',
    title: 'lists the newest first where asked so',
    as: 'anonymous',
    async given(stage) {
      const { thread_id, reply_id } = await answeredThread(stage)
      const { id } = await replyTo(stage, thread_id, 'third')
      return { thread_id, ids: [id, reply_id] }
    },
    input: ({ thread_id }) => ({ thread_id, newest: true }),
    answer: ({ items }, { ids }) => expect(items.map(({ id }) => id)).toEqual(ids),
  }),
  given({
    op: 'commons.replies.list',
    title: 'masks a held reply for all but its author, and keeps tombstones',
    as: 'anonymous',
    async given(stage) {
      const { thread_id, reply_id } = await answeredThread(stage)
      const { id: gone } = await replyTo(stage, thread_id, 'third')
      // Words of the store inside a text change nothing about it.
      const body = words(stage, 'It said {"state":"held"} and "state":"held"')
      await stage.ask('commons.replies.create', { thread_id, body }, 'member')
      await hold(stage, reply_id)
      await stage.ask('commons.replies.delete', { reply_id: gone }, 'third')
      return { thread_id, body }
    },
    input: ({ thread_id }) => ({ thread_id }),
    async answer({ items }, { thread_id, body }, stage) {
      const seen = items.map(({ state, body: text }) => [state, text])
      expect(seen).toEqual([
        ['held', null],
        ['removed', null],
        ['standing', body],
      ])
      const own = await stage.ask('commons.replies.list', { thread_id }, 'other')
      expect(own.items[0]?.body).toContain('Set it on the connection')
      const others = await stage.ask('commons.replies.list', { thread_id }, 'third')
      expect(others.items[0]?.body).toBeNull()
    },
  }),
  given({
    op: 'commons.replies.list',
    title: 'keeps the replies of a removed thread readable',
    as: 'anonymous',
    given: inState({ state: 'removed' }),
    input: (facts) => facts,
    answer: ({ items }) => expect(items).toHaveLength(1),
  }),
  given({
    op: 'commons.replies.list',
    title: 'shows the replies of a held thread to its author',
    as: 'member',
    given: inState({ state: 'held' }),
    input: (facts) => facts,
    answer: ({ items }) => expect(items).toHaveLength(1),
  }),
  refused(
    'commons.replies.list',
    'hides the replies of a held thread from others',
    'third',
    'thread_not_found',
    inState({ state: 'held' }),
  ),
  refused(
    'commons.replies.list',
    'refuses a thread that is not there',
    'anonymous',
    'thread_not_found',
    () => Promise.resolve({ thread_id: nowhere }),
  ),
  given({
    op: 'commons.replies.list',
    title: 'refuses the cursor of another thread',
    as: 'anonymous',
    async given(stage) {
      const { thread_id } = await answeredThread(stage)
      await replyTo(stage, thread_id)
      const page = await stage.ask('commons.replies.list', { thread_id, limit: 1 })
      return { thread_id: (await answeredThread(stage)).thread_id, cursor: page.next_cursor }
    },
    input: (facts) => facts,
    refusal: 'cursor_invalid',
  }),
]

const createCases: readonly Case[] = [
  given({
    op: 'commons.replies.create',
    title: 'replies, counts, and tells whom it answers',
    as: 'other',
    async given(stage) {
      const { id: thread_id } = await threadOf(stage)
      const { id: parent_id } = await replyTo(stage, thread_id, 'third')
      const before = await standingOf(stage, thread_id)
      return { thread_id, parent_id, before }
    },
    input: ({ thread_id, parent_id }, stage) => ({
      thread_id,
      parent_id,
      body: words(stage, 'Thanks'),
    }),
    async answer(reply, { thread_id, parent_id, before }, stage) {
      const { handle } = await stage.member('other')
      expect(reply).toMatchObject({ thread_id, parent_id, depth: 2, author: { handle } })
      expect(reply.verifications).toEqual({ works: 0, partial: 0, fails: 0, unsafe: 0 })
      expect(Object.keys(reply)).not.toContain('sketch')
      const after = await standingOf(stage, thread_id)
      expect(after).toMatchObject({ reply_count: 2, unanswered: null })
      expect(after?.hot).toBeGreaterThanOrEqual(before?.hot ?? Infinity)
      expect((await identityOf(stage, 'other')).standing_replies).toBe(1)
      expect(await newsOf(stage, 'member')).toContain(`reply ${reply.id}`)
      expect(await newsOf(stage, 'third')).toEqual([`reply ${reply.id}`])
      expect(await newsOf(stage, 'other')).toEqual([])
    },
  }),
  given({
    op: 'commons.replies.create',
    title: 'notifies each author once, and others who are mentioned',
    as: 'other',
    async given(stage) {
      const { id: thread_id } = await threadOf(stage)
      const { id: parent_id } = await replyTo(stage, thread_id, 'member')
      const [asker, third] = [await stage.member('member'), await stage.member('third')]
      return { thread_id, parent_id, names: `@${asker.handle} @${third.handle}` }
    },
    input: ({ names, ...facts }, stage) => ({ ...facts, body: words(stage, names) }),
    async answer({ id }, _, stage) {
      expect(await newsOf(stage, 'member')).toEqual([`reply ${id}`])
      expect(await newsOf(stage, 'third')).toEqual([`mention ${id}`])
    },
  }),
  given({
    op: 'commons.replies.create',
    title: 'does not notify a member who has blocked its author',
    as: 'other',
    async given(stage) {
      const { handle } = await stage.member('other')
      const { handle: owner } = await stage.member('member')
      const { id: thread_id } = await threadOf(stage)
      await stage.world.ports.store.commons_conversations.insert({
        id: `${owner} ${handle}`,
        owner,
        changes: 1,
        with: handle,
        state: 'blocked',
        unread: 0,
        last_message: null,
        updated_at: new Date().toISOString(),
      })
      return { thread_id }
    },
    input: (facts, stage) => ({ ...facts, body: words(stage, 'Again') }),
    async answer(_reply, _facts, stage) {
      expect(await newsOf(stage, 'member')).toEqual([])
    },
  }),
  given({
    op: 'commons.replies.create',
    title: 'writes as the agent of a scoped key',
    as: 'scoped',
    async given(stage) {
      const char_id = await agent(stage)
      await stage.scopeTo(char_id)
      return { thread_id: (await threadOf(stage)).id, char_id }
    },
    input: ({ thread_id }, stage) => ({ thread_id, body: words(stage, 'I am an agent') }),
    answer({ author }, { char_id }) {
      expect(author).toMatchObject({ kind: 'agent', char_id })
    },
  }),
  given({
    op: 'commons.replies.create',
    title: 'takes an idempotency key once',
    as: 'other',
    given: async (stage) => ({ thread_id: (await threadOf(stage)).id, body: words(stage, 'Once') }),
    input: (facts) => facts,
    idempotencyKey: 'reply-once',
    async answer({ id }, { thread_id }, stage) {
      const { items } = await stage.ask('commons.replies.list', { thread_id })
      expect(items.map((item) => item.id)).toEqual([id])
    },
  }),
  given({
    op: 'commons.replies.create',
    title: 'nests six deep and no deeper',
    as: 'other',
    async given(stage) {
      const { id: thread_id } = await threadOf(stage)
      let parent: Made | undefined
      for (let i = 0; i < 6; i++) parent = await replyTo(stage, thread_id, 'other', parent?.id)
      expect(parent?.depth).toBe(6)
      return { thread_id, parent_id: parent?.id }
    },
    input: (facts, stage) => ({ ...facts, body: words(stage, 'Too deep') }),
    refusal: 'invalid_input',
  }),
  refused(
    'commons.replies.create',
    'refuses a thread that is not there',
    'other',
    'thread_not_found',
    () => Promise.resolve({ thread_id: nowhere, body: 'Hello' }),
  ),
  ...(['removed', 'held'] as const).map((state) =>
    refused(
      'commons.replies.create',
      `refuses a ${state} thread`,
      'other',
      'thread_not_found',
      inState({ state }),
      { body: 'Hello' },
    ),
  ),
  refused(
    'commons.replies.create',
    'refuses a closed thread',
    'other',
    'thread_closed',
    inState({ state: 'closed' }),
    { body: 'Hello' },
  ),
  refused(
    'commons.replies.create',
    'refuses a locked thread',
    'other',
    'thread_locked',
    inState({ locked: true }),
    { body: 'Hello' },
  ),
  refused(
    'commons.replies.create',
    'refuses a parent of another thread',
    'other',
    'reply_not_found',
    async (stage) => {
      const { reply_id: parent_id } = await answeredThread(stage)
      return { thread_id: (await threadOf(stage)).id, parent_id }
    },
    { body: 'Hello' },
  ),
  refused(
    'commons.replies.create',
    'refuses a parent that is removed',
    'other',
    'reply_not_found',
    async (stage) => {
      const { thread_id, reply_id } = await answeredThread(stage)
      await stage.ask('commons.replies.delete', { reply_id }, 'other')
      return { thread_id, parent_id: reply_id }
    },
    { body: 'Hello' },
  ),
  given({
    op: 'commons.replies.create',
    title: 'keeps nothing that holds a credential',
    as: 'other',
    given: async (stage) => ({ thread_id: (await threadOf(stage)).id }),
    input: (facts, stage) => ({ ...facts, body: words(stage, `Use ${secret}`) }),
    refusal: 'secret_detected',
    error: (error) => expect(JSON.stringify(error)).not.toContain(secret),
  }),
  refused(
    'commons.replies.create',
    'refuses what was posted already',
    'third',
    'duplicate_content',
    async (stage) => {
      const { id: thread_id } = await threadOf(stage)
      const { body } = await replyTo(stage, thread_id)
      return { thread_id, body }
    },
  ),
  refused(
    'commons.replies.create',
    'refuses a blank text',
    'other',
    'invalid_input',
    async (stage) => ({ thread_id: (await threadOf(stage)).id }),
    { body: ' \n ' },
  ),
]

const editCases: readonly Case[] = [
  given({
    op: 'commons.replies.edit',
    title: 'changes the text, keeps what it said, and leaves an accepted answer accepted',
    as: 'other',
    async given(stage) {
      const facts = await answeredThread(stage)
      await stage.ask('commons.threads.accept', facts, 'member')
      await stage.tick()
      return { reply_id: facts.reply_id, body: words(stage, 'Better') }
    },
    input: (facts) => facts,
    async answer(reply, { body, reply_id }, stage) {
      expect(reply).toMatchObject({ body, accepted: true, state: 'standing' })
      const { store } = stage.world.ports
      const stored = await store.commons_replies.get(reply_id)
      expect(stored).toMatchObject({ edits: 1, is_found: true, body })
      expect(stored?.updated_at.localeCompare(stored.created_at)).toBe(1)
      const kept = await store.commons_revisions.find({ target_id: reply_id })
      expect(kept.map((one) => one.body)).toEqual([expect.stringContaining('Set it on')])
    },
  }),
  given({
    op: 'commons.replies.edit',
    title: 'does not notify those it mentions',
    as: 'other',
    async given(stage) {
      const { reply_id } = await answeredThread(stage)
      const { handle } = await stage.member('third')
      return { reply_id, body: words(stage, `@${handle}`) }
    },
    input: (facts) => facts,
    async answer({ body }, facts, stage) {
      expect(body).toBe(facts.body)
      expect(await newsOf(stage, 'third')).toEqual([])
    },
  }),
  refused(
    'commons.replies.edit',
    'refuses a reply that is not there',
    'other',
    'reply_not_found',
    () => Promise.resolve({ reply_id: nowhere, body: 'Hello' }),
  ),
  refused(
    'commons.replies.edit',
    'refuses a removed reply',
    'other',
    'reply_not_found',
    async (stage) => {
      const { reply_id } = await answeredThread(stage)
      await stage.ask('commons.replies.delete', { reply_id }, 'other')
      return { reply_id, body: 'Hello' }
    },
  ),
  refused(
    'commons.replies.edit',
    'refuses anyone but its author',
    'member',
    'not_author',
    replyIn({}),
    { body: 'Hello' },
  ),
  refused(
    'commons.replies.edit',
    'hides the replies of a held thread from others',
    'third',
    'reply_not_found',
    replyIn({ state: 'held' }),
    { body: 'Hello' },
  ),
  refused(
    'commons.replies.edit',
    'refuses in a locked thread',
    'other',
    'thread_locked',
    replyIn({ locked: true }),
    { body: 'Hello' },
  ),
  refused(
    'commons.replies.edit',
    'keeps nothing that holds a credential',
    'other',
    'secret_detected',
    replyIn({}),
    { body: `Use ${secret}` },
  ),
  refused(
    'commons.replies.edit',
    'refuses what was posted already',
    'other',
    'duplicate_content',
    async (stage) => {
      const { thread_id, reply_id } = await answeredThread(stage)
      const { body } = await replyTo(stage, thread_id, 'third')
      return { reply_id, body }
    },
  ),
]

const deleteCases: readonly Case[] = [
  given({
    op: 'commons.replies.delete',
    title: 'leaves a tombstone, and the thread without its accepted answer',
    as: 'other',
    async given(stage) {
      const facts = await answeredThread(stage)
      await stage.ask('commons.threads.accept', facts, 'member')
      const body = words(stage, 'Changed')
      await stage.ask('commons.replies.edit', { reply_id: facts.reply_id, body }, 'other')
      expect((await identityOf(stage, 'other')).score).toBe(5)
      return facts
    },
    input: ({ reply_id }) => ({ reply_id }),
    async answer(gone, { thread_id, reply_id }, stage) {
      expect(gone).toEqual({ id: reply_id, deleted: true })
      const { store } = stage.world.ports
      expect(await store.commons_replies.get(reply_id)).toMatchObject({
        state: 'removed',
        body: null,
        accepted: false,
        is_found: false,
      })
      expect(await store.commons_revisions.count({ target_id: reply_id })).toBe(0)
      const { created_at } = (await store.commons_threads.get(thread_id)) ?? {}
      expect(await standingOf(stage, thread_id)).toMatchObject({
        state: 'open',
        accepted_reply_id: null,
        reply_count: 0,
        unanswered: created_at,
      })
      expect(await identityOf(stage, 'other')).toMatchObject({ score: 0, standing_replies: 0 })
    },
  }),
  given({
    op: 'commons.replies.delete',
    title: 'deletes a held reply without counting it twice',
    as: 'other',
    async given(stage) {
      const { thread_id, reply_id } = await answeredThread(stage)
      const { placeOfReply } = await import('#src/commons/replies/read.ts')
      const { takenReply } = await import('#src/commons/replies/states.ts')
      const { store } = stage.world.ports
      const place = await placeOfReply(store, reply_id)
      await store.commit(takenReply(place, 'held', new Date()))
      return { thread_id, reply_id }
    },
    input: ({ reply_id }) => ({ reply_id }),
    async answer(_, { thread_id }, stage) {
      expect((await standingOf(stage, thread_id))?.reply_count).toBe(0)
      expect((await identityOf(stage, 'other')).standing_replies).toBe(0)
    },
  }),
  refused(
    'commons.replies.delete',
    'refuses a reply that is removed already',
    'other',
    'reply_not_found',
    async (stage) => {
      const { reply_id } = await answeredThread(stage)
      await stage.ask('commons.replies.delete', { reply_id }, 'other')
      return { reply_id }
    },
  ),
  refused(
    'commons.replies.delete',
    'refuses anyone but its author',
    'member',
    'not_author',
    replyIn({}),
  ),
  refused(
    'commons.replies.delete',
    'refuses in a locked thread',
    'other',
    'thread_locked',
    replyIn({ locked: true }),
  ),
]

const acceptCases: readonly Case[] = [
  given({
    op: 'commons.threads.accept',
    title: 'answers the thread, and its answer is found and its author told',
    as: 'member',
    given: answeredThread,
    input: (facts) => facts,
    async answer(thread, { thread_id, reply_id }, stage) {
      expect(thread).toMatchObject({
        id: thread_id,
        board: 'ask',
        state: 'answered',
        accepted_reply_id: reply_id,
      })
      expect(Object.keys(thread)).not.toContain('hot')
      expect(await stage.world.ports.store.commons_replies.get(reply_id)).toMatchObject({
        accepted: true,
        is_found: true,
        board: 'ask',
        tags: ['http'],
      })
      expect((await identityOf(stage, 'other')).score).toBe(5)
      expect(await newsOf(stage, 'other')).toEqual([`accepted ${reply_id}`])
    },
  }),
  given({
    op: 'commons.threads.accept',
    title: 'moves the acceptance, and what it gave',
    as: 'member',
    async given(stage) {
      const { thread_id, reply_id } = await answeredThread(stage)
      await stage.ask('commons.threads.accept', { thread_id, reply_id }, 'member')
      return {
        thread_id,
        former: reply_id,
        reply_id: (await replyTo(stage, thread_id, 'third')).id,
      }
    },
    input: ({ thread_id, reply_id }) => ({ thread_id, reply_id }),
    async answer({ accepted_reply_id }, { reply_id, former }, stage) {
      expect(accepted_reply_id).toBe(reply_id)
      expect((await identityOf(stage, 'other')).score).toBe(0)
      expect((await identityOf(stage, 'third')).score).toBe(5)
      const before = await stage.world.ports.store.commons_replies.get(former)
      expect(before).toMatchObject({ accepted: false, is_found: false })
    },
  }),
  given({
    op: 'commons.threads.accept',
    title: 'does not notify a member who has blocked the asker',
    as: 'member',
    async given(stage) {
      const facts = await answeredThread(stage)
      const { handle } = await stage.member('member')
      await stage.ask('commons.messages.block', { handle }, 'other')
      return facts
    },
    input: (facts) => facts,
    async answer({ state }, _, stage) {
      expect(state).toBe('answered')
      expect(await newsOf(stage, 'other')).toEqual([])
    },
  }),
  given({
    op: 'commons.threads.accept',
    title: 'gives nothing for the word of a new handle',
    as: 'member',
    async given(stage) {
      const { id: thread_id } = await threadOf(stage)
      return { thread_id, reply_id: (await replyTo(stage, thread_id, 'other')).id }
    },
    input: (facts) => facts,
    async answer({ state }, _, stage) {
      expect(state).toBe('answered')
      expect((await identityOf(stage, 'other')).score).toBe(0)
    },
  }),
  given({
    op: 'commons.threads.accept',
    title: 'gives for the same answer once',
    as: 'member',
    async given(stage) {
      const facts = await answeredThread(stage)
      await stage.ask('commons.threads.accept', facts, 'member')
      return facts
    },
    input: (facts) => facts,
    async answer(thread, { reply_id }, stage) {
      expect(thread.accepted_reply_id).toBe(reply_id)
      expect((await identityOf(stage, 'other')).score).toBe(5)
    },
  }),
  given({
    op: 'commons.threads.accept',
    title: 'gives nothing to an asker who has the answer',
    as: 'member',
    async given(stage) {
      const { id: thread_id } = await threadOf(stage)
      return { thread_id, reply_id: (await replyTo(stage, thread_id, 'member')).id }
    },
    input: (facts) => facts,
    async answer({ state }, _, stage) {
      expect(state).toBe('answered')
      expect((await identityOf(stage, 'member')).score).toBe(0)
      expect(await newsOf(stage, 'member')).toEqual([])
    },
  }),
  refused(
    'commons.threads.accept',
    'refuses all but the asker',
    'other',
    'not_author',
    answeredThread,
  ),
  refused(
    'commons.threads.accept',
    'refuses a thread that is not there',
    'member',
    'thread_not_found',
    async (stage) => ({ ...(await answeredThread(stage)), thread_id: nowhere }),
  ),
  ...(['removed', 'held'] as const).map((state) =>
    refused(
      'commons.threads.accept',
      `refuses a ${state} thread`,
      'member',
      'thread_not_found',
      inState({ state }, true),
    ),
  ),
  refused(
    'commons.threads.accept',
    'refuses a closed thread',
    'member',
    'thread_closed',
    inState({ state: 'closed' }, true),
  ),
  refused(
    'commons.threads.accept',
    'refuses a locked thread',
    'member',
    'thread_locked',
    inState({ locked: true }, true),
  ),
  refused(
    'commons.threads.accept',
    'refuses a reply of another thread',
    'member',
    'reply_not_found',
    async (stage) => {
      const { reply_id } = await answeredThread(stage)
      return { thread_id: (await threadOf(stage)).id, reply_id }
    },
  ),
  refused(
    'commons.threads.accept',
    'refuses a reply that is held',
    'member',
    'reply_not_found',
    async (stage) => {
      const facts = await answeredThread(stage)
      await hold(stage, facts.reply_id)
      return facts
    },
  ),
]

/** A reply of `other`, which `third` is trusted enough to verify. */
async function triable(stage: Stage): Promise<{ reply_id: string }> {
  await stage.raise('third', 1)
  return { reply_id: (await answeredThread(stage)).reply_id }
}

const verifyCases: readonly Case[] = [
  given({
    op: 'commons.replies.verify',
    title: 'counts the result of an answer, and notifies its author',
    as: 'third',
    given: triable,
    input: (facts) => ({ ...facts, result: 'works', environment: 'Node 26', notes: 'At once.' }),
    async answer(verification, { reply_id }, stage) {
      const { handle } = await stage.member('third')
      expect(verification).toMatchObject({
        reply_id,
        author: { handle },
        result: 'works',
        environment: 'Node 26',
      })
      expect(Object.keys(verification)).not.toContain('given')
      const reply = await stage.world.ports.store.commons_replies.get(reply_id)
      expect(reply?.verifications).toEqual({ works: 1, partial: 0, fails: 0, unsafe: 0 })
      expect((await identityOf(stage, 'other')).score).toBe(3)
      expect(await newsOf(stage, 'other')).toEqual([`verified ${reply_id}`])
    },
  }),
  given({
    op: 'commons.replies.verify',
    title: 'replaces the first of a member by the second',
    as: 'third',
    async given(stage) {
      const { reply_id } = await triable(stage)
      const first = { reply_id, result: 'works', notes: 'At once.' }
      return { reply_id, first: await stage.ask('commons.replies.verify', first, 'third') }
    },
    input: ({ reply_id }) => ({ reply_id, result: 'unsafe' }),
    async answer(second, { reply_id, first }, stage) {
      expect(second).toMatchObject({ id: first.id, result: 'unsafe', notes: null })
      const reply = await stage.world.ports.store.commons_replies.get(reply_id)
      expect(reply?.verifications).toEqual({ works: 0, partial: 0, fails: 0, unsafe: 1 })
      expect((await identityOf(stage, 'other')).score).toBe(-2)
    },
  }),
  given({
    op: 'commons.replies.verify',
    title: 'counts the same again as one',
    as: 'third',
    async given(stage) {
      const { reply_id } = await triable(stage)
      await stage.ask('commons.replies.verify', { reply_id, result: 'fails' }, 'third')
      return { reply_id }
    },
    input: (facts) => ({ ...facts, result: 'fails' }),
    async answer(_, { reply_id }, stage) {
      const reply = await stage.world.ports.store.commons_replies.get(reply_id)
      expect(reply?.verifications.fails).toBe(1)
      expect((await identityOf(stage, 'other')).score).toBe(-1)
      expect(await newsOf(stage, 'other')).toHaveLength(1)
    },
  }),
  given({
    op: 'commons.replies.verifications',
    title: 'tells anybody who tried an answer, and what they found',
    as: 'anonymous',
    async given(stage) {
      const { reply_id } = await triable(stage)
      const found = { reply_id, result: 'partial', environment: 'Node 26', notes: 'Half of it.' }
      await stage.ask('commons.replies.verify', found, 'third')
      return found
    },
    input: ({ reply_id }) => ({ reply_id }),
    async answer({ items }, found, stage) {
      const { handle } = await stage.member('third')
      expect(items).toMatchObject([
        { ...found, author: { handle }, untrusted: true, source: { kind: 'forum', handle } },
      ])
      expect(JSON.stringify(items)).not.toMatch(/"(?:by|given)":/)
    },
  }),
  refused(
    'commons.replies.verifications',
    'refuses a reply that is not there',
    'anonymous',
    'reply_not_found',
    () => Promise.resolve({ reply_id: nowhere }),
  ),
  given({
    op: 'commons.replies.verifications',
    title: 'refuses a broken cursor',
    as: 'anonymous',
    given: triable,
    input: (facts) => ({ ...facts, cursor: 'broken' }),
    refusal: 'cursor_invalid',
  }),
  refused('commons.replies.verify', 'refuses a new member', 'third', 'trust_too_low', replyIn({}), {
    result: 'works',
  }),
  refused(
    'commons.replies.verify',
    'refuses an answer of their own',
    'other',
    'forbidden',
    async (stage) => {
      await stage.raise('other', 1)
      return { reply_id: (await answeredThread(stage)).reply_id }
    },
    { result: 'works' },
  ),
  refused(
    'commons.replies.verify',
    'refuses a reply that is removed',
    'third',
    'reply_not_found',
    async (stage) => {
      const { reply_id } = await triable(stage)
      await stage.ask('commons.replies.delete', { reply_id }, 'other')
      return { reply_id }
    },
    { result: 'works' },
  ),
  refused(
    'commons.replies.verify',
    'keeps nothing that holds a credential',
    'third',
    'secret_detected',
    triable,
    { result: 'works', notes: `With ${secret}` },
  ),
  refused('commons.replies.verify', 'refuses another result', 'third', 'invalid_input', triable, {
    result: 'perhaps',
  }),
]

/** Replies, the results of trying them, and which of them is the answer. */
export const commonsReplies: readonly Case[] = [
  ...listCases,
  ...createCases,
  ...editCases,
  ...deleteCases,
  ...acceptCases,
  ...verifyCases,
]
