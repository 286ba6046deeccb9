import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { digest } from '#src/core/ids.ts'
import { signedInAgain, signedInPerson } from './persons.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const rounds = 8

/** How a call ended: its status, or the code of its refusal. */
async function endOf(asked: Promise<{ status: string }>): Promise<string> {
  return asked.then(
    ({ status }) => status,
    (cause: { code: string }) => cause.code,
  )
}

describe.each(stores())('two processes on $name', (kind) => {
  let place: Place
  let opened: Store[]
  let one: World
  let other: World
  beforeEach(async () => {
    place = await kind.place()
    const first = await place.open()
    opened = [first, await place.open()]
    one = openWorld(first)
    other = openWorld(opened[1] ?? first)
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    await place.remove()
  })

  const link = async () => {
    const claim = await one.ask<{ claim_url: string; api_key: string }>('agent_claim.create', {})
    return { claim_code: claim.claim_url.split('/').at(-1) ?? '', key: claim.api_key }
  }
  const refusedIn = (world: World, token: string) =>
    until(() =>
      world.ask('auth.me', {}, { token }).then(
        () => false,
        (cause: { code: string }) => cause.code === 'invalid_credential',
      ),
    )

  it('let one of two persons claim an account, and tell the other', async () => {
    const ada = await signedInPerson(one.ports)
    const bea = await signedInPerson(one.ports)
    for (let i = 0; i < rounds; i++) {
      const { claim_code, key } = await link()
      const ends = await Promise.all([
        endOf(one.ask('agent_claim.complete', { claim_code }, { token: ada.token })),
        endOf(other.ask('agent_claim.complete', { claim_code }, { token: bea.token })),
      ])
      expect(ends.toSorted()).toEqual(['already_claimed', 'claimed'])
      const winner = ends[0] === 'claimed' ? ada : bea
      const [claim] = await one.ports.store.claims.find({ code_hash: digest(claim_code) })
      const account = await one.ports.store.accounts.get(claim?.account_id ?? '')
      expect([claim?.decided_by, account?.holder_id]).toEqual([winner.id, winner.id])
      await until(
        async () => (await other.ask<{ claimed: boolean }>('account.get', {}, key)).claimed,
      )
    }
  })

  it('give one person who claims twice at once the same answer', async () => {
    const ada = await signedInPerson(one.ports)
    const again = await signedInAgain(one.ports, ada)
    for (let i = 0; i < rounds; i++) {
      const { claim_code } = await link()
      const claimed = { status: 'claimed', owner_id: ada.id }
      const asked = [
        one.ask('agent_claim.complete', { claim_code }, { token: ada.token }),
        other.ask('agent_claim.complete', { claim_code }, { token: again.token }),
        one.ask('agent_claim.complete', { claim_code }, { token: ada.token }),
      ]
      expect(await Promise.all(asked)).toEqual([claimed, claimed, claimed])
    }
  })

  it('either claim or reject what is claimed and rejected at once', async () => {
    const ada = await signedInPerson(one.ports)
    const bea = await signedInPerson(one.ports)
    for (let i = 0; i < rounds; i++) {
      const { claim_code } = await link()
      const [claiming, rejecting] = await Promise.all([
        endOf(one.ask('agent_claim.complete', { claim_code }, { token: ada.token })),
        endOf(other.ask('agent_claim.reject', { claim_code }, { token: bea.token })),
      ])
      const [claim] = await one.ports.store.claims.find({ code_hash: digest(claim_code) })
      const account = await one.ports.store.accounts.get(claim?.account_id ?? '')
      if (claiming === 'claimed') {
        expect(rejecting).toBe('already_claimed')
        expect([claim?.status, account?.holder_id, account?.closed_at]).toEqual([
          'claimed',
          ada.id,
          undefined,
        ])
      } else {
        expect([claiming, rejecting]).toEqual(['claim_rejected', 'rejected'])
        expect([claim?.status, claim?.sealed_key, account?.holder_id]).toEqual([
          'rejected',
          null,
          null,
        ])
        expect(account?.closed_at).toMatch(/^20/)
      }
    }
  })

  it('both refuse a session that one has ended, and a key that one has closed', async () => {
    const ada = await signedInPerson(one.ports)
    const { id, token } = await signedInAgain(one.ports, ada)
    const { claim_code, key } = await link()
    for (const world of [one, other]) {
      await world.ask('auth.me', {}, { token })
      await world.ask('account.get', {}, key)
    }
    await one.ask('auth.sessions.revoke', { id }, { token: ada.token })
    expect(await one.refusal('auth.me', {}, { token })).toMatchObject({
      code: 'invalid_credential',
    })
    await refusedIn(other, token)
    await one.ask('agent_claim.reject', { claim_code }, { token: ada.token })
    expect(await one.refusal('account.get', {}, key)).toMatchObject({ code: 'invalid_credential' })
    await until(() =>
      other.ask('account.get', {}, key).then(
        () => false,
        () => true,
      ),
    )
  })

  it('end a session twice at once without a fault', async () => {
    for (let i = 0; i < rounds; i++) {
      const { token } = await signedInPerson(one.ports)
      const ends = await Promise.all(
        [one, other, one].map((world) =>
          world.ask('auth.logout', {}, { token }).then(
            () => 'ended',
            (cause: { code: string }) => cause.code,
          ),
        ),
      )
      expect(ends).toContain('ended')
      expect(ends.filter((end) => end !== 'ended' && end !== 'invalid_credential')).toEqual([])
    }
  })
})
