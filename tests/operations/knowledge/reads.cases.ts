import { expect } from 'vitest'
import { settled } from '#tests/knowledge/settled.ts'
import {
  agent,
  agentRefusals,
  brokenCursor,
  given,
  passOn,
  type Case,
  type Stage,
} from '../case.ts'

const text = { title: 'Opening hours', content: '# Hours\n\nThe harbour office opens at nine.' }

const knowing = async (stage: Stage): Promise<{ char_id: string; item_id: string }> => {
  const char_id = await agent(stage)
  const { id } = await stage.ask('knowledge.texts.add', { char_id, ...text })
  return { char_id, item_id: id }
}

const hasRead = async (stage: Stage): Promise<{ char_id: string; item_id: string }> => {
  const facts = await knowing(stage)
  await settled(stage.world.ports, [facts.item_id])
  return facts
}

/** An agent of the stranger's under whose id there still is what the owner's agent knew. */
const takenOver = async (stage: Stage): Promise<{ char_id: string; item_id: string }> => {
  const facts = await hasRead(stage)
  await passOn(stage, facts.char_id)
  return facts
}

/** What is asked of items, and of what is in them. */
export const knowledgeReads: readonly Case[] = [
  given({
    op: 'knowledge.list',
    title: 'items are listed newest first, page by page, also by status',
    as: 'owner',
    given: async (stage) => {
      const { char_id, item_id } = await hasRead(stage)
      const second = await stage.ask('knowledge.texts.add', { char_id, ...text, title: 'Second' })
      await settled(stage.world.ports, [second.id])
      return { char_id, ids: [second.id, item_id] }
    },
    input: ({ char_id }) => ({ char_id, limit: 1, status: 'indexed' }),
    answer: async (answer, { char_id, ids }, stage) => {
      expect(answer.items).toMatchObject([{ id: ids[0], title: 'Second' }])
      const cursor = answer.next_cursor
      const rest = { char_id, limit: 1, status: 'indexed', cursor }
      const next = await stage.ask('knowledge.list', rest)
      expect(next.items).toMatchObject([{ id: ids[1] }])
      expect(next.next_cursor).toBeNull()
      const failed = await stage.ask('knowledge.list', { char_id, status: 'failed' })
      expect(failed.items).toEqual([])
    },
  }),
  brokenCursor(
    'knowledge.list',
    (char_id) => ({ char_id }),
    (stage) => agent(stage),
  ),
  given({
    op: 'knowledge.get',
    title: 'an item tells how far it is',
    as: 'owner',
    given: hasRead,
    input: (facts) => facts,
    answer: (answer, { char_id, item_id }) =>
      expect(answer).toMatchObject({
        id: item_id,
        char_id,
        status: 'indexed',
        chunks: 1,
        bytes: text.content.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        media_type: 'text/markdown',
      }),
  }),
  ...(['get', 'delete'] as const).flatMap((name) => [
    given({
      op: `knowledge.${name}`,
      title: 'an item that is not there is not found',
      as: 'owner',
      given: knowing,
      input: ({ char_id }) => ({ char_id, item_id: 'kno_nothing' }),
      refusal: 'knowledge_not_found',
    }),
    given({
      op: `knowledge.${name}`,
      title: "another agent's item is not found",
      as: 'owner',
      given: async (stage) => {
        const { item_id } = await knowing(stage)
        return { char_id: await agent(stage, 'grace'), item_id }
      },
      input: (facts) => facts,
      refusal: 'knowledge_not_found',
    }),
  ]),
  given({
    op: 'knowledge.delete',
    title: 'an item is forgotten at once, and the others stay',
    as: 'scoped',
    given: async (stage) => {
      const facts = await hasRead(stage)
      await stage.scopeTo(facts.char_id)
      const other = { char_id: facts.char_id, title: 'Other', content: 'The harbour is deep.' }
      const { id } = await stage.ask('knowledge.texts.add', other)
      await settled(stage.world.ports, [id])
      return { ...facts, other: id }
    },
    input: ({ char_id, item_id }) => ({ char_id, item_id }),
    answer: async (answer, { char_id, item_id, other }, stage) => {
      expect(answer).toEqual({ id: item_id, deleted: true })
      const hits = await stage.ask('knowledge.search', { char_id, q: 'harbour' })
      expect(hits.items).toMatchObject([{ item_id: other }])
    },
  }),
  given({
    op: 'knowledge.search',
    title: 'the best pieces come first, with where they stand',
    as: 'scoped',
    given: async (stage) => {
      const { char_id } = await hasRead(stage)
      await stage.scopeTo(char_id)
      const other = { char_id, title: 'Weather', content: 'The office is cold in winter.' }
      const { id } = await stage.ask('knowledge.texts.add', other)
      await settled(stage.world.ports, [id])
      return char_id
    },
    input: (char_id) => ({ char_id, q: 'harbour office' }),
    answer: (answer) =>
      expect(answer.items).toMatchObject([
        {
          title: 'Opening hours',
          url: null,
          position: 0,
          heading: 'Hours',
          text: expect.stringContaining('opens at nine'),
          score: expect.any(Number),
        },
        { title: 'Weather' },
      ]),
  }),
  given({
    op: 'knowledge.search',
    title: 'a new agent with the id of a deleted one finds nothing of it',
    as: 'stranger',
    given: async (stage) => {
      const { char_id } = await hasRead(stage)
      await stage.ask('characters.delete', { char_id })
      await stage.ask('characters.create', { character: { id: char_id, name: 'New' } }, 'stranger')
      return char_id
    },
    input: (char_id) => ({ char_id, q: 'harbour office' }),
    answer: (answer) => expect(answer.items).toEqual([]),
  }),
  ...[['knowledge.list', {}] as const, ['knowledge.search', { q: 'harbour office' }] as const].map(
    ([op, more]) =>
      given({
        op,
        title: 'what another account has left under the id of an agent is not shown',
        as: 'stranger',
        given: takenOver,
        input: ({ char_id }) => ({ char_id, ...more }),
        answer: (answer) => expect(answer.items).toEqual([]),
      }),
  ),
  ...['knowledge.get', 'knowledge.delete'].map((op) =>
    given({
      op,
      title: 'what another account has left under the id of an agent is not there',
      as: 'stranger',
      given: takenOver,
      input: (facts) => facts,
      refusal: 'knowledge_not_found',
    }),
  ),
  ...['', 'x'.repeat(501)].map((q) =>
    given({
      op: 'knowledge.search',
      title: `a query has 1 to 500 characters, and not ${q.length}`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, q }),
      refusal: 'invalid_input',
    }),
  ),
  ...agentRefusals('knowledge.list', (char_id) => ({ char_id })),
  ...agentRefusals('knowledge.get', (char_id) => ({ char_id, item_id: 'kno_1' })),
  ...agentRefusals('knowledge.delete', (char_id) => ({ char_id, item_id: 'kno_1' })),
  ...agentRefusals('knowledge.search', (char_id) => ({ char_id, q: 'tides' })),
]
