import { expect } from 'vitest'
import {
  agent,
  brokenCursor,
  given,
  needsKey,
  type Case,
  type Stage,
} from '#tests/operations/case.ts'
import { book, charge, hold, topUp } from '#tests/money/wallet/movements.ts'

/** Ids of both accounts: the owner has paid the stranger 3 euros of 10, and 2 are held. */
const traded = async (stage: Stage): Promise<{ owner: string; stranger: string; char: string }> => {
  const { id: owner } = await stage.ask('account.get', {})
  const { id: stranger } = await stage.ask('account.get', {}, 'stranger')
  const { store } = stage.world.ports
  const char = stage.id('ada')
  const cause = stage.id('cause')
  const sale = charge(owner, stranger, 300, `${cause}/sale`)
  const lines = sale.lines.map((line) => ({ ...line, char_id: char, reference: 'ord_1' }))
  await book(store, topUp(owner, 1000, `${cause}/paid`))
  await book(store, hold(owner, 500, `${cause}/held`))
  await book(store, { ...sale, lines })
  return { owner, stranger, char }
}

export const wallet: readonly Case[] = [
  given({
    op: 'wallet.balance',
    title: 'a wallet that nothing was ever paid into is all zeros',
    as: 'owner',
    input: () => ({}),
    answer: async (answer, _, stage) => {
      const currency = await stage.world.ports.payments.currency()
      const nothing = { available_cents: 0, pending_cents: 0, held_cents: 0 }
      expect(answer).toEqual({ currency, ...nothing, updated_at: null })
    },
  }),
  given({
    op: 'wallet.balance',
    title: 'it holds what was paid and not yet spent',
    as: 'owner',
    given: traded,
    input: () => ({}),
    answer: (answer) => {
      const held = { available_cents: 500, pending_cents: 0, held_cents: 200 }
      expect(answer).toMatchObject({ currency: 'eur', ...held })
      expect(JSON.stringify(answer)).toMatch(/"updated_at":"\d{4}-/)
    },
  }),
  given({
    op: 'wallet.balance',
    title: 'it stays when the agents of the account are deleted',
    as: 'stranger',
    given: async (stage) => {
      await traded(stage)
      const char_id = stage.id('eve')
      const character = { id: char_id, name: 'Eve' }
      await stage.ask('characters.create', { character }, 'stranger')
      await stage.ask('characters.delete', { char_id }, 'stranger')
    },
    input: () => ({}),
    answer: (answer) => expect(answer).toMatchObject({ available_cents: 300 }),
  }),
  ...['wallet.balance', 'wallet.transactions'].map((op) =>
    given({
      op,
      title: 'a key that acts as an agent does not see what the account has',
      as: 'scoped',
      given: async (stage) => stage.scopeTo(await agent(stage)),
      input: () => ({}),
      refusal: 'scope_forbidden',
    }),
  ),
  given({
    op: 'wallet.transactions',
    title: 'they are listed newest first, each with what was left after it, page by page',
    as: 'owner',
    given: traded,
    input: () => ({ limit: 2 }),
    answer: async (answer, { char }, stage) => {
      const sold = { char_id: char, reference: 'ord_1', currency: 'eur', status: 'posted' }
      expect(answer.items).toMatchObject([
        { kind: 'charge', amount_cents: -300, balance_after_cents: 500, ...sold },
        { kind: 'release', amount_cents: 300, balance_after_cents: 800, ...sold },
      ])
      expect(JSON.stringify(answer)).not.toMatch(/"(wallet|entry|nth|char_kind)"/)
      const more = { limit: 2, cursor: answer.next_cursor }
      const rest = await stage.ask('wallet.transactions', more)
      expect(rest.items).toMatchObject([
        { kind: 'hold', amount_cents: -500, balance_after_cents: 500, char_id: null },
        { kind: 'top_up', amount_cents: 1000, balance_after_cents: 1000, reference: null },
      ])
      expect(rest.next_cursor).toBeNull()
    },
  }),
  ...[
    { narrow: { kind: 'earning' }, shown: ['earning'] },
    { narrow: { kind: 'earning', of: 'char' }, shown: ['earning'] },
    { narrow: { of: 'char' }, shown: ['earning'] },
    { narrow: { kind: 'payout' }, shown: [] },
    { narrow: { kind: 'top_up', of: 'char' }, shown: [] },
    { narrow: { char_id: 'another' }, shown: [] },
  ].map(({ narrow: { of, ...narrow }, shown }) =>
    given({
      op: 'wallet.transactions',
      title: `one's own alone are listed, narrowed by ${JSON.stringify({ ...narrow, of })}`,
      as: 'stranger',
      given: traded,
      input: ({ char }) => ({ ...narrow, ...(of && { char_id: char }) }),
      answer: (answer) => expect(answer.items.map(({ kind }) => kind)).toEqual(shown),
    }),
  ),
  given({
    op: 'wallet.transactions',
    title: 'a cursor of another kind of lines is refused',
    as: 'owner',
    given: async (stage) => {
      await traded(stage)
      return stage.ask('wallet.transactions', { limit: 1 })
    },
    input: ({ next_cursor }) => ({ limit: 1, kind: 'hold', cursor: next_cursor }),
    refusal: 'cursor_invalid',
  }),
  given({
    op: 'wallet.transactions',
    title: 'there is no such kind',
    as: 'owner',
    input: () => ({ kind: 'gift' }),
    refusal: 'invalid_input',
  }),
  brokenCursor('wallet.transactions', () => ({})),
  ...needsKey('wallet.balance', {}),
  ...needsKey('wallet.transactions', {}),
]
