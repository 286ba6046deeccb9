import { expect } from 'vitest'
import { claimDays } from '#src/accounts/account.ts'
import { digest, newToken } from '#src/core/ids.ts'
import { given, nowhere, type Case, type Stage } from '../case.ts'

interface Link {
  claim_code: string
  token: string
  api_key: string
}

/** A new account of an agent, as it hands its link to a person. */
async function link({ ask }: Stage): Promise<Link> {
  const { claim_url, token, api_key } = await ask(
    'agent_claim.create',
    { name: 'Scout' },
    'anonymous',
  )
  return { claim_code: claim_url.split('/').at(-1) ?? '', token, api_key }
}

const code = ({ claim_code }: Link): object => ({ claim_code })

/** A link with which this person has claimed or rejected the account. */
async function used(
  stage: Stage,
  op: 'complete' | 'reject',
  by: 'person' | 'rival',
): Promise<Link> {
  const made = await link(stage)
  await stage.ask(`agent_claim.${op}`, code(made), by)
  return made
}

/** A link as old as the day from which on it opens nothing. */
async function expired(stage: Stage): Promise<Link> {
  const made = await link(stage)
  const created_at = new Date(Date.now() - claimDays * 86_400_000).toISOString()
  const claim = { code_hash: digest(made.claim_code) }
  await stage.world.ports.store.claims.update(claim, { $set: { created_at } })
  return made
}

/** The link of an account that the operator has suspended since, or that was closed as it was not used. */
const ended =
  (member: 'suspended_at' | 'closed_at') =>
  async (stage: Stage): Promise<Link> => {
    const made = await link(stage)
    const { accounts, claims } = stage.world.ports.store
    const [claim] = await claims.find({ code_hash: digest(made.claim_code) })
    const change = { $set: { [member]: new Date().toISOString() } }
    await accounts.update({ id: claim?.account_id ?? '' }, change)
    return made
  }

/** What both may be refused with. */
function refusals(op: string): Case[] {
  return [
    given({
      op,
      title: 'an anonymous caller is told how to sign in',
      as: 'anonymous',
      given: link,
      input: code,
      refusal: 'unauthenticated',
      error: (error) => expect(error.hint).toContain('auth.login'),
    }),
    given({
      op,
      title: 'the key of the account itself cannot do it',
      as: 'owner',
      given: link,
      input: code,
      refusal: 'person_needed',
    }),
    ...Object.entries({
      'that never was': newToken('act'),
      'of another form': nowhere,
      'of no letters': '',
    }).map(([what, claim_code]) =>
      given({
        op,
        title: `a code ${what} is not found`,
        as: 'person',
        input: () => ({ claim_code }),
        refusal: 'claim_not_found',
      }),
    ),
    given({
      op,
      title: 'the claim token is no code',
      as: 'person',
      given: link,
      input: ({ token }) => ({ claim_code: token }),
      refusal: 'claim_not_found',
    }),
    given({
      op,
      title: 'an old link is late',
      as: 'person',
      given: expired,
      input: code,
      refusal: 'claim_expired',
    }),
    given({
      op,
      title: 'the link of a suspended account is refused as its keys are',
      as: 'person',
      given: ended('suspended_at'),
      input: code,
      refusal: 'account_suspended',
    }),
    given({
      op,
      title: 'the link of an account that was closed is late',
      as: 'person',
      given: ended('closed_at'),
      input: code,
      refusal: 'claim_rejected',
    }),
    given({
      op,
      title: 'what another person has claimed stays theirs',
      as: 'person',
      given: (stage) => used(stage, 'complete', 'rival'),
      input: code,
      refusal: 'already_claimed',
    }),
  ]
}

const completing: Case[] = [
  ...refusals('agent_claim.complete'),
  given({
    op: 'agent_claim.complete',
    title: 'the person holds the account, its key goes on working, and its quotas are wider',
    as: 'person',
    given: link,
    input: code,
    async answer(answer, { token, api_key, claim_code }, { person, ask, world }) {
      const { id } = await person('person')
      expect(answer).toEqual({ status: 'claimed', owner_id: id })
      const status = await ask('agent_claim.status', { token }, 'anonymous')
      expect(status).toEqual({ status: 'claimed', api_key, owner_id: id })
      const account = await world.ask<{ claimed: boolean }>('account.get', {}, api_key)
      expect(account.claimed).toBe(true)
      const [claim] = await world.ports.store.claims.find({ code_hash: digest(claim_code) })
      expect(claim).toMatchObject({ decided_by: id, decided_at: expect.stringMatching(/^20/) })
    },
  }),
  given({
    op: 'agent_claim.complete',
    title: 'the same person gets the same answer again',
    as: 'person',
    given: (stage) => used(stage, 'complete', 'person'),
    input: code,
    answer: async (answer, _, { person }) =>
      expect(answer).toEqual({ status: 'claimed', owner_id: (await person('person')).id }),
  }),
  given({
    op: 'agent_claim.complete',
    title: 'what was rejected cannot be claimed',
    as: 'person',
    given: (stage) => used(stage, 'reject', 'rival'),
    input: code,
    refusal: 'claim_rejected',
  }),
]

const recovering: Case[] = [
  given({
    op: 'agent_claim.status',
    title: 'no key is given back of a suspended account',
    as: 'anonymous',
    given: ended('suspended_at'),
    input: ({ token }) => ({ token }),
    refusal: 'account_suspended',
  }),
  given({
    op: 'agent_claim.status',
    title: 'no key is given back of a closed account',
    as: 'anonymous',
    given: ended('closed_at'),
    input: ({ token }) => ({ token }),
    refusal: 'claim_not_found',
  }),
  given({
    op: 'agent_claim.recover',
    title: 'what a person holds is theirs to recover, and the hint says where',
    as: 'anonymous',
    given: (stage) => used(stage, 'complete', 'person'),
    input: ({ token }) => ({ claim_token: token }),
    refusal: 'already_claimed',
    error: ({ hint }) => expect(hint).toMatch(/\/settings\.$/),
  }),
  given({
    op: 'agent_claim.recover',
    title: 'what a person has rejected stays closed',
    as: 'anonymous',
    given: (stage) => used(stage, 'reject', 'rival'),
    input: ({ token }) => ({ claim_token: token }),
    refusal: 'claim_rejected',
  }),
]

const rejecting: Case[] = [
  ...refusals('agent_claim.reject'),
  given({
    op: 'agent_claim.reject',
    title: 'no key of the account works any more, and its token gives nothing back',
    as: 'person',
    async given(stage) {
      const made = await link(stage)
      const { ask } = stage.world
      await ask('account.get', {}, made.api_key)
      const char_id = stage.id('scout')
      await ask('characters.create', { character: { id: char_id, name: 'S' } }, made.api_key)
      const scoped = { name: 'Scoped', scope_char_id: char_id }
      const { key } = await ask<{ key: string }>('api_keys.create', scoped, made.api_key)
      await ask('account.get', {}, key)
      return { ...made, scoped: key }
    },
    input: code,
    async answer(answer, { token, api_key, scoped }, { world }) {
      expect(answer).toEqual({ status: 'rejected' })
      for (const key of [api_key, scoped]) {
        const failing = world.ask('account.get', {}, key)
        await expect(failing).rejects.toMatchObject({ code: 'invalid_credential' })
      }
      const status = world.ask('agent_claim.status', { token })
      await expect(status).rejects.toMatchObject({ code: 'claim_not_found' })
    },
  }),
  given({
    op: 'agent_claim.reject',
    title: 'rejecting it again answers the same, even to another person',
    as: 'person',
    given: (stage) => used(stage, 'reject', 'rival'),
    input: code,
    answer: (answer) => expect(answer).toEqual({ status: 'rejected' }),
  }),
  given({
    op: 'agent_claim.reject',
    title: 'a person who has claimed it can no longer reject it',
    as: 'person',
    given: (stage) => used(stage, 'complete', 'person'),
    input: code,
    refusal: 'already_claimed',
  }),
]

/** What persons do with the link of a claim. */
export const claiming: Case[] = [...completing, ...recovering, ...rejecting]
