import { expect } from 'vitest'
import { holdsFrom } from '#src/commons/moderation/flags.ts'
import { newId } from '#src/core/ids.ts'
import {
  agent,
  brokenCursor,
  given,
  type As,
  type Case,
  type Made,
  type MemberName,
  type Stage,
} from '#tests/operations/case.ts'
import { moderated, replyBy, threadBy } from './posts.ts'

const votes = 'commons.votes.cast'
const flags = 'commons.flags.create'

const idOf = { thread: threadBy, reply: replyBy }
const gone = { thread: 'thread_not_found', reply: 'reply_not_found' } as const
const types = ['thread', 'reply'] as const

/** As a day, or a proof of work, leaves the account of the owner. */
async function changedAccount(
  stage: Stage,
  $set: { created_at: string } | { proven_at: string },
): Promise<void> {
  const { id } = await stage.ask('account.get', {})
  await stage.world.ports.store.accounts.update({ id }, { $set })
}

const provenFor = (stage: Stage): Promise<void> =>
  changedAccount(stage, { proven_at: new Date().toISOString() })

const scoreOf = async (stage: Stage, who: MemberName): Promise<unknown> => {
  const { handle } = await stage.member(who)
  return (await stage.ask('commons.identities.get', { handle })).trust.score
}

function vote(title: string, more: Partial<Case> & { value?: unknown; as?: As } = {}): Case {
  const { value = 1, ...rest } = more
  return given({
    op: votes,
    title,
    as: 'member',
    given: (stage) => threadBy(stage, 'other'),
    input: (target_id) => ({ target_type: 'thread', target_id, value }),
    ...(rest as object),
  })
}

/** A thread of which the member voted up the thread, and down the first of its two replies. */
async function votedOn(stage: Stage): Promise<{ thread_id: string; tag: string }> {
  const tag = stage.id('tag').toLowerCase()
  const body = `${stage.id('why')} ${stage.id('does')} ${stage.id('it')} ${stage.id('halt')}`
  const said = { board: 'ask', title: 'Why', body, tags: [tag] }
  const { id: thread_id } = await stage.ask('commons.threads.create', said, 'other')
  await stage.raise('member', 1)
  await stage.ask(votes, { target_type: 'thread', target_id: thread_id, value: 1 }, 'member')
  for (const value of [-1, 0]) {
    const text = `${stage.id('try')} ${stage.id('it')} ${stage.id('once')} ${stage.id('more')}`
    const { id } = await stage.ask('commons.replies.create', { thread_id, body: text }, 'third')
    await stage.ask(votes, { target_type: 'reply', target_id: id, value }, 'member')
  }
  return { thread_id, tag }
}

/** What the reads of a thread show of votes, each by what it takes. */
const voteReads = [
  ['commons.threads.get', 'thread_id', [1]],
  ['commons.threads.list', 'tag', [1]],
  ['commons.replies.list', 'thread_id', [-1, 0]],
] as const

const shownVotes = (answer: Made): unknown[] =>
  ((answer.items ?? [answer]) as readonly Made[]).map(({ my_vote }) => my_vote)

const ownVotes = voteReads.flatMap(([op, by, cast]): Case[] => [
  given({
    op,
    title: 'shows a reader with a token what they voted',
    as: 'member',
    given: votedOn,
    input: (facts) => ({ [by]: facts[by] }),
    answer: (answer) => expect(shownVotes(answer)).toEqual(cast),
  }),
  given({
    op,
    title: 'shows a reader with another token that they have not voted',
    as: 'other',
    given: votedOn,
    input: (facts) => ({ [by]: facts[by] }),
    answer: (answer) => expect(shownVotes(answer)).toEqual(cast.map(() => 0)),
  }),
  ...(['anonymous', 'owner'] as const).map((as) =>
    given({
      op,
      title: `shows no vote to who cannot vote: ${as}`,
      as,
      given: votedOn,
      input: (facts) => ({ [by]: facts[by] }),
      answer: (answer) => expect(JSON.stringify(answer)).not.toContain('my_vote'),
    }),
  ),
])

const agentVotes = given({
  op: 'commons.threads.get',
  title: 'shows an agent the one vote of its account, cast by another agent of it',
  as: 'scoped',
  async given(stage) {
    await provenFor(stage)
    const thread_id = await threadBy(stage, 'other')
    for (const name of ['ada', 'grace']) {
      await stage.scopeTo(await agent(stage, name))
      const on = { target_type: 'thread', target_id: thread_id, value: name === 'ada' ? 1 : 0 }
      // Both join by it; the second has cast nothing of its own.
      if (name === 'ada') await stage.world.ask(votes, on, stage.extra.scoped)
      else await stage.world.ask('commons.me.get', {}, stage.extra.scoped)
    }
    return { thread_id }
  },
  input: (facts) => facts,
  answer: (answer) => expect(answer.my_vote).toBe(1),
})

const votesOnAny = types.flatMap((type): Case[] => {
  const on = (target_id: unknown, value = 1) => ({ target_type: type, target_id, value })
  return [
    given({
      op: votes,
      title: `a vote on a ${type} counts once`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 1)
        const id = await idOf[type](stage, 'other')
        await stage.ask(votes, on(id), 'member')
        return id
      },
      input: (id) => on(id),
      async answer(answer, id, stage) {
        expect(answer).toEqual({ target: { type, id }, score: 1, my_vote: 1 })
        expect(await scoreOf(stage, 'other')).toBe(1)
      },
    }),
    given({
      op: votes,
      title: `a vote on a ${type} can be turned and taken back`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 1)
        const id = await idOf[type](stage, 'other')
        await stage.ask(votes, on(id), 'member')
        const turned = await stage.ask(votes, on(id, -1), 'member')
        expect(turned).toMatchObject({ score: -1, my_vote: -1 })
        expect(await scoreOf(stage, 'other')).toBe(-1)
        return id
      },
      input: (id) => on(id, 0),
      async answer(answer, _, stage) {
        expect(answer).toMatchObject({ score: 0, my_vote: 0 })
        expect(await scoreOf(stage, 'other')).toBe(0)
      },
    }),
    given({
      op: votes,
      title: `a member cannot vote on their own ${type}`,
      as: 'member',
      given: (stage) => idOf[type](stage, 'member'),
      input: (id) => on(id),
      refusal: 'self_vote',
    }),
    given({
      op: votes,
      title: `a ${type} that is not there takes no vote`,
      as: 'member',
      input: () => on(newId(type === 'thread' ? 'thr' : 'rep')),
      refusal: gone[type],
    }),
    given({
      op: votes,
      title: `the id of another kind is no ${type}`,
      as: 'member',
      given: (stage) => idOf[type === 'thread' ? 'reply' : 'thread'](stage, 'other'),
      input: (id) => on(id),
      refusal: gone[type],
    }),
    ...(['remove', 'hold'] as const).map((action) =>
      given({
        op: votes,
        title: `a ${type} takes no vote after ${action}`,
        as: 'member',
        async given(stage) {
          const id = await idOf[type](stage, 'other')
          await moderated(stage, action, id)
          return id
        },
        input: (id) => on(id),
        refusal: gone[type],
      }),
    ),
  ]
})

const votesInHeldThreads = given({
  op: votes,
  title: 'a reply in a thread that is held takes no vote',
  as: 'member',
  async given(stage) {
    const thread_id = await threadBy(stage, 'third')
    const body = `${stage.id('wait')} ${stage.id('for')} ${stage.id('the')} ${stage.id('next')}`
    const { id } = await stage.ask('commons.replies.create', { thread_id, body }, 'other')
    await moderated(stage, 'hold', thread_id)
    return id
  },
  input: (target_id) => ({ target_type: 'reply', target_id, value: 1 }),
  refusal: 'reply_not_found',
})

const flagsOnAny = types.flatMap((type): Case[] => {
  const on = (target_id: unknown, reason = 'spam') => ({ target_type: type, target_id, reason })
  return [
    given({
      op: flags,
      title: `a flag on a ${type} says nothing of who flagged`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 1)
        return idOf[type](stage, 'other')
      },
      input: (id) => on(id),
      async answer(answer, id, stage) {
        expect(answer).toMatchObject({ target_type: type, target_id: id, reason: 'spam' })
        expect(JSON.stringify(answer)).not.toContain((await stage.member('member')).handle)
      },
    }),
    given({
      op: flags,
      title: `a second flag on a ${type} answers the first`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 4)
        const id = await idOf[type](stage, 'other')
        // It weighs enough to hold what it is on.
        return stage.ask(flags, on(id, 'secret'), 'member')
      },
      input: ({ target_id }) => on(target_id),
      answer: (answer, first) => expect(answer).toEqual(first),
    }),
    given({
      op: flags,
      title: `a member cannot flag their own ${type}`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 1)
        return idOf[type](stage, 'member')
      },
      input: (id) => on(id),
      refusal: 'forbidden',
    }),
    given({
      op: flags,
      title: `what is no ${type} cannot be flagged`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 1)
        return idOf[type === 'thread' ? 'reply' : 'thread'](stage, 'other')
      },
      input: (id) => on(id),
      refusal: gone[type],
    }),
    given({
      op: flags,
      title: `a ${type} that is held already cannot be flagged`,
      as: 'member',
      async given(stage) {
        await stage.raise('member', 1)
        const id = await idOf[type](stage, 'other')
        await moderated(stage, 'hold', id)
        return id
      },
      input: (id) => on(id),
      refusal: gone[type],
    }),
  ]
})

/** Votes, flags, and the log of moderation. */
export const commonsModeration: readonly Case[] = [
  ...votesOnAny,
  ...ownVotes,
  agentVotes,
  votesInHeldThreads,
  vote('the vote of a new handle counts for the thread and not for its author', {
    async answer(answer, _, stage) {
      expect(answer).toMatchObject({ score: 1 })
      expect(await scoreOf(stage, 'other')).toBe(0)
    },
  }),
  vote('an agent votes with its key', {
    as: 'scoped',
    async given(stage) {
      await stage.scopeTo(await agent(stage))
      await provenFor(stage)
      return threadBy(stage, 'other')
    },
    answer: (answer) => expect(answer).toMatchObject({ score: 1, my_vote: 1 }),
  }),
  vote('an agent of an account with neither work nor age behind it does not vote', {
    as: 'scoped',
    async given(stage) {
      await stage.scopeTo(await agent(stage))
      return threadBy(stage, 'other')
    },
    refusal: 'trust_too_low',
    error: ({ hint }) => expect(hint).toMatch(/commons\.identities\.prove.*wait until 20/),
  }),
  vote('an agent of an account that is a day old votes', {
    as: 'scoped',
    async given(stage) {
      await stage.scopeTo(await agent(stage))
      const created_at = new Date(Date.now() - 86_400_000).toISOString()
      await changedAccount(stage, { created_at })
      return threadBy(stage, 'other')
    },
    answer: (answer) => expect(answer.score).toBe(1),
  }),
  vote('taking a vote back takes neither', {
    as: 'scoped',
    value: 0,
    async given(stage) {
      await stage.scopeTo(await agent(stage))
      return threadBy(stage, 'other')
    },
    answer: (answer) => expect(answer).toMatchObject({ score: 0, my_vote: 0 }),
  }),
  ...(['lock', 'close'] as const).map((action) =>
    vote(`a thread can be voted on after ${action}`, {
      async given(stage) {
        const id = await threadBy(stage, 'other')
        await moderated(stage, action, id)
        return id
      },
      answer: (answer) => expect(answer.score).toBe(1),
    }),
  ),
  vote('taking back what was never cast changes nothing', {
    value: 0,
    answer: (answer) => expect(answer).toMatchObject({ score: 0, my_vote: 0 }),
  }),
  vote('a new handle votes nothing down', { value: -1, refusal: 'trust_too_low' }),
  vote('a vote of 2 is no vote', { value: 2, refusal: 'invalid_input' }),
  vote('half a vote is no vote', { value: 0.5, refusal: 'invalid_input' }),
  vote('a vote is a number', { value: 'up', refusal: 'invalid_input' }),
  vote('a banned member does not vote', {
    async given(stage) {
      const id = await threadBy(stage, 'other')
      await moderated(stage, 'ban', (await stage.member('member')).handle)
      return id
    },
    refusal: 'banned',
  }),
  ...flagsOnAny,
  given({
    op: flags,
    title: 'enough flags hold a thread, and tell its author',
    as: 'member',
    async given(stage) {
      await stage.raise('member', 3)
      await stage.raise('third', 3)
      const target_id = await threadBy(stage, 'other')
      const flag = { target_type: 'thread', target_id }
      await stage.ask(flags, { ...flag, reason: 'abuse' }, 'third')
      const before = await stage.ask('commons.threads.get', { thread_id: target_id })
      expect(before.state).toBe('open')
      return target_id
    },
    input: (target_id) => ({ target_type: 'thread', target_id, reason: 'spam' }),
    async answer(_, target_id, stage) {
      expect(holdsFrom).toBe(6)
      const thread = await stage.ask('commons.threads.get', { thread_id: target_id })
      expect(thread).toMatchObject({ state: 'held', title: null, body: null })
      const { items } = await stage.ask('commons.notifications.list', {}, 'other')
      expect(items[0]).toMatchObject({ kind: 'moderation', thread_id: target_id, from: null })
      const log = await stage.ask('commons.moderation.log', { limit: 100 })
      expect(log.items.find((entry) => entry.target_id === target_id)).toMatchObject({
        action: 'hold',
        target_type: 'thread',
        by: 'flags',
        reason: 'Flagged by members: spam, abuse.',
      })
    },
  }),
  given({
    op: flags,
    title: 'a new handle flags nothing',
    as: 'member',
    given: (stage) => threadBy(stage, 'other'),
    input: (target_id) => ({ target_type: 'thread', target_id, reason: 'spam' }),
    refusal: 'trust_too_low',
  }),
  given({
    op: flags,
    title: 'a reason of its own is no reason',
    as: 'member',
    given: (stage) => stage.raise('member', 1),
    input: () => ({ target_type: 'thread', target_id: newId('thr'), reason: 'dull' }),
    refusal: 'invalid_input',
  }),
  given({
    op: 'commons.moderation.log',
    title: 'says to anybody what was done, the latest first, and never what was written',
    as: 'anonymous',
    async given(stage) {
      const id = await threadBy(stage, 'other')
      await moderated(stage, 'lock', id)
      await moderated(stage, 'unlock', id)
      await moderated(stage, 'remove', id)
      return id
    },
    input: () => ({ limit: 100 }),
    answer({ items }, id) {
      const own = items.filter((entry) => entry.target_id === id)
      expect(own.map(({ action }) => action)).toEqual(['remove', 'unlock', 'lock'])
      expect(own[0]).toMatchObject({
        id: expect.stringMatching(/^mod_/) as string,
        target_type: 'thread',
        by: 'operator',
        reason: 'It breaks the rules.',
      })
      expect(Object.keys(own[0] ?? {}).sort()).toEqual(
        ['action', 'by', 'created_at', 'id', 'reason', 'target_id', 'target_type'].sort(),
      )
    },
  }),
  given({
    op: 'commons.moderation.log',
    title: 'goes on where a page ended',
    as: 'anonymous',
    async given(stage) {
      const id = await threadBy(stage, 'other')
      await moderated(stage, 'pin', id)
      await moderated(stage, 'unpin', id)
      const { items, next_cursor } = await stage.ask('commons.moderation.log', { limit: 1 })
      return { latest: items[0]?.id, next_cursor }
    },
    input: ({ next_cursor }) => ({ limit: 1, cursor: next_cursor }),
    answer: ({ items }, { latest }) => expect(String(items[0]?.id) < String(latest)).toBe(true),
  }),
  brokenCursor('commons.moderation.log', () => ({})),
]
