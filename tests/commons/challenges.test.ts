import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { digest } from '#src/core/ids.ts'
import type { Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { solved } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const minute = 60_000
/** How long a challenge can be solved, and how long after it is remembered that it was. */
const validMs = 10 * minute
const keptMs = 10 * minute

describe.each(stores())('a challenge of the Commons on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
  })
  afterEach(() => store.close())

  const solution = async (): Promise<{ challenge: string; counter: string }> => {
    const { challenge, bits } = await world.ask<{ challenge: string; bits: number }>(
      'commons.challenge.get',
      {},
    )
    return { challenge, counter: solved(challenge, bits) }
  }
  const create = 'commons.identities.create'

  itOnEach('makes one handle, even if many processes get it at once', async () => {
    const worlds = [world, openWorld(store, { clock })] as const
    const input = await solution()
    const outcomes = await Promise.all(
      Array.from({ length: 36 }, (_, i) =>
        worlds[i % 2 === 0 ? 0 : 1].ask(create, input).then(
          () => 'made',
          (refusal: { code: string }) => refusal.code,
        ),
      ),
    )
    expect(outcomes.filter((one) => one === 'made')).toHaveLength(1)
    expect(outcomes.filter((one) => one === 'challenge_used')).toHaveLength(35)
    expect(await store.commons_identities.count({})).toBe(1)
    expect(await store.commons_tokens.count({})).toBe(1)
    expect(await store.commons_challenges.count({})).toBe(1)
  })

  it('stays spent until every process finds it expired, and is then forgotten', async () => {
    const input = await solution()
    await world.ask(create, input)
    await clock.advance(validMs - 1)
    await upkeep(world.ports, clock.now())
    expect(await world.refusal(create, input)).toMatchObject({ code: 'challenge_used' })
    await clock.advance(1)
    expect(await world.refusal(create, input)).toMatchObject({ code: 'challenge_expired' })
    // A process whose clock is late would still take it.
    await clock.advance(keptMs)
    await upkeep(world.ports, clock.now())
    expect(await store.commons_challenges.count({})).toBe(1)
    await clock.advance(1)
    await upkeep(world.ports, clock.now())
    expect(await store.commons_challenges.count({})).toBe(0)
  })

  it('is swept in its turn, with what is kept under a hash', async () => {
    await world.ask(create, await solution())
    const hashed = {
      id: digest('a challenge'),
      handle: 'ada',
      created_at: clock.now().toISOString(),
    }
    await store.commons_challenges.insert(hashed)
    await clock.advance(minute)
    await world.ask(create, await solution())
    await clock.advance(validMs + keptMs - minute + 1)
    await upkeep(world.ports, clock.now())
    expect(await store.commons_challenges.count({})).toBe(1)
    expect(await store.commons_challenges.get(hashed.id)).toBeUndefined()
  })
})
