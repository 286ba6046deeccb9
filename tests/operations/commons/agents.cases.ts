import { expect } from 'vitest'
import { agent, given, nowhere, type Case, type Made, type Stage } from '#tests/operations/case.ts'
import { solved } from '#tests/support/members.ts'

const asked = (stage: Stage, as_char_id?: string) => ({
  board: 'ask',
  title: stage.id('How do I resume a stream'),
  body: `${stage.id('It breaks off')} ${stage.id('again')} ${stage.id('and again')}`,
  ...(as_char_id !== undefined && { as_char_id }),
})

const stranger = async (stage: Stage): Promise<string> => {
  const id = stage.id('theirs')
  await stage.ask('characters.create', { character: { id, name: 'Eve' } }, 'stranger')
  return id
}

/** Its account has proved work, so that its agents may vote. */
const proven = async (stage: Stage): Promise<string> => {
  const as_char_id = await agent(stage)
  const { challenge, bits } = await stage.ask<{ challenge: string; bits: number }>(
    'commons.challenge.get',
    {},
  )
  const counter = solved(challenge, bits)
  await stage.ask('commons.identities.prove', { challenge, counter, as_char_id })
  return as_char_id
}

const create = 'commons.threads.create'

/** A thread and its reply, each with a vote of an agent whose account's key reads them. */
async function votedOn(stage: Stage) {
  const as_char_id = await proven(stage)
  const tag = stage.id('tag').toLowerCase()
  const { id: thread_id } = await stage.ask(create, { ...asked(stage), tags: [tag] }, 'member')
  const body = `${stage.id('Count')} ${stage.id('the bytes')} ${stage.id('of it')}`
  const { id } = await stage.ask('commons.replies.create', { thread_id, body }, 'other')
  for (const target of [
    { target_type: 'thread', target_id: thread_id },
    { target_type: 'reply', target_id: id },
  ]) {
    await stage.ask('commons.votes.cast', { ...target, value: 1, as_char_id })
  }
  return { thread_id, tag, as_char_id }
}

/** What is read of threads, each by what it takes. */
const reads = [
  ['commons.threads.get', 'thread_id'],
  ['commons.threads.list', 'tag'],
  ['commons.replies.list', 'thread_id'],
] as const

const ownVotes = reads.flatMap(([op, by]): Case[] => [
  ...(['the agent that voted', 'another agent of the account'] as const).map((who, i) =>
    given({
      op,
      title: `shows a key of the account the vote they have together: named is ${who}`,
      as: 'owner',
      async given(stage) {
        const facts = await votedOn(stage)
        return i === 0 ? facts : { ...facts, as_char_id: await agent(stage, 'grace') }
      },
      input: (facts) => ({ [by]: facts[by], as_char_id: facts.as_char_id }),
      answer: (answer: Made) =>
        expect(
          ((answer.items ?? [answer]) as readonly Made[]).map(({ my_vote }) => my_vote),
        ).toEqual([1]),
    }),
  ),
  given({
    op,
    title: "an agent that is not the account's reads nothing for it",
    as: 'owner',
    given: async (stage) => ({ ...(await votedOn(stage)), as_char_id: await stranger(stage) }),
    input: (facts) => ({ [by]: facts[by], as_char_id: facts.as_char_id }),
    refusal: 'character_not_found',
  }),
  given({
    op,
    title: 'a handle reads as no agent',
    as: 'member',
    given: votedOn,
    input: (facts) => ({ [by]: facts[by], as_char_id: facts.as_char_id }),
    refusal: 'forbidden',
  }),
  given({
    op,
    title: 'without a credential no agent can be named',
    as: 'anonymous',
    given: votedOn,
    input: (facts) => ({ [by]: facts[by], as_char_id: facts.as_char_id }),
    refusal: 'missing_token',
  }),
])

const heldReads = given({
  op: 'commons.threads.get',
  title: 'a key of the account reads what is held of the agent that it names',
  as: 'owner',
  async given(stage) {
    const as_char_id = await agent(stage)
    const { id } = await stage.ask(create, { ...asked(stage), as_char_id })
    await stage.world.ports.store.commons_standings.update({ id }, { $set: { state: 'held' } })
    return { thread_id: id, as_char_id }
  },
  input: (facts) => facts,
  answer: (answer) =>
    expect(answer).toMatchObject({ state: 'held', title: expect.any(String) as unknown }),
})

/** What a key of an account writes as one of its agents. */
export const commonsAgents: readonly Case[] = [
  given({
    op: create,
    title: 'a key of the account writes as the agent that it names',
    as: 'owner',
    again: true,
    given: (stage) => agent(stage),
    input: (id, stage) => asked(stage, id),
    answer: async (answer, id, stage) => {
      expect(answer.author).toMatchObject({ kind: 'agent', char_id: id })
      const me: Made = await stage.ask('commons.me.get', { as_char_id: id })
      expect(me.identity.handle).toBe(answer.author.handle)
    },
  }),
  given({
    op: 'commons.replies.create',
    title: 'a key of the account answers as the agent that it names',
    as: 'owner',
    given: async (stage) => {
      const { id } = await stage.ask(create, asked(stage), 'member')
      return { thread_id: id, as_char_id: await agent(stage) }
    },
    input: (facts, stage) => ({ ...facts, body: `Send it again: ${stage.id('the last id')}` }),
    answer: ({ author }, { as_char_id }) => expect(author.char_id).toBe(as_char_id),
  }),
  given({
    op: 'commons.votes.cast',
    title: 'agents that a key of the account names have one vote together',
    as: 'owner',
    given: async (stage) => {
      const { id } = await stage.ask(create, asked(stage), 'member')
      const vote = { target_type: 'thread', target_id: id, value: 1 }
      await stage.ask('commons.votes.cast', { ...vote, as_char_id: await proven(stage) })
      return { ...vote, as_char_id: await agent(stage, 'grace') }
    },
    input: (vote) => vote,
    answer: (answer) => expect(answer).toMatchObject({ score: 1, my_vote: 1 }),
  }),
  given({
    op: 'commons.messages.send',
    title: 'a key of the account sends letters as the agent that it names',
    as: 'owner',
    given: async (stage) => ({ as_char_id: await agent(stage), ...(await stage.member('other')) }),
    input: ({ as_char_id, handle: to }) => ({ as_char_id, to, body: 'Are you there?' }),
    answer: async (_, { as_char_id }, stage) => {
      const { items } = await stage.ask('commons.messages.inbox', { as_char_id })
      expect(items).toHaveLength(1)
    },
  }),
  given({
    op: 'commons.me.get',
    title: 'a key of one agent may name that one',
    as: 'scoped',
    given: async (stage) => {
      const id = await agent(stage)
      await stage.scopeTo(id)
      return id
    },
    input: (as_char_id) => ({ as_char_id }),
    answer: ({ identity }, id) => expect(identity.char_id).toBe(id),
  }),
  given({
    op: create,
    title: 'a key of one agent names no other of its account',
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage))
      return agent(stage, 'grace')
    },
    input: (id, stage) => asked(stage, id),
    refusal: 'forbidden',
    error: ({ hint }) => expect(hint).toContain('as_char_id'),
  }),
  given({
    op: create,
    title: 'a handle writes as no agent',
    as: 'member',
    given: (stage) => agent(stage),
    input: (id, stage) => asked(stage, id),
    refusal: 'forbidden',
  }),
  given({
    op: create,
    title: 'a key of the account that names no agent is told how to',
    as: 'owner',
    input: (_, stage) => asked(stage),
    refusal: 'forbidden',
    error: ({ hint }) => expect(hint).toContain('as_char_id'),
  }),
  ...[stranger, () => Promise.resolve(nowhere)].map((named, i) =>
    given({
      op: create,
      title: `an agent that is not the account's is not there (${i === 0 ? "another's" : 'no one'})`,
      as: 'owner',
      given: named,
      input: (id, stage) => asked(stage, id),
      refusal: 'character_not_found',
      error: (error, id) =>
        expect(error).toMatchObject({
          detail: `This account has no agent "${id}".`,
          hint: '`characters.list` lists those that there are.',
        }),
    }),
  ),
  given({
    op: create,
    title: 'the id of an agent that is misspelled is told with the nearest of the account',
    as: 'owner',
    given: (stage) => agent(stage, 'margaret'),
    input: (id, stage) => asked(stage, id.slice(0, -1)),
    refusal: 'character_not_found',
    error: ({ hint }, id) => expect(hint).toContain(`{"char_id":"${id}"}`),
  }),
  ...ownVotes,
  heldReads,
]
