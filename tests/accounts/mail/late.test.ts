import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { password, signedInPerson } from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { codePostedTo, mailerToNowhere } from './posted.ts'

const other = 'some other words in a row'
const minute = 60_000

describe.each(stores())('links of mails that are followed late, on $name', (kind) => {
  let clock: FakeClock
  let world: World
  beforeEach(async () => {
    clock = fakeClock(Date.now())
    world = openWorld(await kind.open(), { clock })
    world.ports.mailer = mailerToNowhere()
  })
  afterEach(async () => {
    world.ports.mailer?.close()
    await world.ports.store.close()
  })

  it('set a new password within the hour, and not after it', async () => {
    const { email } = await signedInPerson(world.ports)
    const sent = async () => {
      await world.ask('auth.request_reset', { email })
      return codePostedTo(world.ports, email)
    }
    const late = await sent()
    await clock.advance(60 * minute)
    const refused = world.ask('auth.reset_password', { code: late, password: other })
    await expect(refused).rejects.toMatchObject({ code: 'link_unusable' })
    await world.ask('auth.login', { email, password })
    const inTime = await sent()
    await clock.advance(59 * minute)
    await world.ask('auth.reset_password', { code: inTime, password: other })
    await world.ask('auth.login', { email, password: other })
  })

  it('verify an address within the day, and make no one after it', async () => {
    const register = async (email: string) => {
      await world.ask('auth.register', { email, password })
      return codePostedTo(world.ports, email)
    }
    const late = await register('ada@example.org')
    await clock.advance(24 * 60 * minute)
    const refused = world.ask('auth.verify_email', { code: late, password })
    await expect(refused).rejects.toMatchObject({ code: 'link_unusable' })
    expect(await world.ports.store.persons.count({})).toBe(0)
    const inTime = await register('ada@example.org')
    await clock.advance(24 * 60 * minute - minute)
    await world.ask('auth.verify_email', { code: inTime, password })
    expect(await world.ports.store.persons.count({})).toBe(1)
  })
})
