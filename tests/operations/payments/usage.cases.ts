import { expect } from 'vitest'
import {
  agent,
  brokenCursor,
  given,
  needsKey,
  type Case,
  type Stage,
} from '#tests/operations/case.ts'
import { callOf, spend } from '#tests/runs/spend/calls.ts'

/** Two agents have asked models today, one of them one without a price. */
const spent = async (stage: Stage): Promise<{ ada: string; today: string }> => {
  const { id: owner_id } = await stage.ask('account.get', {})
  const ada = stage.id('ada')
  const { ports } = stage.world
  await spend(ports, { owner_id, char_id: 'a-little' }, callOf({ input_tokens: 1 }))
  await spend(ports, { owner_id, char_id: 'unknown' }, callOf({ input_tokens: 9 }, 'free'))
  const large = { input_tokens: 30, cached_input_tokens: 10, output_tokens: 2 }
  await spend(ports, { owner_id, char_id: ada, app_id: 'desk' }, callOf(large))
  return { ada, today: ports.clock.now().toISOString().slice(0, 10) }
}

const figures = { calls: 1, cached_input_tokens: 0, output_tokens: 0, unpriced_calls: 0 }

export const usage: readonly Case[] = [
  given({
    op: 'usage.summary',
    title: 'where no model was asked, nothing was spent, and no cost is unknown',
    as: 'owner',
    input: () => ({}),
    answer: (answer) => {
      const nothing = { ...figures, calls: 0, input_tokens: 0, cost_cents: 0 }
      expect(answer).toMatchObject({ items: [], next_cursor: null, total: nothing })
    },
  }),
  given({
    op: 'usage.summary',
    title: 'a day is one row, with what is unknown of it',
    as: 'owner',
    given: spent,
    input: () => ({}),
    answer: (answer, { today }) => {
      const all = {
        calls: 3,
        input_tokens: 40,
        cached_input_tokens: 10,
        output_tokens: 2,
        cost_cents: 25,
        unpriced_calls: 1,
      }
      const whole = { items: [{ day: today, ...all }], next_cursor: null, to: today, total: all }
      expect(answer).toEqual({ from: `${today.slice(0, 7)}-01`, ...whole })
    },
  }),
  given({
    op: 'usage.summary',
    title: 'agents come dearest first, those of unknown cost last, page by page',
    as: 'owner',
    given: async (stage) => {
      const facts = await spent(stage)
      const asked = { by: 'agent', order: 'cost', from: facts.today, to: facts.today, limit: 2 }
      const { items, next_cursor } = await stage.ask('usage.summary', asked)
      expect(items.map(({ char_id }) => char_id)).toEqual([facts.ada, 'a-little'])
      return { ...asked, cursor: next_cursor }
    },
    input: (asked) => asked,
    answer: (answer) => {
      const unknown = { ...figures, input_tokens: 9, cost_cents: null, unpriced_calls: 1 }
      expect(answer).toMatchObject({ items: [{ char_id: 'unknown', ...unknown }] })
      expect(answer.next_cursor).toBeNull()
    },
  }),
  ...(['app', 'model'] as const).map((by) =>
    given({
      op: 'usage.summary',
      title: `by ${by} it lists them by name`,
      as: 'owner',
      given: spent,
      input: () => ({ by }),
      answer: ({ items }) => {
        const [free, priced] = [{ model: 'openai/free' }, { model: 'openai/priced' }]
        expect(items).toMatchObject(by === 'app' ? [{ app_id: 'desk' }] : [free, priced])
      },
    }),
  ),
  given({
    op: 'usage.summary',
    title: 'it tells nothing of other accounts',
    as: 'stranger',
    given: spent,
    input: () => ({ by: 'agent' }),
    answer: (answer) => expect(answer).toMatchObject({ items: [], total: { calls: 0 } }),
  }),
  given({
    op: 'usage.summary',
    title: 'a key that acts as an agent does not see what the account spends',
    as: 'scoped',
    given: async (stage) => stage.scopeTo(await agent(stage)),
    input: () => ({}),
    refusal: 'scope_forbidden',
  }),
  ...[
    { from: '2026-03-02', to: '2026-03-01' },
    { from: '2024-01-01', to: '2026-03-01' },
    { from: '2026-03-02', to: '2026-03-04', by: 'agent', order: 'cost' },
    { order: 'cost' },
    { from: '2026-02-30' },
  ].map((input) =>
    given({
      op: 'usage.summary',
      title: `${JSON.stringify(input)} is refused`,
      as: 'owner',
      input: () => input,
      refusal: 'invalid_input',
    }),
  ),
  brokenCursor('usage.summary', () => ({})),
  ...needsKey('usage.summary', {}),
]
