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

const asked = { budget_id: 'all', period: 'month', limit_cents: 500 } as const

const kept = async (stage: Stage): Promise<void> => {
  await stage.ask('budgets.put', asked)
}

export const budgets: readonly Case[] = [
  given({
    op: 'budgets.put',
    title: 'a budget counts what was spent before it was set',
    as: 'owner',
    given: async (stage) => {
      const { id: owner_id } = await stage.ask('account.get', {})
      await spend(stage.world.ports, { owner_id }, callOf({ input_tokens: 400 }))
      await spend(stage.world.ports, { owner_id }, callOf({ input_tokens: 1 }, 'free'))
    },
    input: () => asked,
    answer: (answer) => {
      const stands = { state: 'warned', spent_cents: 400, unpriced_calls: 1 }
      const whole = { id: 'all', char_id: null, app_id: null, warn_at_percent: 80, ...stands }
      expect(answer).toMatchObject({ ...whole, period: 'month', limit_cents: 500 })
    },
  }),
  given({
    op: 'budgets.put',
    title: 'it replaces the one of the same id',
    as: 'owner',
    given: async (stage) => {
      await kept(stage)
      return agent(stage)
    },
    input: (char_id) => ({ ...asked, char_id, limit_cents: 0, warn_at_percent: null }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toMatchObject({ char_id, state: 'used_up', warn_at_percent: null })
      expect((await stage.ask('budgets.list', {})).items).toHaveLength(1)
    },
  }),
  given({
    op: 'budgets.put',
    title: 'an agent that there is not is refused',
    as: 'owner',
    input: (_, stage) => ({ ...asked, char_id: stage.id('none') }),
    refusal: 'character_not_found',
  }),
  given({
    op: 'budgets.put',
    title: 'so is the agent of another account',
    as: 'stranger',
    given: (stage) => agent(stage),
    input: (char_id) => ({ ...asked, char_id }),
    refusal: 'forbidden',
  }),
  given({
    op: 'budgets.put',
    title: 'and an app that there is not',
    as: 'owner',
    input: (_, stage) => ({ ...asked, app_id: stage.id('none') }),
    refusal: 'app_not_found',
  }),
  ...[{ app_id: 'a', char_id: 'b' }, { limit_cents: 0.5 }, { limit_cents: -1 }].map((wrong) =>
    given({
      op: 'budgets.put',
      title: `${JSON.stringify(wrong)} is refused`,
      as: 'owner',
      input: () => ({ ...asked, ...wrong }),
      refusal: 'invalid_input',
    }),
  ),
  given({
    op: 'budgets.list',
    title: 'an account sees its own alone',
    as: 'stranger',
    given: kept,
    input: () => ({}),
    answer: (answer) => expect(answer).toEqual({ items: [], next_cursor: null }),
  }),
  given({
    op: 'budgets.list',
    title: 'they come by their ids, page by page',
    as: 'owner',
    given: async (stage) => {
      await stage.ask('budgets.put', { ...asked, budget_id: 'b' })
      await stage.ask('budgets.put', { ...asked, budget_id: 'a' })
      return (await stage.ask('budgets.list', { limit: 1 })).next_cursor
    },
    input: (cursor) => ({ limit: 1, cursor }),
    answer: ({ items, next_cursor }) => {
      expect(items).toMatchObject([{ id: 'b', state: 'open', spent_cents: 0 }])
      expect(next_cursor).toBeNull()
    },
  }),
  brokenCursor('budgets.list', () => ({})),
  given({
    op: 'budgets.delete',
    title: 'what is deleted is gone',
    as: 'owner',
    given: kept,
    input: () => ({ budget_id: 'all' }),
    answer: async (answer, _, stage) => {
      expect(answer).toEqual({ id: 'all', deleted: true })
      expect((await stage.ask('budgets.list', {})).items).toEqual([])
    },
  }),
  given({
    op: 'budgets.delete',
    title: 'the budget of another account is none',
    as: 'stranger',
    given: kept,
    input: () => ({ budget_id: 'all' }),
    refusal: 'budget_not_found',
  }),
  ...['budgets.put', 'budgets.list', 'budgets.delete'].map((op) =>
    given({
      op,
      title: 'a key that acts as an agent neither sees nor changes what the account may spend',
      as: 'scoped',
      given: async (stage) => stage.scopeTo(await agent(stage)),
      input: () =>
        op === 'budgets.put' ? asked : op === 'budgets.list' ? {} : { budget_id: 'all' },
      refusal: 'scope_forbidden',
    }),
  ),
  ...needsKey('budgets.list', {}),
]
