import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { newApiKey, claimDays } from '#src/accounts/account.ts'
import { closeAccounts } from '#src/departures/account.ts'
import type { QuotaTable } from '#src/core/counts/quota-table.ts'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { refreshDue } from '#src/knowledge/claim.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { signedInAgain, signedInPerson, type SignedInPerson } from './persons.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('an account on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let ada: SignedInPerson
  const openIn = async (quotas?: QuotaTable): Promise<void> => {
    world = openWorld(store, { clock, ...(quotas && { quotas }) })
    ada = await signedInPerson(world.ports)
  }
  beforeEach(async () => {
    store = await kind.open()
    // The time of leases is the store's own.
    clock = fakeClock(Date.now())
    await openIn()
  })
  afterEach(() => store.close())

  const link = async () => {
    const made = await world.ask<{ claim_url: string; api_key: string; token: string }>(
      'agent_claim.create',
      {},
    )
    const { id } = await world.ask<{ id: string }>('account.get', {}, made.api_key)
    return {
      id,
      key: made.api_key,
      token: made.token,
      claim_code: made.claim_url.split('/').at(-1),
    }
  }
  const decide = (op: 'complete' | 'reject', claim_code: unknown) =>
    world.ask(`agent_claim.${op}`, { claim_code }, { token: ada.token })

  itOnEach(
    'that was rejected has its keys, runs and schedules end, however many there are',
    async () => {
      const { id, key, claim_code } = await link()
      const daily = { type: 'cron', config: { cron: '0 9 * * *' } }
      const tasks = [
        { task_id: 'daily', name: 'Daily', runtime: 'template', triggers: [daily] },
        { task_id: 'think', name: 'Think', runtime: 'prompt' },
      ]
      const char_id = 'scout'
      await world.ask(
        'characters.create',
        { character: { id: char_id, name: 'S', heart: { tasks } } },
        key,
      )
      const run = await world.ask<{ id: string }>('tasks.run', { char_id, task_id: 'think' }, key)
      for (let i = 0; i < 450; i++) {
        const { record } = newApiKey({ id }, `Key ${i}`, i % 2 ? char_id : null, clock.now())
        await store.api_keys.insert(record, { lazy: true })
      }
      expect((await store.tasks.get('scout/daily'))?.due_at).toMatch(/T09:00/)
      await decide('reject', claim_code)
      await closeAccounts(world.ports, clock.now())
      expect(await store.api_keys.count({ account_id: id, revoked_at: null })).toBe(0)
      expect(await store.runs.get(run.id)).toMatchObject({
        status: 'cancelled',
        reason: 'account_closed',
      })
      expect(await store.tasks.find({ char_id }, { sort: { order: 1 } })).toMatchObject([
        {
          enabled: false,
          due_at: null,
          reliability: { pause_reason: expect.stringMatching(/closed/) },
        },
        { enabled: false },
      ])
      await clock.advance(48 * 3_600_000)
      await scheduler(world.ports).tick(clock.now())
      expect(await store.runs.count({ owner_id: id })).toBe(1)
      expect(await store.characters.get(char_id), 'what it has published stays').toBeDefined()
    },
  )

  it('that was rejected is looked at again for what was under way, at last after ten minutes', async () => {
    const { id, key, claim_code } = await link()
    const task = { task_id: 'late', name: 'Late', runtime: 'template' }
    const character = { id: 'late', name: 'L', heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
    await decide('reject', claim_code)
    const looks: number[] = []
    for (;;) {
      // As a call leaves it that was let in before.
      await store.tasks.update({ id: 'late/late' }, { $set: { enabled: true } })
      const { record } = newApiKey({ id }, 'Late', null, clock.now())
      await store.api_keys.insert(record)
      expect(await closeAccounts(world.ports, clock.now())).toBe(1)
      expect((await store.tasks.get('late/late'))?.enabled).toBe(false)
      expect((await store.api_keys.get(record.id))?.revoked_at).toMatch(/^20/)
      expect(await closeAccounts(world.ports, clock.now()), 'not due yet').toBe(0)
      const { closed_at = '', closing_due_at } = (await store.accounts.get(id)) ?? {}
      if (closing_due_at === undefined) break
      looks.push((Date.parse(closing_due_at) - Date.parse(closed_at)) / 1000)
      clock.set(Date.parse(closing_due_at))
    }
    expect(looks).toEqual([5, 10, 20, 40, 80, 160, 320, 600])
  })

  it('that was rejected reads no address again', async () => {
    const { id, key, claim_code } = await link()
    await world.ask('characters.create', { character: { id: 'reader', name: 'R' } }, key)
    const body = { char_id: 'reader', url: 'https://example.org/feed.xml', type: 'feed' }
    const item = await world.ask<{ id: string }>('knowledge.sources.add', body, key)
    const change = { refresh_at: clock.now().toISOString(), queue: null, due_at: null }
    await store.knowledge_items.update({ id: item.id }, { $set: change })
    await decide('reject', claim_code)
    expect(await refreshDue(world.ports, clock.now())).toBe(1)
    expect(await store.knowledge_items.get(item.id)).toMatchObject({
      refresh_at: null,
      queue: null,
    })
    expect(await refreshDue(world.ports, clock.now())).toBe(0)
    expect((await store.accounts.get(id))?.closed_at).toBeDefined()
  })

  it('has a link until the day, and may be decided on before it to the last', async () => {
    const [claimed, rejected, late] = [await link(), await link(), await link()]
    await clock.advance(claimDays * 86_400_000 - 1)
    const me = { token: (await signedInAgain(world.ports, ada)).token }
    const sent = (one: { claim_code: unknown }) => ({ claim_code: one.claim_code })
    await world.ask('agent_claim.complete', sent(claimed), me)
    await world.ask('agent_claim.reject', sent(rejected), me)
    await clock.advance(1)
    for (const op of ['complete', 'reject']) {
      expect(await world.refusal(`agent_claim.${op}`, sent(late), me)).toMatchObject({
        code: 'claim_expired',
      })
    }
    expect(await world.ask('agent_claim.complete', sent(claimed), me)).toMatchObject({
      status: 'claimed',
    })
    expect(await world.ask('agent_claim.reject', sent(rejected), me)).toEqual({
      status: 'rejected',
    })
    expect(await world.ask('agent_claim.status', { token: late.token })).toMatchObject({
      status: 'active',
      api_key: late.key,
    })
  })

  it('has the wider quotas from the claim on, also where the narrower were used up', async () => {
    const unclaimed = { ...noQuotas.unclaimed, agents: 1, runs_a_day: 1 }
    await openIn({ unclaimed, claimed: { ...unclaimed, agents: 2, runs_a_day: 2 } })
    const { key, claim_code } = await link()
    const make = (id: string) => ({
      character: {
        id,
        name: 'A',
        heart: { tasks: [{ task_id: 't', name: 'T', runtime: 'template' }] },
      },
    })
    const run = { char_id: 'first', task_id: 't' }
    await world.ask('characters.create', make('first'), key)
    await world.ask('tasks.run', run, key)
    const full = { code: 'quota_exceeded' }
    expect(await world.refusal('characters.create', make('second'), key)).toMatchObject(full)
    expect(await world.refusal('tasks.run', run, key)).toMatchObject(full)
    await decide('complete', claim_code)
    await world.ask('characters.create', make('second'), key)
    await world.ask('tasks.run', run, key)
    expect(await world.refusal('characters.create', make('third'), key)).toMatchObject(full)
    expect(await world.refusal('tasks.run', run, key)).toMatchObject(full)
  })

  it('that is full keeps no person from signing out, or from deciding on a claim', async () => {
    const none = { ...noQuotas.unclaimed, stored_bytes: 0 }
    await openIn({ unclaimed: none, claimed: none })
    const me = { token: ada.token }
    expect(await world.refusal('api_keys.create', { name: 'x' }, me)).toMatchObject({
      code: 'quota_exceeded',
    })
    await decide('complete', (await link()).claim_code)
    await decide('reject', (await link()).claim_code)
    await world.ask('auth.logout', {}, me)
  })
})

describe.each(stores())('sessions on $name', (kind) => {
  itOnEach('end by themselves, and are swept once they have ended', async () => {
    const store = await kind.open()
    const clock = fakeClock()
    const world = openWorld(store, { clock })
    const ada = await signedInPerson(world.ports)
    const { id: revoked } = await signedInAgain(world.ports, ada)
    await world.ask('auth.sessions.revoke', { id: revoked }, { token: ada.token })
    await upkeep(world.ports, clock.now())
    expect(await store.sessions.count({})).toBe(2)
    await clock.advance(2 * 3_600_000)
    await upkeep(world.ports, clock.now())
    expect(await store.sessions.find({})).toMatchObject([{ id: ada.session_id }])
    await clock.advance(30 * 86_400_000 - 2 * 3_600_000 - 1)
    await world.ask('auth.me', {}, { token: ada.token })
    await clock.advance(1)
    expect(await world.refusal('auth.me', {}, { token: ada.token })).toMatchObject({
      code: 'invalid_credential',
    })
    await upkeep(world.ports, clock.now())
    expect(await store.sessions.count({})).toBe(1)
    await clock.advance(3_600_001)
    await upkeep(world.ports, clock.now())
    expect(await store.sessions.count({})).toBe(0)
    await store.close()
  })

  itOnEach('tell when they were used last, to the minute', async () => {
    const store = await kind.open()
    const clock = fakeClock()
    const world = openWorld(store, { clock })
    const ada = await signedInPerson(world.ports)
    const begun = clock.now().toISOString()
    await clock.advance(59_999)
    await world.ask('account.get', {}, { token: ada.token })
    expect((await store.sessions.get(ada.session_id))?.last_used_at).toBe(begun)
    await clock.advance(1)
    await world.ask('account.get', {}, { token: ada.token })
    const used = clock.now().toISOString()
    await expect
      .poll(async () => (await store.sessions.get(ada.session_id))?.last_used_at)
      .toBe(used)
    await store.close()
  })
})
