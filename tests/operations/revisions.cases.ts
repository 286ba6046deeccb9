import { expect } from 'vitest'
import {
  agent,
  agentRefusals,
  brokenCursor,
  given,
  needsKey,
  staleRevision,
  type Case,
  type Made,
  type Stage,
} from './case.ts'

const list = 'characters.revisions.list'
const get = 'characters.revisions.get'
const restore = 'characters.revisions.restore'

/** An agent that was changed twice: its revisions 1 and 2 are kept. */
const changedTwice = async (stage: Stage): Promise<string> => {
  const char_id = await agent(stage, 'ada', {
    bio: 'First',
    extra: { a: 1 },
    heart: { tasks: [{ task_id: 't', name: 'T', prompt: 'first' }] },
  })
  await stage.ask('characters.update', { char_id, character: { bio: 'Second', skills: ['x'] } })
  const tasks = [{ task_id: 'u', name: 'U' }]
  await stage.ask('characters.update', { char_id, character: { heart: { tasks }, later: true } })
  return char_id
}

const listing: Case[] = [
  ...needsKey(list, { char_id: 'ada' }),
  given({
    op: list,
    title: 'each change is listed with what it ended, newest first',
    as: 'scoped',
    given: async (stage) => {
      const id = await changedTwice(stage)
      await stage.scopeTo(id)
      // What changes nothing is no change.
      await stage.ask('characters.update', { char_id: id, character: { bio: 'Second' } })
      return id
    },
    input: (char_id) => ({ char_id, limit: 1 }),
    answer: async (answer, char_id, stage) => {
      const [key] = (await stage.ask('api_keys.list', {})).items.filter(
        (one) => one.scope_char_id === null,
      )
      const about = { actor: key?.id, created_at: expect.any(String) }
      expect(answer.items).toEqual([{ revision: 2, changed: ['heart', 'later'], ...about }])
      const next = await stage.ask(list, { char_id, cursor: answer.next_cursor })
      expect(next).toEqual({
        items: [{ revision: 1, changed: ['bio', 'skills'], ...about }],
        next_cursor: null,
      })
    },
  }),
  given({
    op: list,
    title: 'the newest 50 are kept',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage)
      for (let i = 0; i < 53; i++) {
        await stage.ask('characters.update', { char_id, character: { bio: `${i}` } })
      }
      return char_id
    },
    input: (char_id) => ({ char_id, limit: 100 }),
    answer: ({ items }) => {
      expect(items).toHaveLength(50)
      expect([items[0]?.revision, items[49]?.revision]).toEqual([53, 4])
    },
  }),
  given({
    op: list,
    title: 'they go with the agent',
    as: 'owner',
    given: async (stage) => {
      const id = await changedTwice(stage)
      await stage.ask('characters.delete', { char_id: id })
      await stage.ask('characters.create', { character: { id, name: 'Again' } })
      return id
    },
    input: (char_id) => ({ char_id }),
    answer: ({ items }) => expect(items).toEqual([]),
  }),
  ...agentRefusals(list, (char_id) => ({ char_id })),
  brokenCursor(
    list,
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
]

const reading: Case[] = [
  ...needsKey(get, { char_id: 'ada', revision: 1 }),
  given({
    op: get,
    title: 'an agent is read as it was, with its tasks and with no secret',
    as: 'scoped',
    given: async (stage) => {
      const config = { path: stage.id('hook'), secret: 'signed with this' }
      const triggers = [{ type: 'webhook', config }]
      const task = { task_id: 't', name: 'T', prompt: 'first', triggers }
      const char_id = await agent(stage, 'ada', { heart: { tasks: [task] } })
      const was = await stage.ask('characters.get', { char_id })
      await stage.ask('characters.update', { char_id, character: { bio: 'Second', heart: null } })
      await stage.scopeTo(char_id)
      return { char_id, was }
    },
    input: ({ char_id }) => ({ char_id, revision: 1 }),
    answer: async (answer, { char_id, was }, stage) => {
      const { items } = await stage.ask(list, { char_id })
      expect(answer).toEqual(Object.assign({ character: was }, items[0]))
      expect(items[0]).toMatchObject({ revision: 1, changed: ['bio', 'heart'] })
      expect(JSON.stringify(answer)).toContain('"secret":"***"')
    },
  }),
  given({
    op: get,
    title: 'a revision that is not kept is not found',
    as: 'owner',
    given: changedTwice,
    input: (char_id) => ({ char_id, revision: 3 }),
    refusal: 'revision_not_found',
  }),
  ...agentRefusals(get, (char_id) => ({ char_id, revision: 1 })),
]

const restoring: Case[] = [
  ...needsKey(restore, { char_id: 'ada', revision: 1 }),
  given({
    op: restore,
    title: 'profile and tasks become what they were, as a new revision',
    as: 'owner',
    given: changedTwice,
    input: (char_id) => ({ char_id, revision: 1 }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toMatchObject({ bio: 'First', skills: [], revision: 4, extra: { a: 1 } })
      expect(answer).not.toHaveProperty('later')
      expect(answer).not.toHaveProperty('warnings')
      const tasks = answer.heart.tasks as readonly Made[]
      expect(tasks).toMatchObject([{ task_id: 't', prompt: 'first' }])
      expect(await stage.ask('characters.get', { char_id })).toEqual(answer)
      const { items } = await stage.ask(list, { char_id })
      expect(items.map((item) => item.revision)).toEqual([3, 2, 1])
      // What it was until now can be brought back too.
      const back = await stage.ask(restore, { char_id, revision: 3 })
      expect(back).toMatchObject({ bio: 'Second', later: true, revision: 5 })
      expect(back.heart.tasks).toMatchObject([{ task_id: 'u' }])
    },
  }),
  given({
    op: restore,
    title: 'the secret of a trigger stays where it is kept, and without one the trigger is off',
    as: 'scoped',
    given: async (stage) => {
      const hook = (path: string) => ({
        type: 'webhook',
        config: { path, secret: 'signed with this' },
      })
      const stays = { task_id: 'stays', name: 'Stays', prompt: 'x', triggers: [hook('a')] }
      const goes = { ...stays, task_id: 'goes', name: 'Goes', order: 1, triggers: [hook('b')] }
      const char_id = await agent(stage, 'ada', { heart: { tasks: [stays, goes] } })
      const tasks = [{ ...stays, prompt: 'other', triggers: [{ ...hook('a') }] }]
      await stage.ask('characters.update', { char_id, character: { heart: { tasks } } })
      await stage.scopeTo(char_id)
      return char_id
    },
    input: (char_id) => ({ char_id, revision: 1 }),
    answer: async (answer, char_id, stage) => {
      expect(answer.heart.tasks).toMatchObject([
        { task_id: 'stays', triggers: [{ enabled: true, config: { path: 'a', secret: '***' } }] },
        { task_id: 'goes', triggers: [{ enabled: false, config: { path: 'b' } }] },
      ])
      const pointer = '/heart/tasks/1/triggers/0/config/secret'
      expect(answer.warnings).toMatchObject([{ code: 'secret_lost', pointer }])
      const text = JSON.stringify(
        await stage.world.ports.store.character_revisions.find({ char_id }),
      )
      expect(text).not.toContain('signed with this')
    },
  }),
  given({
    op: restore,
    title: 'a revision that is not kept is not found',
    as: 'owner',
    given: changedTwice,
    input: (char_id) => ({ char_id, revision: 77 }),
    refusal: 'revision_not_found',
  }),
  given({
    op: restore,
    title: 'a scoped key cannot reach a sibling',
    as: 'scoped',
    given: async (stage) => {
      await stage.scopeTo(await agent(stage))
      return changedTwice(stage)
    },
    input: (char_id) => ({ char_id, revision: 1 }),
    refusal: 'forbidden',
  }),
  staleRevision(restore, async (stage) => ({ char_id: await changedTwice(stage), revision: 1 })),
  ...agentRefusals(restore, (char_id) => ({ char_id, revision: 1 })),
]

export const revisions: readonly Case[] = [...listing, ...reading, ...restoring]
