import {
  afterEach,
  beforeEach,
  describe as describeOnEach,
  expect,
  it as itOnEach,
  vi,
} from 'vitest'
import { callers, type Callers } from '#src/core/admission/callers.ts'
import { openSignUp } from '#src/core/admission/sign-up-mode.ts'
import { digest, newToken } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'
import type { Touched } from '#src/ports/touched.ts'
import { sessionDays } from '#src/accounts/people/session.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { memberOf } from '#tests/support/members.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { signedInAgain, signedInPerson, type SignedInPerson } from './persons.ts'

const minute = 60_000

describeOnEach.each(stores())('who a credential is, on $name', (kind) => {
  const { it, describe } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let known: Callers
  let changed: (touched: Touched) => void
  let account: { key: string; id: string }
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
    account = await world.account()
    // A store may tell of what was prepared at any time: here it tells when the test says so.
    const watch: Store['watch'] = (listener) => {
      changed = listener
      return () => undefined
    }
    const told = Object.create(store, { watch: { value: watch } }) as Store
    known = callers({
      store: told,
      clock,
      networkUsed: () => Promise.resolve(),
      settings: { signUp: openSignUp },
    })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
  })

  const refusal = (code: string, hint?: RegExp): object =>
    expect.objectContaining({ code, ...(hint && { hint: expect.stringMatching(hint) as string }) })
  /** Holds the next look at a document up; `goOn` lets it go on. */
  const heldUp = (name: 'accounts' | 'commons_tokens') => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    const get = store[name].get.bind(store[name])
    const spied: { get: (id: string) => Promise<unknown> } = store[name]
    const look = vi.spyOn(spied, 'get').mockImplementationOnce(async (id) => {
      const found = await get(id)
      await promise
      return found
    })
    return { look, goOn }
  }

  describeOnEach('a key', () => {
    itOnEach('is looked up once, until something changes', async () => {
      const find = vi.spyOn(store.api_keys, 'find')
      const first = await known.identify(account.key)
      expect(first).toMatchObject({ kind: 'key', accountId: account.id })
      expect(await known.identify(account.key)).toBe(first)
      expect(find).toHaveBeenCalledTimes(1)
      known.forget()
      expect(await known.identify(account.key)).toEqual(first)
      expect(find).toHaveBeenCalledTimes(2)
      changed('all')
      expect(await known.identify(account.key)).toEqual(first)
      expect(find).toHaveBeenCalledTimes(3)
    })

    it('is not remembered from before a change', async () => {
      const { look, goOn } = heldUp('accounts')
      const before = known.identify(account.key)
      await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1))
      known.forget()
      goOn()
      await before
      const { id } = (await store.api_keys.find({}))[0] ?? { id: '' }
      await store.api_keys.update({ id }, { $set: { revoked_at: timestamp(clock.now()) } })
      await expect(known.identify(account.key)).rejects.toEqual(refusal('invalid_credential'))
    })

    itOnEach(
      'is looked up again where another process has touched it or its account, and not for others',
      async () => {
        const other = await world.account()
        const find = vi.spyOn(store.api_keys, 'find')
        const { keyId } = (await known.identify(account.key)) as { keyId: string }
        await known.identify(other.key)
        changed(new Set([`accounts/${account.id}`, 'runs/run_1']))
        await known.identify(account.key)
        expect(find).toHaveBeenCalledTimes(3)
        changed(new Set([`api_keys/${keyId}`]))
        await known.identify(account.key)
        expect(find).toHaveBeenCalledTimes(4)
        await known.identify(other.key)
        expect(find).toHaveBeenCalledTimes(4)
      },
    )

    it('is remembered from before a change of others alone', async () => {
      const look = async (touched: Touched): Promise<number> => {
        known.forget()
        const { look: looked, goOn } = heldUp('accounts')
        const before = known.identify(account.key)
        await vi.waitFor(() => expect(looked).toHaveBeenCalledTimes(1))
        changed(touched)
        goOn()
        await before
        await known.identify(account.key)
        const { length } = looked.mock.calls
        looked.mockRestore()
        return length
      }
      expect(await look(new Set(['accounts/acc_other']))).toBe(1)
      expect(await look(new Set([`accounts/${account.id}`]))).toBe(2)
      expect(await look('all')).toBe(2)
    })

    it('opens nothing once it is revoked, or its account is closed or gone', async () => {
      const at = timestamp(clock.now())
      await store.accounts.update({ id: account.id }, { $set: { closed_at: at } })
      await expect(known.identify(account.key)).rejects.toEqual(refusal('invalid_credential'))
      await store.accounts.delete({ id: account.id })
      await expect(known.identify(account.key)).rejects.toEqual(refusal('invalid_credential'))
      const other = await world.account()
      await store.api_keys.update({ account_id: other.id }, { $set: { revoked_at: at } })
      await expect(known.identify(other.key)).rejects.toEqual(
        refusal('invalid_credential', /agent_claim/),
      )
    })

    it('is noted when it is used, a minute or more after the last time', async () => {
      // Its first use, to read its account, was noted.
      const first = timestamp(clock.now())
      await until(async () => {
        const [key] = await store.api_keys.find({ account_id: account.id })
        return key?.last_used_at === first
      })
      const update = vi.spyOn(store.api_keys, 'update')
      await known.identify(account.key)
      await clock.advance(minute - 1)
      await known.identify(account.key)
      expect(update).not.toHaveBeenCalled()
      await clock.advance(1)
      await known.identify(account.key)
      await known.identify(account.key)
      expect(update).toHaveBeenCalledTimes(1)
      await update.mock.results[0]?.value
      const at = clock.now().toISOString()
      expect(await store.api_keys.find({ account_id: account.id })).toMatchObject([
        { last_used_at: at },
      ])
      // Who begins to remember goes on from what was noted.
      await clock.advance(minute - 1)
      known.forget()
      await known.identify(account.key)
      expect(update).toHaveBeenCalledTimes(1)
      await clock.advance(1)
      known.forget()
      await known.identify(account.key)
      expect(update).toHaveBeenCalledTimes(2)
    })

    it('opens what it does where its use cannot be noted', async () => {
      vi.spyOn(store.api_keys, 'update').mockRejectedValue(new Error('gone'))
      await clock.advance(minute)
      expect(await known.identify(account.key)).toMatchObject({ accountId: account.id })
      expect(await known.identify(account.key)).toMatchObject({ accountId: account.id })
    })

    it('is not looked up where it cannot be one of this server', async () => {
      const find = vi.spyOn(store.api_keys, 'find')
      for (const sent of ['garbage', account.key.slice(0, -1), `x${newToken('cmn')}`, 'x_cmn_']) {
        await expect(known.identify(sent)).rejects.toEqual(
          refusal('invalid_credential', /agent_claim/),
        )
      }
      expect(find).not.toHaveBeenCalled()
      await expect(known.identify(newToken('ab'))).rejects.toEqual(refusal('invalid_credential'))
    })

    it('is one of ten thousand that are remembered at most', async () => {
      const [record] = await store.api_keys.find({ account_id: account.id })
      const owner = await store.accounts.get(account.id)
      if (!record || !owner) throw new Error('the account is there')
      const find = vi.spyOn(store.api_keys, 'find').mockResolvedValue([record])
      vi.spyOn(store.accounts, 'get').mockResolvedValue(owner)
      await known.identify(account.key)
      for (let n = 1; n < 10_000; n++) await known.identify(newToken('ab'))
      await known.identify(account.key)
      expect(find).toHaveBeenCalledTimes(10_000)
      await known.identify(newToken('ab'))
      await known.identify(account.key)
      expect(find).toHaveBeenCalledTimes(10_002)
    })
  })

  describeOnEach('the token of a handle', () => {
    itOnEach(
      'is looked up once, noted nowhere, and not remembered from before a change',
      async () => {
        const { token, handle } = await memberOf(world)
        const update = vi.spyOn(store.api_keys, 'update')
        const { look, goOn } = heldUp('commons_tokens')
        const before = known.identify(token)
        known.forget()
        goOn()
        const wanted = {
          kind: 'handle',
          subject: `handle:${handle}`,
          handle,
          tokenId: digest(token),
        }
        expect(await before).toEqual(wanted)
        for (let times = 0; times < 3; times++) expect(await known.identify(token)).toEqual(wanted)
        expect(look).toHaveBeenCalledTimes(2)
        expect(update).not.toHaveBeenCalled()
      },
    )

    it('is told how to be copied or made, where there is no such', async () => {
      const { token } = await memberOf(world)
      const cut = known.identify(token.slice(0, -1))
      await expect(cut).rejects.toEqual(refusal('invalid_credential', /copy it again/))
      const never = known.identify(newToken('cmn'))
      await expect(never).rejects.toEqual(refusal('invalid_credential', /^<commons.challenge.get>/))
    })

    it('is told what replaced it', async () => {
      const { token } = await memberOf(world)
      const at = timestamp(clock.now())
      await store.commons_tokens.update({ id: digest(token) }, { $set: { revoked_at: at } })
      await expect(known.identify(token)).rejects.toEqual(refusal('token_revoked', /rotate/))
    })
  })

  describe('a session', () => {
    let person: SignedInPerson
    beforeEach(async () => {
      // Not the first that there is.
      await signedInPerson({ store, clock })
      person = await signedInPerson({ store, clock })
    })
    const sent = () => ({ token: person.token })

    it('is looked up once for each account, until something changes', async () => {
      await store.accounts.update({ id: account.id }, { $set: { holder_id: person.id } })
      const find = vi.spyOn(store.sessions, 'find')
      const own = await known.signedIn(sent())
      const held = await known.signedIn({ ...sent(), accountId: account.id })
      expect(own).toMatchObject({ accountId: person.account_id, personId: person.id })
      expect(held).toMatchObject({ accountId: account.id, personId: person.id })
      expect(await known.signedIn(sent())).toBe(own)
      expect(await known.signedIn({ ...sent(), accountId: account.id })).toBe(held)
      expect(find).toHaveBeenCalledTimes(2)
      known.forget()
      await known.signedIn(sent())
      expect(find).toHaveBeenCalledTimes(3)
    })

    it('is not remembered from before a change', async () => {
      const { look, goOn } = heldUp('accounts')
      const before = known.signedIn(sent())
      await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1))
      known.forget()
      goOn()
      await before
      const at = timestamp(clock.now())
      await store.sessions.update({ id: person.session_id }, { $set: { revoked_at: at } })
      await expect(known.signedIn(sent())).rejects.toEqual(refusal('invalid_credential'))
    })

    it('ends at its time, remembered or not', async () => {
      await clock.advance(sessionDays * 86_400_000 - 1000)
      await known.signedIn(sent())
      await clock.advance(1000)
      await expect(known.signedIn(sent())).rejects.toEqual(refusal('invalid_credential'))
      known.forget()
      await expect(known.signedIn(sent())).rejects.toEqual(refusal('invalid_credential'))
    })

    it('opens nothing where there is none, or its person is gone', async () => {
      const find = vi.spyOn(store.sessions, 'find')
      for (const token of ['garbage', account.key, person.token.slice(0, -1)]) {
        await expect(known.signedIn({ token })).rejects.toEqual(refusal('invalid_credential'))
      }
      expect(find).not.toHaveBeenCalled()
      const never = known.signedIn({ token: newToken('abs') })
      await expect(never).rejects.toEqual(refusal('invalid_credential'))
      await store.persons.delete({ id: person.id })
      await expect(known.signedIn(sent())).rejects.toEqual(refusal('invalid_credential'))
    })

    it('acts for no account that its person does not hold, or that is none', async () => {
      for (const accountId of [account.id, 'acc_none']) {
        const other = known.signedIn({ ...sent(), accountId })
        await expect(other).rejects.toEqual(refusal('forbidden', /auth\.me/))
      }
    })

    it('is noted when it is used, a minute or more after the last time', async () => {
      const update = vi.spyOn(store.sessions, 'update')
      await signedInAgain({ store, clock }, person)
      const used = async () =>
        (await store.sessions.find({ id: { $ne: person.session_id } })).map(
          (one) => one.last_used_at,
        )
      const before = await used()
      expect(before).toHaveLength(2)
      await clock.advance(minute - 1)
      await known.signedIn(sent())
      expect(update).not.toHaveBeenCalled()
      await clock.advance(1)
      await known.signedIn(sent())
      await known.signedIn(sent())
      expect(update).toHaveBeenCalledTimes(1)
      await update.mock.results[0]?.value
      expect(await store.sessions.get(person.session_id)).toMatchObject({
        last_used_at: timestamp(clock.now()),
      })
      expect(await used()).toEqual(before)
      update.mockRejectedValue(new Error('gone'))
      await clock.advance(minute)
      expect(await known.signedIn(sent())).toMatchObject({ personId: person.id })
    })

    it('is one of ten thousand that are remembered at most', async () => {
      const record = await store.sessions.get(person.session_id)
      const owner = await store.accounts.get(person.account_id)
      const row = await store.persons.get(person.id)
      if (!record || !owner || !row) throw new Error('the person is there')
      const find = vi.spyOn(store.sessions, 'find').mockResolvedValue([record])
      vi.spyOn(store.accounts, 'get').mockResolvedValue(owner)
      vi.spyOn(store.persons, 'get').mockResolvedValue(row)
      await known.signedIn(sent())
      for (let n = 1; n < 10_000; n++) await known.signedIn({ token: newToken('abs') })
      await known.signedIn(sent())
      expect(find).toHaveBeenCalledTimes(10_000)
      await known.signedIn({ token: newToken('abs') })
      await known.signedIn(sent())
      expect(find).toHaveBeenCalledTimes(10_002)
    })
  })
})
