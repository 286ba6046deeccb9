import { expect } from 'vitest'
import type { AccountRole } from '#src/core/authorization/account-roles.ts'
import { newToken } from '#src/core/ids.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { given, nowhere, type Case, type Made, type Stage } from '../case.ts'
import { needsPerson } from './people.cases.ts'

const codeOf = ({ url }: Pick<Made, 'url'>): string => url.split('/').at(-1) ?? ''

async function invited(stage: Stage, more: object = {}): Promise<Made> {
  return stage.ask('account.members.invite', { role: 'approver', ...more }, 'person')
}

/** The rival is a member of the person's own account, and acts for it. */
async function joined(
  stage: Stage,
  role: AccountRole = 'approver',
): Promise<{ person: SignedInPerson; rival: SignedInPerson }> {
  const person = await stage.person('person')
  const rival = await stage.person('rival')
  await stage.ask('account.members.join', { code: codeOf(await invited(stage, { role })) }, 'rival')
  await stage.ask('auth.sessions.choose', { account_id: person.account_id }, 'rival')
  return { person, rival }
}

/** The person holds an account that they have claimed, and acts for it. */
async function holding(stage: Stage): Promise<SignedInPerson> {
  const { claim_url } = await stage.ask('agent_claim.create', { name: 'Desk' }, 'anonymous')
  await stage.ask('agent_claim.complete', { claim_code: claim_url.split('/').at(-1) }, 'person')
  const { accounts } = await stage.ask('auth.me', {}, 'person')
  const claimed = accounts.find(({ own }) => !own)
  await stage.ask('auth.sessions.choose', { account_id: claimed?.id }, 'person')
  return stage.person('person')
}

/** Only an owner may; a person who is less is told who may. */
function ownersOnly(op: string, input: object): Case {
  return given({
    op,
    title: 'a member who is no owner is told that an owner is needed',
    as: 'rival',
    given: (stage) => joined(stage),
    input: () => input,
    refusal: 'role_needed',
    error: (error) => expect(error).toMatchObject({ role: 'approver', roles_needed: ['owner'] }),
  })
}

const listing: Case[] = [
  ...needsPerson('account.members.list', {}),
  given({
    op: 'account.members.list',
    title: 'who holds the account comes first, then who has joined; links are not told again',
    as: 'rival',
    async given(stage) {
      const both = await joined(stage, 'reader')
      const { id } = await invited(stage, { email: 'grace@example.org' })
      return { ...both, id }
    },
    input: () => ({}),
    answer(answer, { person, rival, id }) {
      const { members, invitations } = answer as unknown as Record<string, object[]>
      expect(members).toMatchObject([
        { person_id: person.id, email: person.email, role: 'owner', joined_at: null, you: false },
        { person_id: rival.id, role: 'reader', invited_by: person.id, you: true },
      ])
      expect(invitations).toMatchObject([{ id, role: 'approver', email: 'grace@example.org' }])
      expect(JSON.stringify(answer)).not.toContain('abm_')
    },
  }),
]

const inviting: Case[] = [
  ...needsPerson('account.members.invite', { role: 'reader' }),
  ownersOnly('account.members.invite', { role: 'owner' }),
  given({
    op: 'account.members.invite',
    title: 'the link is told once, and kept as a hash',
    as: 'person',
    input: () => ({ role: 'approver', email: ' Grace@example.org ' }),
    async answer(answer, _, { world, person }) {
      const { id } = await person('person')
      expect(answer).toMatchObject({ role: 'approver', email: 'Grace@example.org', invited_by: id })
      expect(answer.url).toMatch(/\/join\/abm_[0-9A-Za-z]{38}$/)
      const kept = await world.ports.store.member_invitations.get(answer.id)
      expect(JSON.stringify(kept)).not.toContain(codeOf(answer))
    },
  }),
  given({
    op: 'account.members.invite',
    title: 'a member is not invited again, however the address is spelt',
    as: 'person',
    given: (stage) => joined(stage),
    input: ({ rival }) => ({ role: 'reader', email: rival.email.toUpperCase() }),
    refusal: 'already_member',
  }),
  ...['<b>grace</b>@example.org', 'gr\u202Eace@example.org', 'gr\u200Bace@example.org'].map(
    (email) =>
      given({
        op: 'account.members.invite',
        title: `${JSON.stringify(email)} is no address`,
        as: 'person',
        input: () => ({ role: 'reader', email }),
        refusal: 'invalid_input',
      }),
  ),
]

const joining: Case[] = [
  ...needsPerson('account.members.join', { code: newToken('abm') }),
  given({
    op: 'account.members.join',
    title: 'who is invited is a member, and acts for the account from then on',
    as: 'rival',
    given: (stage) => invited(stage, { role: 'reader' }),
    input: (made) => ({ code: ` ${codeOf(made)} ` }),
    async answer(answer, _, { person, ask }) {
      const { account_id } = await person('person')
      expect(answer).toEqual({ account_id, name: null, role: 'reader' })
      await ask('auth.sessions.choose', { account_id }, 'rival')
      const { id, role } = await ask('account.get', {}, 'rival')
      expect([id, role]).toEqual([account_id, 'reader'])
    },
  }),
  given({
    op: 'account.members.join',
    title: 'an address in another spelling is the same',
    as: 'rival',
    given: async (stage) =>
      invited(stage, { email: (await stage.person('rival')).email.toUpperCase() }),
    input: (made) => ({ code: codeOf(made) }),
    answer: (answer) => expect(answer.role).toBe('approver'),
  }),
  ...[newToken('abm'), newToken('inv'), 'abm_', ''].map((code) =>
    given({
      op: 'account.members.join',
      title: `the code ${JSON.stringify(code.slice(0, 4))} of no invitation is not found`,
      as: 'person',
      input: () => ({ code }),
      refusal: 'invitation_not_found',
    }),
  ),
  given({
    op: 'account.members.join',
    title: 'an invitation is accepted once',
    as: 'rival',
    async given(stage) {
      const code = codeOf(await invited(stage))
      const { token } = await signedInPerson(stage.world.ports)
      await stage.world.ask('account.members.join', { code }, { token })
      return code
    },
    input: (code) => ({ code }),
    refusal: 'invitation_used',
  }),
  given({
    op: 'account.members.join',
    title: 'an invitation has expired after its time',
    as: 'rival',
    async given(stage) {
      const made = await invited(stage)
      const past = { $set: { expires_at: '2020-01-01T00:00:00.000Z' } }
      await stage.world.ports.store.member_invitations.update({ id: made.id }, past)
      return made
    },
    input: (made) => ({ code: codeOf(made) }),
    refusal: 'invitation_void',
  }),
  given({
    op: 'account.members.join',
    title: 'an invitation for one address is for no one else, and does not tell whose it is',
    as: 'rival',
    given: (stage) => invited(stage, { email: 'grace@example.org' }),
    input: (made) => ({ code: codeOf(made) }),
    refusal: 'invitation_not_yours',
    error: (error) => expect(JSON.stringify(error)).not.toContain('grace'),
  }),
  given({
    op: 'account.members.join',
    title: 'who is a member already does not use it up',
    as: 'person',
    given: (stage) => invited(stage),
    input: (made) => ({ code: codeOf(made) }),
    refusal: 'already_member',
  }),
]

const changing: Case[] = [
  ...needsPerson('account.members.update', { member_id: 'usr_0', role: 'reader' }),
  ownersOnly('account.members.update', { member_id: 'usr_0', role: 'owner' }),
  given({
    op: 'account.members.update',
    title: 'a role holds from the next call on',
    as: 'person',
    given: (stage) => joined(stage, 'owner'),
    input: ({ rival }) => ({ member_id: rival.id, role: 'reader' }),
    async answer(answer, { rival }, { ask }) {
      expect(answer).toEqual({ person_id: rival.id, role: 'reader' })
      expect((await ask('account.get', {}, 'rival')).role).toBe('reader')
      const failing = ask('characters.create', { character: { name: 'Ada' } }, 'rival')
      await expect(failing).rejects.toMatchObject({ code: 'role_needed' })
    },
  }),
  given({
    op: 'account.members.update',
    title: 'who is no member is not found',
    as: 'person',
    given: (stage) => stage.person('rival'),
    input: ({ id }) => ({ member_id: id, role: 'reader' }),
    refusal: 'member_not_found',
  }),
  given({
    op: 'account.members.update',
    title: 'the last owner stays one',
    as: 'person',
    given: (stage) => holding(stage),
    input: ({ id }) => ({ member_id: id, role: 'reader' }),
    refusal: 'last_owner',
  }),
  given({
    op: 'account.members.update',
    title: 'whose own account it is stays its owner, however many are',
    as: 'rival',
    given: (stage) => joined(stage, 'owner'),
    input: ({ person }) => ({ member_id: person.id, role: 'reader' }),
    refusal: 'own_account',
  }),
]

const removing: Case[] = [
  ...needsPerson('account.members.delete', { member_id: 'usr_0' }),
  ownersOnly('account.members.delete', { member_id: 'usr_0' }),
  given({
    op: 'account.members.delete',
    title: 'who is removed acts for their own account again, and is told so where they name it',
    as: 'person',
    async given(stage) {
      const made = await joined(stage)
      await stage.ask('notifications.update', { digest_minutes: 5 }, 'rival')
      return made
    },
    input: ({ rival }) => ({ member_id: rival.id }),
    async answer(answer, { rival, person }, { ask, world }) {
      const id = `${person.account_id}/${rival.id}`
      expect(await world.ports.store.notification_settings.get(id)).toBeUndefined()
      expect(answer).toEqual({ id: rival.id, deleted: true })
      expect((await ask('account.get', {}, 'rival')).id).toBe(rival.account_id)
      const named = { token: rival.token, accountId: person.account_id }
      const failing = world.ask('account.get', {}, named)
      await expect(failing).rejects.toMatchObject({ code: 'forbidden' })
    },
  }),
  given({
    op: 'account.members.delete',
    title: 'a reader leaves by themselves',
    as: 'rival',
    given: (stage) => joined(stage, 'reader'),
    input: ({ rival }) => ({ member_id: rival.id }),
    answer: (answer) => expect(answer.warnings).toBeUndefined(),
  }),
  given({
    op: 'account.members.delete',
    title: 'the keys that a removed owner knows are warned of',
    as: 'person',
    given: (stage) => joined(stage, 'owner'),
    input: ({ rival }) => ({ member_id: rival.id }),
    answer: (answer) => expect(answer.warnings).toMatchObject([{ code: 'keys_remain' }]),
  }),
  given({
    op: 'account.members.delete',
    title: 'an invitation is withdrawn, and its link is none any more',
    as: 'person',
    given: (stage) => invited(stage),
    input: ({ id }) => ({ member_id: id }),
    async answer(_, made, { ask }) {
      const failing = ask('account.members.join', { code: codeOf(made) }, 'rival')
      await expect(failing).rejects.toMatchObject({ code: 'invitation_not_found' })
    },
  }),
  given({
    op: 'account.members.delete',
    title: 'who is no member is not found, nor is an invitation into another account',
    as: 'rival',
    given: (stage) => invited(stage),
    input: ({ id }) => ({ member_id: id }),
    refusal: 'member_not_found',
  }),
  given({
    op: 'account.members.delete',
    title: 'the last owner does not leave',
    as: 'person',
    given: (stage) => holding(stage),
    input: ({ id }) => ({ member_id: id }),
    refusal: 'last_owner',
  }),
  given({
    op: 'account.members.delete',
    title: 'no one leaves their own account',
    as: 'person',
    given: (stage) => stage.person('person'),
    input: ({ id }) => ({ member_id: id }),
    refusal: 'own_account',
  }),
]

const choosing: Case[] = [
  ...needsPerson('auth.sessions.choose', { account_id: null }),
  given({
    op: 'auth.sessions.choose',
    title: 'the session acts for the chosen account where no call names one',
    as: 'person',
    async given(stage) {
      await holding(stage)
      const { account_id } = await stage.ask('auth.me', {}, 'person')
      await stage.ask('auth.sessions.choose', { account_id: null }, 'person')
      return account_id
    },
    input: (account_id) => ({ account_id }),
    async answer(answer, account_id, { ask, person }) {
      expect(answer).toEqual({ account_id, role: 'owner' })
      const me = await ask('auth.me', {}, 'person')
      expect([me.account_id, me.session.account_id]).toEqual([account_id, account_id])
      const { account_id: own } = await person('person')
      await ask('auth.sessions.choose', { account_id: own }, 'person')
      expect((await ask('auth.me', {}, 'person')).session.account_id).toBeNull()
    },
  }),
  given({
    op: 'auth.sessions.choose',
    title: 'an account of others is refused like one that does not exist',
    as: 'person',
    given: (stage) => stage.person('rival'),
    input: ({ account_id }) => ({ account_id }),
    refusal: 'forbidden',
    error: (error) => expect(error.detail).toBe('You are no member of this account.'),
  }),
  given({
    op: 'auth.sessions.choose',
    title: 'an account that does not exist is refused',
    as: 'person',
    input: () => ({ account_id: nowhere }),
    refusal: 'forbidden',
    error: (error) => expect(error.detail).toBe('You are no member of this account.'),
  }),
]

/** The persons of an account. */
export const members: readonly Case[] = [
  ...listing,
  ...inviting,
  ...joining,
  ...changing,
  ...removing,
  ...choosing,
]
