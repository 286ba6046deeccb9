import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { password, signedInPerson } from '#tests/accounts/people/persons.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { codePostedTo, mailerToNowhere } from './posted.ts'

const other = 'some other words in a row'

describe.each(stores())('links of mails at once with other calls, on $name', (kind) => {
  let world: World
  beforeEach(async () => {
    world = openWorld(await kind.open())
    world.ports.mailer = mailerToNowhere()
  })
  afterEach(async () => {
    world.ports.mailer?.close()
    await world.ports.store.close()
  })

  it('end a sign-in with the old password that was under way when a new one was set', async () => {
    const { store } = world.ports
    const { id, email } = await signedInPerson(world.ports)
    const find = store.persons.find.bind(store.persons)
    vi.spyOn(store.persons, 'find').mockImplementationOnce(async (...asked) => {
      const found = await find(...asked)
      await world.ask('auth.request_reset', { email })
      const code = await codePostedTo(world.ports, email)
      await world.ask('auth.reset_password', { code, password: other })
      return found
    })
    const late = world.ask('auth.login', { email, password })
    await expect(late).rejects.toMatchObject({ code: 'login_failed' })
    expect(await store.sessions.count({ person_id: id })).toBe(0)
    await world.ask('auth.login', { email, password: other })
  })

  it('make a person once, and tell who comes second that the link was used', async () => {
    const email = 'ada@example.org'
    await world.ask('auth.register', { email, password })
    const code = await codePostedTo(world.ports, email)
    const followed = () => world.ask('auth.verify_email', { code, password })
    const ends = await Promise.allSettled([followed(), followed()])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'link_unusable' },
    })
  })
})
