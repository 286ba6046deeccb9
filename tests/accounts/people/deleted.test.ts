import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import { closeAccounts } from '#src/departures/account.ts'
import type { CollectionName } from '#src/ports/documents.ts'
import type { NotificationSettings } from '#src/runs/told/settings.ts'
import { retainer } from '#src/work/retention.ts'
import { mailerToNowhere } from '#tests/accounts/mail/posted.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { topUp } from '#tests/support/orders.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { signedInPerson, type SignedInPerson } from './persons.ts'

/** What stays of an account that is deleted, or expires by itself within days. */
const stays: ReadonlySet<CollectionName> = new Set<CollectionName>([
  'wallets',
  'wallet_transactions',
  'ledger',
  'checkouts',
  'test_payments',
  'tombstones',
  'idempotency',
  'mails',
])

describe.each(stores())('an account that its owner has deleted, on $name', (kind) => {
  let world: World
  let clock: FakeClock
  let ada: SignedInPerson
  let other: { id: string; key: string }

  beforeEach(async () => {
    clock = fakeClock(Date.now())
    world = openWorld(await kind.open(), { clock, mailer: mailerToNowhere() })
    ada = await signedInPerson(world.ports)
    other = await world.account()
  })
  afterEach(() => world.ports.store.close())

  const asAda = <T = unknown>(op: string, input: object) =>
    world.ask<T>(op, input, { token: ada.token })
  const walk = async () => {
    const keeping = retainer(world.ports)
    for (let n = 0; n < 20; n++) await keeping.tick(clock.now())
  }
  /** Where something of the account or of the person is left. */
  const left = async () => {
    const found: string[] = []
    for (const name of Object.keys(collections) as CollectionName[]) {
      const rows = await world.ports.store[name].find({})
      const all = JSON.stringify(rows)
      const isLeft = [ada.account_id, ada.id, ada.email, 'ada-1'].some((one) => all.includes(one))
      if (isLeft && !stays.has(name)) found.push(name)
    }
    return found
  }

  it('leaves its books and what others were sent, and a mail says so', async () => {
    const { key } = await asAda<{ key: string }>('api_keys.create', { name: 'K' })
    await topUp(world, { id: ada.account_id, key })
    const heart = {
      tasks: [
        { task_id: 'says', name: 'Says', runtime: 'template', prompt: 'Said' },
        { task_id: 'thinks', name: 'Thinks', prompt: 'Think' },
      ],
    }
    for (const id of ['ada-1', 'ada-2']) {
      await asAda('characters.create', { character: { id, name: id, heart } })
    }
    await asAda('memory.put', { char_id: 'ada-1', namespace: 'n', key: 'k', value: 'kept' })
    await asAda('tasks.run', { char_id: 'ada-1', task_id: 'says', input: '' })
    await asAda('tasks.run', { char_id: 'ada-1', task_id: 'thinks', input: '' })
    await asAda('friends.request', { char_id: 'ada-1', friend_id: 'ada-2', permissions: [] })
    await asAda('friends.accept', { char_id: 'ada-2', friend_id: 'ada-1' }).catch(() => undefined)
    await asAda('messages.send', { char_id: 'ada-1', to: 'ada-2', body: 'among us' })

    // What they chose in the account of someone else goes with them.
    const there = { id: `${other.id}/${ada.id}`, account_id: other.id, person_id: ada.id }
    const chosen = await asAda<NotificationSettings>('notifications.get', {})
    const updated_at = clock.now().toISOString()
    await world.ports.store.notification_settings.insert({ ...there, ...chosen, updated_at })

    const asked = { confirm: ada.email }
    await expect(asAda('account.delete', asked)).rejects.toMatchObject({ code: 'wallet_not_empty' })
    await asAda('account.delete', { ...asked, waive_balance: true })
    const mails = await world.ports.store.mails.find({ to: ada.email })
    expect(mails).toHaveLength(1)
    expect(await world.ports.store.persons.get(ada.id)).toBeUndefined()

    await closeAccounts(world.ports, clock.now())
    await walk()
    expect(await left()).not.toEqual([])
    clock.set(clock.now().getTime() + 700_000)
    await closeAccounts(world.ports, clock.now())
    await walk()
    expect(await left()).toEqual([])
    const wallet = await world.ports.store.wallets.get(ada.account_id)
    expect(wallet?.available_cents).toBe(500)
    await world.ask('account.get', {}, other.key)
  })
})
