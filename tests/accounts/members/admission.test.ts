import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '#tests/accounts/people/persons.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { heldAccount, inviteCode, type Held } from './crew.ts'

const modes = oneStore().flatMap((kind) =>
  (['invited', 'closed'] as const).map((mode) => ({ kind, name: `${mode} on ${kind.name}`, mode })),
)

describe.each(modes)('an invitation into an account, where sign-up is $name', ({ kind, mode }) => {
  let world: World
  let held: Held
  beforeAll(async () => {
    const store = await kind.open()
    held = await heldAccount(openWorld(store))
    world = openWorld(store, { signUp: { mode, contact: undefined } })
  })
  afterAll(() => world.ports.store.close())

  const register = (email: string, invitation?: string) =>
    world
      .ask('auth.register', { email, password, ...(invitation && { invitation }) })
      .then(() => 'done')
      .catch(({ code }) => code as string)

  it('admits the one person whom it is for, once', async () => {
    const code = await inviteCode(world, held.holder, {
      role: 'reader',
      email: 'grace@example.org',
    })
    const comers = [
      await register('grace@example.org'),
      await register('alan@example.org', code),
      await register('GRACE@example.org', ` ${code}`),
    ]
    expect(comers).toEqual(['sign_up_closed', 'sign_up_closed', 'done'])
    const open = await inviteCode(world, held.holder, { role: 'reader' })
    const both = [await register('ada@example.org', open), await register('bob@example.org', open)]
    expect(both).toEqual(['done', 'sign_up_closed'])
  })

  it('admits no one once it is void, and gives no key', async () => {
    const code = await inviteCode(world, held.holder, { role: 'reader' })
    const claim = await world.refusal('agent_claim.create', { invitation: code })
    expect(claim.code).toBe('sign_up_closed')
    const other = { $set: { holder_id: 'usr_0' } }
    await world.ports.store.accounts.update({ id: held.accountId }, other)
    expect(await register('eve@example.org', code)).toBe('sign_up_closed')
  })
})
