import { expect } from 'vitest'
import { password } from '#tests/accounts/people/persons.ts'
import { book, topUp } from '#tests/money/wallet/movements.ts'
import { given, type Case, type Stage } from '../case.ts'
import { needsPerson } from './people.cases.ts'

/** An account of an agent that the person has claimed. */
async function claimed({ ask }: Stage): Promise<{ api_key: string }> {
  const { claim_url, api_key } = await ask('agent_claim.create', { name: 'Scout' }, 'anonymous')
  await ask('agent_claim.complete', { claim_code: claim_url.split('/').at(-1) }, 'person')
  return { api_key }
}

/** The person as they were signed in a while ago. */
export async function signedInLongAgo(stage: Stage) {
  const made = await stage.person('person')
  const created_at = new Date(Date.now() - 3_600_000).toISOString()
  const { sessions } = stage.world.ports.store
  await sessions.update({ id: made.session_id }, { $set: { created_at } })
  return made
}

const confirming: Case[] = [
  ...needsPerson('auth.confirm', { password }),
  given({
    op: 'auth.confirm',
    title: 'a session of long ago may do then what cannot be undone',
    as: 'person',
    given: signedInLongAgo,
    input: () => ({ password }),
    async answer(answer, { email }, { ask }) {
      expect(answer).toEqual({ confirmed_until: expect.stringMatching(/^20.*Z$/) })
      const gone = await ask('account.delete', { confirm: email }, 'person')
      expect(gone).toMatchObject({ deleted: true })
    },
  }),
  given({
    op: 'auth.confirm',
    title: 'another password shows nothing',
    as: 'person',
    input: () => ({ password: 'some other words in a row' }),
    refusal: 'login_failed',
  }),
]

const exporting: Case[] = [
  ...needsPerson('account.export', {}),
  given({
    op: 'account.export',
    title: 'all that the account has is in it, and no value of a secret or key',
    as: 'person',
    async given(stage) {
      const { ask } = stage
      const id = stage.id('mine')
      const heart = { tasks: [{ task_id: 't', name: 'T', runtime: 'template', prompt: 'Did it' }] }
      await ask('characters.create', { character: { id, name: 'Mine', heart } }, 'person')
      await ask(
        'characters.secrets.update',
        { char_id: id, secrets: [{ name: 'API', value: 'hush-1' }] },
        'person',
      )
      await ask('memory.put', { char_id: id, namespace: 'n', key: 'k', value: 'kept' }, 'person')
      await ask('tasks.run', { char_id: id, task_id: 't', input: '' }, 'person')
      const { key } = await ask('api_keys.create', { name: 'K' }, 'person')
      return { id, key }
    },
    input: () => ({}),
    async answer({ items, next_cursor }, { id, key }, { world, person }) {
      expect(next_cursor).toBeNull()
      const all = JSON.stringify(items)
      expect(all).not.toMatch(/hush-1|"sealed"|data_key|"hash":"[0-9a-f]{64}","account/)
      expect(all).not.toContain(key)
      expect(items).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'agent', of: null }),
          expect.objectContaining({ kind: 'task', of: id }),
          { kind: 'secret_names', of: id, document: [expect.objectContaining({ name: 'API' })] },
          expect.objectContaining({ kind: 'memory', of: id }),
          expect.objectContaining({ kind: 'run' }),
        ]),
      )
      const { token } = await person('person')
      const seen: unknown[] = []
      for (let cursor: string | undefined, n = 0; n < 200; n++) {
        const page = { limit: 1, ...(cursor !== undefined && { cursor }) }
        type Page = { items: unknown[]; next_cursor: string | null }
        const one = await world.ask<Page>('account.export', page, { token })
        seen.push(...one.items)
        if (one.next_cursor === null) break
        cursor = one.next_cursor
      }
      expect(seen.map((one) => JSON.stringify(one))).toHaveLength(items.length)
    },
  }),
  given({
    op: 'account.export',
    title: 'a cursor of something else is none',
    as: 'person',
    input: () => ({ cursor: 'nonsense' }),
    refusal: 'cursor_invalid',
  }),
]

const op = 'account.delete'
const deleting: Case[] = [
  ...needsPerson(op, { confirm: 'x' }),
  given({
    op,
    title: 'the person and their account are gone, with their keys',
    as: 'person',
    async given({ person, ask }) {
      const made = await person('person')
      const { key } = await ask('api_keys.create', { name: 'K' }, 'person')
      return { ...made, key }
    },
    input: ({ email }) => ({ confirm: email }),
    async answer(answer, { account_id, email, token, key }, { world, ask }) {
      expect(answer).toEqual({ id: account_id, deleted: true, person_deleted: true })
      const ended = { code: 'invalid_credential' }
      await expect(world.ask('auth.me', {}, { token })).rejects.toMatchObject(ended)
      await expect(world.ask('account.get', {}, key)).rejects.toMatchObject(ended)
      const back = ask('auth.login', { email, password }, 'anonymous')
      await expect(back).rejects.toMatchObject({ code: 'login_failed' })
    },
  }),
  given({
    op,
    title: 'a session of long ago has to be confirmed first',
    as: 'person',
    given: signedInLongAgo,
    input: ({ email }) => ({ confirm: email }),
    refusal: 'confirmation_needed',
    error: ({ hint }) => expect(hint).toContain('auth.confirm'),
  }),
  given({
    op,
    title: 'another name deletes nothing',
    as: 'person',
    input: () => ({ confirm: 'someone@example.org' }),
    refusal: 'invalid_input',
  }),
  given({
    op,
    title: 'money in the wallet is said first',
    as: 'person',
    async given(stage) {
      const made = await stage.person('person')
      const { store, payments } = stage.world.ports
      const currency = await payments.currency()
      await book(store, { ...topUp(made.account_id, 500, stage.id('top-up')), currency })
      return made
    },
    input: ({ email }) => ({ confirm: email }),
    refusal: 'wallet_not_empty',
    error: (error) => expect(error).toMatchObject({ available_cents: 500, bound_cents: 0 }),
  }),
  given({
    op,
    title: 'who holds other accounts deletes or leaves them first',
    as: 'person',
    async given(stage) {
      await claimed(stage)
      return stage.person('person')
    },
    input: ({ email }) => ({ confirm: email }),
    refusal: 'accounts_left',
  }),
  given({
    op,
    title: "an owner does not delete another person's own account",
    as: 'person',
    async given({ ask, person }) {
      const rival = await person('rival')
      const { url } = await ask('account.members.invite', { role: 'owner' }, 'rival')
      await ask('account.members.join', { code: url.split('/').at(-1) }, 'person')
      await ask('auth.sessions.choose', { account_id: rival.account_id }, 'person')
      return rival
    },
    input: ({ email }) => ({ confirm: email }),
    refusal: 'own_account',
  }),
]

/** What a person does who leaves. */
export const leaving: readonly Case[] = [...confirming, ...exporting, ...deleting]
