import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purges } from '#src/purges.ts'
import { codePostedTo, mailerToNowhere, postedTo } from '#tests/accounts/mail/posted.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { authenticator, type Asked, type Authenticator } from './authenticator.ts'

const name = 'My telephone'

describe.each(stores())('passkeys, on $name', (kind) => {
  let world: World
  let clock: FakeClock
  let ada: SignedInPerson

  beforeEach(async () => {
    clock = fakeClock(Date.now())
    world = openWorld(await kind.open(), { clock, mailer: mailerToNowhere() })
    ada = await signedInPerson(world.ports)
  })
  afterEach(() => world.ports.store.close())

  const asAda = <T = unknown>(op: string, input: object = {}) =>
    world.ask<T>(op, input, { token: ada.token })
  const device = () => authenticator(new URL(world.ports.settings.publicUrl).origin)
  const added = async (by: Authenticator) => {
    const asked = await asAda<Asked>('auth.passkeys.options')
    return asAda<{ id: string }>('auth.passkeys.create', { ...by.made(asked), name })
  }
  const entered = async (by: Authenticator) =>
    world.ask('auth.passkey', by.answered(await world.ask<Asked>('auth.passkey.options', {})))

  it('are told of by mail, and end with a new password by mail', async () => {
    const own = device()
    await added(own)
    const [mail] = await postedTo(world.ports, ada.email)
    expect(mail?.text).toContain(`another passkey, “${name}”`)
    await entered(own)
    await world.ask('auth.request_reset', { email: ada.email })
    const code = await codePostedTo(world.ports, ada.email)
    await world.ask('auth.reset_password', { code, password: 'some other words in a row' })
    await expect(entered(own)).rejects.toMatchObject({ code: 'login_failed' })
    expect(await world.ports.store.passkeys.count({})).toBe(0)
  })

  it.each([[{ a: 1 }], [5], ['usb'], [[1, {}, 'x'.repeat(5000), 'usb']]])(
    'keep of how they are reached only what has that form: %j',
    async (transports) => {
      const made = device().made(await asAda<Asked>('auth.passkeys.options'))
      // What a device says there is not signed.
      const brought = JSON.parse(made.answer) as { response: object }
      const answer = JSON.stringify({ ...brought, response: { ...brought.response, transports } })
      await asAda('auth.passkeys.create', { ...made, answer, name })
      const [kept] = await world.ports.store.passkeys.find({})
      expect(kept?.transports).toEqual(Array.isArray(transports) ? ['usb'] : [])
    },
  )

  it('answer within five minutes', async () => {
    const own = device()
    const [late, adding] = [device(), await asAda<Asked>('auth.passkeys.options')]
    await added(own)
    const asked = await world.ask<Asked>('auth.passkey.options', {})
    await clock.advance(300_000)
    const made = asAda('auth.passkeys.create', { ...late.made(adding), name })
    await expect(made).rejects.toMatchObject({ code: 'login_failed' })
    const entering = world.ask('auth.passkey', own.answered(asked))
    await expect(entering).rejects.toMatchObject({ code: 'login_failed' })
    await entered(own)
  })

  it('begin one session by one answer, and count to ten, also where many come at once', async () => {
    const own = device()
    await added(own)
    const asked = await world.ask<Asked>('auth.passkey.options', {})
    const same = own.answered(asked)
    const ends = await Promise.allSettled(
      Array.from({ length: 8 }, () => world.ask('auth.passkey', same)),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.ports.store.sessions.count({ person_id: ada.id })).toBe(2)
    await Promise.allSettled(Array.from({ length: 15 }, () => added(device())))
    for (let one = await addedOrNot(); one; one = await addedOrNot());
    expect(await world.ports.store.passkeys.count({ person_id: ada.id })).toBe(10)
  })
  const addedOrNot = () =>
    added(device()).then(
      () => true,
      () => false,
    )

  it('leave nothing behind of what strangers ask, and what was answered for minutes', async () => {
    for (let n = 0; n < 10_000; n++) await world.ask('auth.passkey.options', {})
    const { store } = world.ports
    expect(await store.spent_challenges.count({})).toBe(0)
    const own = device()
    await added(own)
    await entered(own)
    expect(await store.spent_challenges.count({})).toBe(2)
    await clock.advance(301_000)
    for (const purge of purges) await purge(world.ports, clock.now())
    expect(await store.spent_challenges.count({})).toBe(0)
  })

  it('go with their person', async () => {
    await added(device())
    await asAda('account.delete', { confirm: ada.email })
    expect(await world.ports.store.passkeys.count({})).toBe(0)
  })
})
