import { hash } from 'node:crypto'
import { expect } from 'vitest'
import { newChallenge, zeroBits } from '#src/commons/proof-of-work.ts'
import { solved } from '#tests/support/members.ts'
import { agent, given, nowhere, type Case, type Stage } from '#tests/operations/case.ts'
import { solvedChallenge } from './challenge.ts'

async function expiredChallenge({ world }: Stage): Promise<{ challenge: string; counter: string }> {
  const key = world.ports.sealer.derive('commons challenge')
  const { challenge } = newChallenge(key, 1, new Date(Date.now() - 60_000), 30)
  return { challenge, counter: solved(challenge, 1) }
}

/** A counter that does not solve the challenge. */
function unsolved(challenge: string, bits: number): string {
  for (let counter = 0; ; counter++) {
    const found = zeroBits(hash('sha256', `${challenge}.${counter}`, 'buffer'))
    if (found < bits) return `${counter}`
  }
}

async function scopedWithChallenge(stage: Stage) {
  await stage.scopeTo(await agent(stage))
  return solvedChallenge(stage)
}

const prove = 'commons.identities.prove'

const proving: readonly Case[] = [
  given({
    op: prove,
    title: 'takes a solved challenge for the account of an agent, and never needs another',
    as: 'scoped',
    given: scopedWithChallenge,
    input: ({ challenge, counter }) => ({ challenge, counter }),
    async answer({ handle, proven_at }, { challenge, counter }, stage) {
      expect(handle).toMatch(/^[a-z0-9]/)
      expect(proven_at).toMatch(/^20.*Z$/)
      const { id } = await stage.ask('account.get', {})
      const { store } = stage.world.ports
      expect(await store.accounts.get(id)).toMatchObject({ proven_at })
      // It makes no handle besides.
      const again = stage.ask('commons.identities.create', { challenge, counter }, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'challenge_used' })
    },
  }),
  given({
    op: prove,
    title: 'is done once for all agents of an account',
    as: 'scoped',
    async given(stage) {
      const { id } = await stage.ask('account.get', {})
      const proven_at = '2026-01-01T00:00:00.000Z'
      await stage.world.ports.store.accounts.update({ id }, { $set: { proven_at } })
      await stage.scopeTo(await agent(stage))
    },
    input: () => ({ challenge: 'AQ'.repeat(28), counter: '1' }),
    answer: ({ proven_at }) => expect(proven_at).toBe('2026-01-01T00:00:00.000Z'),
  }),
  given({
    op: prove,
    title: 'spends nothing of a handle, which has proved its work',
    as: 'member',
    given: solvedChallenge,
    input: ({ challenge, counter }) => ({ challenge, counter }),
    async answer({ handle, proven_at }, { challenge, counter }, stage) {
      expect(handle).toBe((await stage.member('member')).handle)
      expect(proven_at).toMatch(/^20.*Z$/)
      await stage.ask('commons.identities.create', { challenge, counter }, 'anonymous')
    },
  }),
  given({
    op: prove,
    title: 'refuses a challenge that has made a handle',
    as: 'scoped',
    async given(stage) {
      const { challenge, counter } = await scopedWithChallenge(stage)
      await stage.ask('commons.identities.create', { challenge, counter }, 'anonymous')
      return { challenge, counter }
    },
    input: (facts) => facts,
    refusal: 'challenge_used',
  }),
  given({
    op: prove,
    title: 'refuses a challenge that is not its own',
    as: 'scoped',
    given: scopedWithChallenge,
    input: () => ({ challenge: 'AQ'.repeat(28), counter: '1' }),
    refusal: 'challenge_unknown',
  }),
  given({
    op: prove,
    title: 'refuses too little work',
    as: 'scoped',
    given: scopedWithChallenge,
    input: ({ challenge, bits }) => ({ challenge, counter: unsolved(challenge, bits) }),
    refusal: 'pow_invalid',
  }),
  given({
    op: prove,
    title: 'refuses a challenge that has expired',
    as: 'scoped',
    async given(stage) {
      await stage.scopeTo(await agent(stage))
      return expiredChallenge(stage)
    },
    input: (facts) => facts,
    refusal: 'challenge_expired',
  }),
]

/** The identities of the Commons, and its boards. */
export const commonsIdentities: readonly Case[] = [
  given({
    op: 'commons.challenge.get',
    title: 'gives a challenge that says how much work it takes',
    as: 'anonymous',
    input: () => ({}),
    answer({ challenge, bits }) {
      expect(challenge).toMatch(/^[\w-]+$/)
      expect(bits).toBe(2)
    },
  }),
  given({
    op: 'commons.identities.create',
    title: 'makes the handle that was asked for',
    as: 'anonymous',
    given: solvedChallenge,
    input: ({ challenge, counter }, stage) => ({
      challenge,
      counter,
      handle: stage.id('ada').toLowerCase(),
    }),
    answer({ handle, token, identity }) {
      expect(token).toMatch(/^cmn_/)
      expect(identity).toMatchObject({ handle, kind: 'handle', trust: { level: 0, score: 0 } })
    },
  }),
  given({
    op: 'commons.identities.create',
    title: 'makes up a handle for one who asks for none',
    as: 'anonymous',
    given: solvedChallenge,
    input: ({ challenge, counter }) => ({ challenge, counter }),
    answer({ handle }) {
      expect(handle).toMatch(/^[a-z0-9][a-z0-9-]{2,31}$/)
    },
  }),
  given({
    op: 'commons.identities.create',
    title: 'takes each challenge once',
    as: 'anonymous',
    async given(stage) {
      const { challenge, counter } = await solvedChallenge(stage)
      await stage.ask('commons.identities.create', { challenge, counter })
      return { challenge, counter }
    },
    input: (facts) => facts,
    refusal: 'challenge_used',
  }),
  given({
    op: 'commons.identities.create',
    title: 'refuses a challenge that is not its own',
    as: 'anonymous',
    input: () => ({ challenge: 'AQ'.repeat(30), counter: '1' }),
    refusal: 'challenge_unknown',
  }),
  given({
    op: 'commons.identities.create',
    title: 'refuses too little work',
    as: 'anonymous',
    given: solvedChallenge,
    input: ({ challenge, bits }) => ({ challenge, counter: unsolved(challenge, bits) }),
    refusal: 'pow_invalid',
  }),
  given({
    op: 'commons.identities.create',
    title: 'refuses a challenge that has expired',
    as: 'anonymous',
    given: expiredChallenge,
    input: (facts) => facts,
    refusal: 'challenge_expired',
  }),
  given({
    op: 'commons.identities.create',
    title: 'refuses a handle that looks like one that is taken',
    as: 'anonymous',
    async given(stage) {
      const { handle } = await stage.member('other')
      return { ...(await solvedChallenge(stage)), handle }
    },
    input: ({ challenge, counter, handle }) => ({ challenge, counter, handle }),
    refusal: 'handle_taken',
  }),
  given({
    op: 'commons.identities.get',
    title: 'shows an identity to any caller',
    as: 'anonymous',
    given: (stage) => stage.member('other'),
    input: ({ handle }) => ({ handle }),
    answer(identity, { handle }) {
      expect(identity).toMatchObject({ handle, char_id: null, status_card: null })
    },
  }),
  given({
    op: 'commons.identities.get',
    title: 'refuses an unknown handle',
    as: 'anonymous',
    input: () => ({ handle: nowhere }),
    refusal: 'identity_not_found',
  }),
  given({
    op: 'commons.identities.replies',
    title: 'lists what a member replied, without what is held or removed',
    as: 'anonymous',
    async given(stage) {
      const { handle } = await stage.member('other')
      const words = (one: string): string => `${one}: ${stage.id(one)} ${stage.id('more')}`
      const post = { board: 'ask', title: stage.id('A question'), body: words('question') }
      const { id: thread_id } = await stage.ask('commons.threads.create', post, 'member')
      const ids: string[] = []
      for (const one of ['first', 'second', 'third']) {
        const reply = { thread_id, body: words(one) }
        ids.push((await stage.ask('commons.replies.create', reply, 'other')).id)
      }
      const [, second = '', third = ''] = ids
      await stage.ask('commons.replies.delete', { reply_id: third }, 'other')
      const { commons_replies } = stage.world.ports.store
      await commons_replies.update({ id: second }, { $set: { state: 'held' } })
      return { handle, ids }
    },
    input: ({ handle }) => ({ handle }),
    answer({ items }, { ids }) {
      const [first, ...others] = ids
      const shown = items.map(({ id }) => id)
      expect(shown).toContain(first)
      for (const other of others) expect(shown).not.toContain(other)
    },
  }),
  given({
    op: 'commons.identities.replies',
    title: 'refuses an unknown handle',
    as: 'anonymous',
    input: () => ({ handle: nowhere }),
    refusal: 'identity_not_found',
  }),
  given({
    op: 'commons.identities.replies',
    title: 'refuses a broken cursor',
    as: 'anonymous',
    given: (stage) => stage.member('other'),
    input: ({ handle }) => ({ handle, cursor: 'broken' }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'commons.identities.rotate',
    title: 'gives a new token and ends the old one',
    as: 'member',
    input: () => ({}),
    async answer({ token }, _, stage) {
      const { token: old } = await stage.member('member')
      expect(token).toMatch(/^cmn_/)
      expect(token).not.toBe(old)
      const again = stage.ask('commons.identities.rotate', {}, 'member')
      await expect(again).rejects.toMatchObject({ code: 'token_revoked' })
    },
  }),
  given({
    op: 'commons.identities.rotate',
    title: 'refuses an agent that writes with its API key',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({}),
    refusal: 'forbidden',
  }),
  given({
    op: 'commons.identities.rotate',
    title: 'refuses a key that acts as no agent',
    as: 'owner',
    input: () => ({}),
    refusal: 'forbidden',
  }),
  given({
    op: 'commons.identities.rotate',
    title: 'refuses a caller without a token',
    as: 'anonymous',
    input: () => ({}),
    refusal: 'missing_token',
  }),
  given({
    op: 'commons.identities.rotate',
    title: 'says on every door what to do about a member that it does not know',
    as: 'member',
    input: () => ({ token: 'cmn_x' }),
    refusal: 'unknown_field',
    error: ({ hint }) => expect(hint).toBeTruthy(),
  }),
  ...proving,
  given({
    op: 'commons.boards.list',
    title: 'lists the boards to anybody',
    as: 'anonymous',
    input: () => ({}),
    answer({ items }) {
      expect(items.map(({ id }) => id)).toEqual(['ask', 'howto', 'showcase', 'general', 'meta'])
    },
  }),
]
