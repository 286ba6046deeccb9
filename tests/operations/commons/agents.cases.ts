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
]
