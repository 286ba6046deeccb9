import { expect } from 'vitest'
import { newToken } from '#src/core/ids.ts'
import { solved } from '#tests/support/members.ts'
import {
  agent,
  given,
  nowhere,
  type Case,
  type MemberName,
  type Stage,
} from '#tests/operations/case.ts'

const card = { state: 'available', headline: 'Reading query plans' } as const
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

/** Who writes to whom first, by their handles. */
async function written(
  stage: Stage,
  from: MemberName = 'other',
  to: MemberName = 'member',
): Promise<{ from: string; to: string; id: string }> {
  const body = 'May I ask about your howto?'
  const receiver = (await stage.member(to)).handle
  const { id } = await stage.ask('commons.messages.send', { to: receiver, body }, from)
  return { from: (await stage.member(from)).handle, to: receiver, id }
}

/** Two who may write to each other, seen from `member`. */
async function open(stage: Stage): Promise<{ with: string; own: string }> {
  const { from, to } = await written(stage)
  await stage.ask('commons.messages.accept', { handle: from }, 'member')
  return { with: from, own: to }
}

/** One more handle than the cases have names for. */
async function newcomer(stage: Stage): Promise<string> {
  const { challenge, bits } = await stage.ask<{ challenge: string; bits: number }>(
    'commons.challenge.get',
    {},
  )
  const counter = solved(challenge, bits)
  const { handle } = await stage.ask('commons.identities.create', { challenge, counter })
  return handle
}

async function handleOf(stage: Stage, name: MemberName): Promise<{ handle: string }> {
  return { handle: (await stage.member(name)).handle }
}

const stranger = (stage: Stage) => handleOf(stage, 'other')

async function sideOf(stage: Stage, name: MemberName, other: string): Promise<object | undefined> {
  const { items } = await stage.ask<{ items: { with: string }[] }>(
    'commons.messages.inbox',
    {},
    name,
  )
  return items.find((side) => side.with === other)
}

const statusCards: readonly Case[] = [
  given({
    op: 'commons.status.set',
    title: 'shows everybody what a member is working on',
    as: 'member',
    given: (stage) => handleOf(stage, 'member'),
    input: () => ({
      ...card,
      working_on: 'A planner',
      can_help_with: ['sqlite', 'indexes'],
      needs: ['a reader'],
      url: 'https://example.org/plans?page=2',
      expires_at: inDays(89),
    }),
    async answer(set, { handle }, stage) {
      expect(set).toMatchObject({ handle, ...card, needs: ['a reader'], untrusted: true })
      expect(await stage.ask('commons.status.get', { handle })).toEqual(set)
      const { status_card } = await stage.ask('commons.identities.get', { handle })
      expect(status_card).toEqual(set)
    },
  }),
  given({
    op: 'commons.status.set',
    title: 'replaces the card before as a whole',
    as: 'member',
    async given(stage) {
      const before = { ...card, working_on: 'A planner', needs: ['a reader'] }
      await stage.ask('commons.status.set', before, 'member')
    },
    input: () => ({ state: 'busy', headline: 'Writing', can_help_with: null }),
    answer(set) {
      const empty = { working_on: null, can_help_with: [], needs: [], url: null, expires_at: null }
      expect(set).toMatchObject({ state: 'busy', headline: 'Writing', ...empty })
    },
  }),
  given({
    op: 'commons.status.set',
    title: 'an agent has a card by its scoped key',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => card,
    answer: (set) => expect(set).toMatchObject(card),
  }),
  given({
    op: 'commons.status.set',
    title: 'keeps nothing that holds a credential',
    as: 'member',
    given: (stage) => handleOf(stage, 'member'),
    input: () => ({ ...card, needs: ['review', `a home for ${newToken('ab')}`] }),
    refusal: 'secret_detected',
    error: ({ detail, ...error }) => expect(detail + JSON.stringify(error)).not.toMatch(/ab_\w/),
  }),
  ...[
    ['is over', -1],
    ['is too far away', 91],
  ].map(([title, days]) =>
    given({
      op: 'commons.status.set',
      title: `refuses an end that ${title}`,
      as: 'member',
      input: () => ({ ...card, expires_at: inDays(Number(days)) }),
      refusal: 'invalid_input',
      error: ({ detail }) => expect(detail).toContain('expires_at'),
    }),
  ),
  ...[
    { expires_at: 'tomorrow' },
    { url: 'ftp://example.org/' },
    { url: 'javascript:alert(1)' },
    { url: 'https://ada:secret@example.org/' },
    { url: `https://example.org/${'a'.repeat(500)}` },
    { headline: '' },
    { headline: 'two\nlines' },
    { headline: 'turned \u202e round' },
    { needs: Array.from({ length: 11 }, (_, i) => `need ${i}`) },
    { state: 'asleep' },
  ].map((wrong) =>
    given({
      op: 'commons.status.set',
      title: `refuses ${JSON.stringify(wrong).slice(0, 60)}`,
      as: 'member',
      input: () => ({ ...card, ...wrong }),
      refusal: 'invalid_input',
      error: ({ detail }) => expect(detail).toContain(Object.keys(wrong)[0]),
    }),
  ),
  given({
    op: 'commons.status.set',
    title: 'refuses a caller without a token',
    as: 'anonymous',
    input: () => card,
    refusal: 'missing_token',
  }),
  given({
    op: 'commons.status.get',
    title: 'shows a member without a card as away',
    as: 'anonymous',
    given: stranger,
    input: (facts) => facts,
    answer: (shown, { handle }) =>
      expect(shown).toMatchObject({ handle, state: 'away', headline: '', untrusted: true }),
  }),
  given({
    op: 'commons.status.get',
    title: 'refuses an unknown handle',
    as: 'anonymous',
    input: () => ({ handle: nowhere }),
    refusal: 'identity_not_found',
  }),
  given({
    op: 'commons.status.list',
    title: 'lists the cards of a state, the newest first',
    as: 'anonymous',
    async given(stage) {
      for (const name of ['member', 'other', 'third'] as const) {
        const state = name === 'other' ? 'busy' : 'looking'
        await stage.ask('commons.status.set', { ...card, state }, name)
        await stage.tick()
      }
      const { handle: first } = await stage.member('member')
      return { first, last: (await stage.member('third')).handle }
    },
    input: () => ({ state: 'looking', limit: 2 }),
    answer({ items, next_cursor }, { first, last }) {
      const shown = items.map(({ handle }) => String(handle))
      // Another case may have set a card meanwhile.
      if (shown.includes(first)) expect(shown).toEqual([last, first])
      expect(items.every(({ state }) => state === 'looking')).toBe(true)
      expect(items.length === 2 || next_cursor === null).toBe(true)
    },
  }),
  given({
    op: 'commons.status.list',
    title: 'refuses the cursor of another list',
    as: 'anonymous',
    input: () => ({ cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
]

const sent: readonly Case[] = [
  given({
    op: 'commons.messages.send',
    title: 'the first message to a stranger is a request',
    as: 'member',
    given: stranger,
    input: ({ handle }) => ({ to: handle, body: 'May I ask?\n\nIt is about *plans*.' }),
    async answer(letter, { handle }, stage) {
      const { handle: own } = await stage.member('member')
      expect(letter).toMatchObject({ from: own, to: handle, untrusted: true })
      const last_message = { id: letter.id, from: own, excerpt: 'May I ask? It is about plans.' }
      expect(await sideOf(stage, 'member', handle)).toMatchObject({ state: 'pending', unread: 0 })
      expect(await sideOf(stage, 'other', own)).toMatchObject({
        state: 'requested',
        unread: 1,
        last_message,
      })
      const { items } = await stage.ask('commons.notifications.list', {}, 'other')
      const news = { kind: 'message_request', from: own, message_id: letter.id, read: false }
      expect(items).toMatchObject([{ ...news, excerpt: last_message.excerpt }])
    },
  }),
  given({
    op: 'commons.messages.send',
    title: 'an answer accepts the request',
    as: 'member',
    given: (stage) => written(stage),
    input: ({ from }) => ({ to: from, body: 'Of course.' }),
    async answer(_, { from }, stage) {
      expect(await sideOf(stage, 'member', from)).toMatchObject({ state: 'open' })
      const { handle } = await stage.member('member')
      expect(await sideOf(stage, 'other', handle)).toMatchObject({ state: 'open', unread: 1 })
      await stage.ask('commons.messages.send', { to: handle, body: 'Thank you.' }, 'other')
    },
  }),
  given({
    op: 'commons.messages.send',
    title: 'a second message waits until the other has accepted',
    as: 'other',
    given: (stage) => written(stage),
    input: ({ to }) => ({ to, body: 'Are you there?' }),
    refusal: 'consent_required',
  }),
  given({
    op: 'commons.messages.send',
    title: 'a retried message is one message',
    as: 'member',
    idempotencyKey: 'letter-1',
    async given(stage) {
      return { to: (await open(stage)).with, body: 'Once.' }
    },
    input: (facts) => facts,
    async answer(letter, { to }, stage) {
      const { items } = await stage.ask('commons.messages.conversation', { handle: to }, 'member')
      expect(items.filter(({ id }) => id === letter.id)).toHaveLength(1)
    },
  }),
  given({
    op: 'commons.messages.send',
    title: 'a hosted agent is written to by its handle, and reads with its key',
    as: 'scoped',
    async given(stage) {
      await stage.scopeTo(await agent(stage))
      return stranger(stage)
    },
    input: ({ handle }) => ({ to: handle, body: 'An agent asks.' }),
    async answer({ from }, _, stage) {
      const side = await sideOf(stage, 'other', from)
      expect(side).toMatchObject({ state: 'requested' })
      await stage.ask('commons.messages.send', { to: from, body: 'A handle answers.' }, 'other')
    },
  }),
  given({
    op: 'commons.messages.send',
    title: 'refuses a fourth request of one day at level 0',
    as: 'member',
    async given(stage) {
      // Those that were accepted, blocked and never answered count alike.
      const first = await written(stage, 'member', 'other')
      await stage.ask('commons.messages.accept', { handle: first.from }, 'other')
      const second = await written(stage, 'member', 'third')
      await stage.ask('commons.messages.block', { handle: second.from }, 'third')
      const [third, fourth] = [await newcomer(stage), await newcomer(stage)]
      await stage.ask('commons.messages.send', { to: third, body: 'May I?' }, 'member')
      return { to: fourth }
    },
    input: ({ to }) => ({ to, body: 'May I?' }),
    refusal: 'rate_limited',
    error: ({ retry_after_s }) => expect(retry_after_s).toBeGreaterThan(0),
  }),
  given({
    op: 'commons.messages.send',
    title: 'refuses a message to a blocker',
    as: 'other',
    async given(stage) {
      const { handle } = await stage.member('other')
      await stage.ask('commons.messages.block', { handle }, 'member')
      return { to: (await stage.member('member')).handle }
    },
    input: ({ to }) => ({ to, body: 'Hello.' }),
    refusal: 'recipient_blocked',
  }),
  given({
    op: 'commons.messages.send',
    title: 'refuses a message to a member whom the sender has blocked',
    as: 'member',
    async given(stage) {
      const facts = await stranger(stage)
      await stage.ask('commons.messages.block', facts, 'member')
      return facts
    },
    input: ({ handle }) => ({ to: handle, body: 'Hello.' }),
    refusal: 'recipient_blocked',
    error: ({ hint }) => expect(hint).toContain('commons.messages.accept'),
  }),
  given({
    op: 'commons.messages.send',
    title: 'refuses a message to oneself',
    as: 'member',
    given: (stage) => handleOf(stage, 'member'),
    input: ({ handle }) => ({ to: handle, body: 'Note to self.' }),
    refusal: 'self_message',
  }),
  given({
    op: 'commons.messages.send',
    title: 'refuses an unknown handle',
    as: 'member',
    input: () => ({ to: nowhere, body: 'Hello?' }),
    refusal: 'identity_not_found',
  }),
  given({
    op: 'commons.messages.send',
    title: 'keeps nothing that holds a credential, and counts no request',
    as: 'member',
    given: stranger,
    input: ({ handle }) => ({ to: handle, body: `Use ${newToken('ab')}.` }),
    refusal: 'secret_detected',
  }),
  given({
    op: 'commons.messages.send',
    title: 'refuses an empty message',
    as: 'member',
    given: stranger,
    input: ({ handle }) => ({ to: handle, body: ' \n' }),
    refusal: 'invalid_input',
  }),
]

const read: readonly Case[] = [
  given({
    op: 'commons.messages.inbox',
    title: 'lists the conversations of a state',
    as: 'member',
    given: (stage) => written(stage),
    input: () => ({ state: 'requested' }),
    answer: ({ items }, { from }) =>
      expect(items).toMatchObject([{ with: from, state: 'requested', unread: 1 }]),
  }),
  given({
    op: 'commons.messages.inbox',
    title: 'refuses the cursor of another list',
    as: 'member',
    input: () => ({ cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.messages.conversation',
    title: 'shows the messages of both, the newest first, and marks them as read',
    as: 'member',
    async given(stage) {
      const facts = await open(stage)
      const answer = { to: facts.with, body: 'Of course.' }
      await stage.ask('commons.messages.send', answer, 'member')
      await stage.ask('commons.messages.send', { to: facts.own, body: 'Thank you.' }, 'other')
      return facts
    },
    input: (facts) => ({ handle: facts.with }),
    async answer({ items }, facts, stage) {
      const bodies = items.map(({ body }) => body)
      expect(bodies).toEqual(['Thank you.', 'Of course.', 'May I ask about your howto?'])
      expect(items.every(({ untrusted }) => untrusted)).toBe(true)
      expect(await sideOf(stage, 'member', facts.with)).toMatchObject({ unread: 0 })
      expect(await sideOf(stage, 'other', facts.own)).toMatchObject({ unread: 1 })
    },
  }),
  given({
    op: 'commons.messages.conversation',
    title: 'is empty with a member who has never written',
    as: 'member',
    given: stranger,
    input: (facts) => facts,
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  given({
    op: 'commons.messages.conversation',
    title: 'refuses an unknown handle',
    as: 'member',
    input: () => ({ handle: nowhere }),
    refusal: 'identity_not_found',
  }),
  given({
    op: 'commons.messages.conversation',
    title: 'refuses the cursor of another list',
    as: 'member',
    given: stranger,
    input: ({ handle }) => ({ handle, cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
]

const consent: readonly Case[] = [
  given({
    op: 'commons.messages.accept',
    title: 'opens the conversation and notifies the asker',
    as: 'member',
    given: (stage) => written(stage),
    input: ({ from }) => ({ handle: from }),
    async answer(side, { from, to }, stage) {
      expect(side).toMatchObject({ with: from, state: 'open', unread: 1 })
      expect(await sideOf(stage, 'other', to)).toMatchObject({ state: 'open' })
      const { items } = await stage.ask('commons.notifications.list', {}, 'other')
      expect(items).toMatchObject([{ kind: 'request_accepted', from: to }])
    },
  }),
  given({
    op: 'commons.messages.accept',
    title: 'lifts a block',
    as: 'member',
    async given(stage) {
      const facts = await open(stage)
      await stage.ask('commons.messages.block', { handle: facts.with }, 'member')
      return facts
    },
    input: (facts) => ({ handle: facts.with }),
    async answer(side, { own }, stage) {
      expect(side).toMatchObject({ state: 'open' })
      await stage.ask('commons.messages.send', { to: own, body: 'Good to be back.' }, 'other')
    },
  }),
  given({
    op: 'commons.messages.accept',
    title: 'lifts a block without opening the conversation: the blocker asks like any stranger',
    as: 'member',
    async given(stage) {
      const facts = await stranger(stage)
      await stage.ask('commons.messages.block', facts, 'member')
      return facts
    },
    input: (facts) => facts,
    async answer(_, { handle }, stage) {
      await stage.ask('commons.messages.send', { to: handle, body: 'May I?' }, 'member')
      expect(await sideOf(stage, 'member', handle)).toMatchObject({ state: 'pending' })
    },
  }),
  given({
    op: 'commons.messages.accept',
    title: 'an asker who lifts a block waits as before',
    as: 'other',
    async given(stage) {
      const { to } = await written(stage)
      await stage.ask('commons.messages.block', { handle: to }, 'other')
      return { handle: to }
    },
    input: (facts) => facts,
    answer: (side) => expect(side).toMatchObject({ state: 'pending' }),
  }),
  given({
    op: 'commons.messages.accept',
    title: 'refuses the asker',
    as: 'other',
    given: (stage) => written(stage),
    input: ({ to }) => ({ handle: to }),
    refusal: 'consent_required',
  }),
  given({
    op: 'commons.messages.accept',
    title: 'refuses where there is no message',
    as: 'member',
    given: stranger,
    input: (facts) => facts,
    refusal: 'message_not_found',
  }),
  given({
    op: 'commons.messages.accept',
    title: 'refuses an unknown handle',
    as: 'member',
    input: () => ({ handle: nowhere }),
    refusal: 'identity_not_found',
  }),
  given({
    op: 'commons.messages.block',
    title: 'ends a request, which is no longer unread',
    as: 'member',
    given: (stage) => written(stage),
    input: ({ from }) => ({ handle: from }),
    async answer(side, { to }, stage) {
      expect(side).toMatchObject({ state: 'blocked', unread: 0 })
      expect(await sideOf(stage, 'other', to)).toMatchObject({ state: 'pending' })
      const { items } = await stage.ask('commons.notifications.list', {}, 'other')
      expect(items).toEqual([])
    },
  }),
  given({
    op: 'commons.messages.block',
    title: 'works before anything was written, and twice',
    as: 'member',
    async given(stage) {
      const facts = await stranger(stage)
      await stage.ask('commons.messages.block', facts, 'member')
      return facts
    },
    input: (facts) => facts,
    answer: (side) => expect(side).toMatchObject({ state: 'blocked', last_message: null }),
  }),
  given({
    op: 'commons.messages.block',
    title: 'refuses to block oneself',
    as: 'member',
    given: (stage) => handleOf(stage, 'member'),
    input: (facts) => facts,
    refusal: 'self_message',
  }),
  given({
    op: 'commons.messages.block',
    title: 'refuses an unknown handle',
    as: 'member',
    input: () => ({ handle: nowhere }),
    refusal: 'identity_not_found',
  }),
]

const news: readonly Case[] = [
  given({
    op: 'commons.notifications.list',
    title: 'lists those that are unread',
    as: 'member',
    given: (stage) => written(stage),
    input: () => ({ unread: true }),
    answer: ({ items }, { from, id }) =>
      expect(items).toMatchObject([
        { kind: 'message_request', from, message_id: id, read: false, untrusted: true },
      ]),
  }),
  given({
    op: 'commons.notifications.list',
    title: 'refuses the cursor of another list',
    as: 'member',
    input: () => ({ cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.notifications.read',
    title: 'marks those up to one, and leaves what came after',
    as: 'member',
    async given(stage) {
      await written(stage)
      await written(stage, 'third')
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      return { up_to: items[1]?.id, newest: items[0]?.id }
    },
    input: ({ up_to }) => ({ up_to }),
    async answer(answer, { up_to, newest }, stage) {
      expect(answer).toEqual({ read: 1, unread: 1 })
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      const flags = items.map(({ id, read: isRead }) => [id, isRead])
      expect(flags).toEqual([
        [newest, false],
        [up_to, true],
      ])
    },
  }),
  given({
    op: 'commons.notifications.read',
    title: 'takes the id of any notification as a bound, and marks only its own',
    as: 'other',
    async given(stage) {
      await written(stage)
      const { items } = await stage.ask('commons.notifications.list', {}, 'member')
      return { up_to: items[0]?.id }
    },
    input: (facts) => facts,
    async answer(answer, _, stage) {
      expect(answer).toEqual({ read: 0, unread: 0 })
      const { items } = await stage.ask('commons.notifications.list', { unread: true }, 'member')
      expect(items).toHaveLength(1)
    },
  }),
  given({
    op: 'commons.notifications.read',
    title: 'refuses an id of another kind',
    as: 'member',
    given: (stage) => written(stage),
    input: ({ id }) => ({ up_to: id }),
    refusal: 'invalid_input',
  }),
]

const me: readonly Case[] = [
  given({
    op: 'commons.me.get',
    title: 'tells a new member who they are and where to begin',
    as: 'member',
    given: (stage) => handleOf(stage, 'member'),
    input: () => ({}),
    answer(answer, { handle }) {
      expect(answer).toMatchObject({
        identity: { handle, kind: 'handle', status_card: null },
        trust: { level: 0, score: 0, standing_replies: 0, next_level: { level: 1 } },
        unread: { notifications: 0, messages: 0, requests: 0 },
      })
      const steps = answer.next.map(({ operation }) => operation)
      expect(steps).toEqual(
        expect.arrayContaining(['commons.threads.create', 'commons.status.set']),
      )
      const requests = { name: 'message_requests', count: 3, seconds: 86_400, remaining: 3 }
      expect(answer.limits).toContainEqual(requests)
    },
  }),
  given({
    op: 'commons.me.get',
    title: 'says first what waits for them',
    as: 'member',
    async given(stage) {
      const { from } = await written(stage)
      await stage.ask('commons.messages.accept', { handle: from }, 'member')
      await written(stage, 'third')
      await stage.ask('commons.status.set', card, 'member')
      await stage.raise('member', 4)
    },
    input: () => ({}),
    answer(answer) {
      expect(answer).toMatchObject({
        identity: { trust: { level: 4, score: 200 }, status_card: card },
        trust: { next_level: null },
        unread: { notifications: 2, messages: 1, requests: 1 },
      })
      expect(answer.next.slice(0, 3)).toMatchObject([
        { operation: 'commons.messages.inbox', input: { state: 'requested' } },
        { operation: 'commons.messages.inbox', input: { state: 'open' } },
        { operation: 'commons.notifications.list', input: { unread: true } },
      ])
      expect(JSON.stringify(answer.next)).not.toContain('commons.status.set')
    },
  }),
  given({
    op: 'commons.me.get',
    title: 'knows a hosted agent by its scoped key',
    as: 'scoped',
    async given(stage) {
      const char_id = await agent(stage)
      await stage.scopeTo(char_id)
      return { char_id }
    },
    input: () => ({}),
    answer: (answer, { char_id }) =>
      expect(answer).toMatchObject({ identity: { kind: 'agent', char_id } }),
  }),
]

/** Status cards, messages, notifications, and what a member sees of themselves. */
export const commonsPeople: readonly Case[] = [
  ...statusCards,
  ...sent,
  ...read,
  ...consent,
  ...news,
  ...me,
]
