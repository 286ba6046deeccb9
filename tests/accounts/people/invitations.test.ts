import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it as itOnEach, vi } from 'vitest'
import { digest, newToken } from '#src/core/ids.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { solvedChallenge } from '#tests/operations/commons/challenge.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { invited } from './invited.ts'

const contact = 'https://example.org/ask'
const day = 86_400_000
const hour = 3600

/** One who comes by an invitation, at one of two processes. */
interface Comer {
  process: 0 | 1
  op: 'agent_claim.create' | 'commons.identities.create'
  /** Two who have the same are one who has sent the call twice. */
  repeat: number | undefined
  isWrong: boolean
}

const comer: fc.Arbitrary<Comer> = fc.record({
  process: fc.constantFrom(0, 1),
  op: fc.constantFrom('agent_claim.create', 'commons.identities.create'),
  repeat: fc.option(fc.nat(2), { nil: undefined }),
  isWrong: fc.boolean(),
})

describe.each(stores())('an invitation on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let place: Place
  let opened: Store[]
  const worlds: World[] = []
  const open = async (options: WorldOptions = {}): Promise<World> => {
    const store = await place.open()
    opened.push(store)
    return openWorld(store, { signUp: { mode: 'invited', contact }, powBits: 1, ...options })
  }
  const sendTo = (
    { core }: World,
    op: string,
    input: object,
    { idempotencyKey, address = '127.0.0.0' }: { idempotencyKey?: string; address?: string } = {},
  ) => {
    const operation = core.catalog.find(({ name }) => name === op)
    if (!operation) throw new Error(`there is no operation ${op}`)
    const from = { credential: undefined, address, requestId: 'test' }
    return core.serve({ operation, input, idempotencyKey, ...from })
  }
  const usesLeft = async (code: string) =>
    (await worlds[0]?.ports.store.invitations.get(digest(code)))?.uses_left

  beforeEach(async () => {
    place = await kind.place()
    opened = []
    worlds.splice(0, 2, await open(), await open())
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    await place.remove()
  })

  itOnEach(
    'counts each who came by it once, however many come at once and however often they ask',
    async () => {
      const [one] = worlds
      if (!one) throw new Error('there is no world')
      const bodyOf = async ({ op, isWrong }: Comer, invitation: string): Promise<object> => {
        const own = op === 'agent_claim.create' ? { name: 'Ada' } : await solvedChallenge(one)
        const { bits: _, ...body } = { bits: 0, ...own }
        return isWrong ? { ...body, name: 7, counter: 7, invitation } : { ...body, invitation }
      }
      const property = fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(comer, { minLength: 1, maxLength: 8 }),
        async (uses, comers) => {
          const invitation = await invited(one.ports, { uses })
          const bodies = new Map<string, object>()
          const sent = await Promise.all(
            comers.map(async (one, i) => {
              const key = `${one.op} ${one.isWrong} ${one.repeat ?? `alone ${i}`}`
              return { ...one, key }
            }),
          )
          for (const one of sent) {
            if (!bodies.has(one.key)) bodies.set(one.key, await bodyOf(one, invitation))
          }
          const ends = await Promise.all(
            sent.map(async ({ process, op, repeat, key }) => {
              const idempotencyKey = repeat === undefined ? undefined : digest(key + invitation)
              const world = worlds[process] ?? one
              const outcome = await sendTo(world, op, bodies.get(key) ?? {}, {
                ...(idempotencyKey !== undefined && { idempotencyKey }),
              })
              return { key, text: outcome.answer?.text, code: outcome.refusal?.code }
            }),
          )
          const answers = new Map<string, Set<string | undefined>>()
          for (const { key, text, code } of ends) {
            expect([undefined, 'sign_up_closed', 'invalid_input', 'unknown_field']).toContain(code)
            answers.set(key, (answers.get(key) ?? new Set()).add(text))
          }
          // A repeated request gets the same answer, and no one gets two things.
          for (const texts of answers.values()) expect(texts.size).toBe(1)
          const wanting = new Set(sent.filter(({ isWrong }) => !isWrong).map(({ key }) => key))
          const came = [...answers].filter(([, texts]) => !texts.has(undefined)).map(([key]) => key)
          expect(came.filter((key) => !wanting.has(key))).toEqual([])
          expect(came).toHaveLength(Math.min(uses, wanting.size))
          expect(await usesLeft(invitation)).toBe(uses - came.length)
        },
      )
      await fc.assert(property, { numRuns: kind.name === 'mongodb' ? 8 : 25 })
    },
  )

  it('is not used up by what was not done', async () => {
    const [world] = worlds
    if (!world) throw new Error('there is no world')
    const invitation = await invited(world.ports)
    const commit = vi.spyOn(world.ports.store, 'commit')
    commit.mockRejectedValueOnce(new Unavailable('the disk is gone'))
    const lost = await sendTo(world, 'agent_claim.create', { invitation })
    expect(lost.refusal?.code).toBe('unavailable')
    expect(await usesLeft(invitation)).toBe(1)
    const email = 'ada@example.org'
    const short = { email, password: 'short', invitation }
    expect((await sendTo(world, 'auth.register', short)).refusal?.code).toBe('invalid_input')
    const challenge = newToken('inv')
    const unsolved = { challenge, counter: '1', invitation }
    const handle = await sendTo(world, 'commons.identities.create', unsolved)
    expect(handle.refusal?.code).toBe('challenge_unknown')
    expect(await usesLeft(invitation)).toBe(1)
    expect((await sendTo(world, 'agent_claim.create', { invitation })).answer).toBeDefined()
    expect(await usesLeft(invitation)).toBe(0)
  })

  it('is kept as a hash, and goes some time after it has expired', async () => {
    const clock = fakeClock()
    const world = await open({ clock })
    const code = await invited(world.ports, { days: 2 })
    expect(code).toMatch(/^[A-Za-z0-9_-]{16,}$/)
    const { store } = world.ports
    const [row] = await store.invitations.text({})
    expect(row?.text).toContain(digest(code))
    expect(row?.text).not.toContain(code.slice(4))
    clock.set(clock.now().getTime() + 2 * day)
    const late = await sendTo(world, 'agent_claim.create', { invitation: code })
    expect(late.refusal?.code).toBe('sign_up_closed')
    clock.set(clock.now().getTime() + 29 * day)
    await upkeep(world.ports, clock.now())
    expect(await store.invitations.count({})).toBe(1)
    clock.set(clock.now().getTime() + 2 * day)
    await upkeep(world.ports, clock.now())
    expect(await store.invitations.count({})).toBe(0)
  })

  it('cannot be guessed: tries count by address, across all operations', async () => {
    const world = await open({ limits: { invitations: { count: 3, seconds: hour } } })
    const invitation = await invited(world.ports)
    const guess = () => ({ invitation: newToken('inv') })
    for (const op of ['agent_claim.create', 'auth.register', 'commons.identities.create']) {
      expect((await sendTo(world, op, guess())).refusal?.code).toBe('sign_up_closed')
    }
    // A right one is no longer told from a wrong one.
    for (const input of [{ invitation }, guess()]) {
      const { refusal } = await sendTo(world, 'agent_claim.create', input)
      expect(refusal).toMatchObject({ code: 'rate_limited' })
      expect(refusal?.retryAfterSeconds).toBeGreaterThan(0)
    }
    const without = await sendTo(world, 'agent_claim.create', {})
    expect(without.refusal?.code).toBe('sign_up_closed')
    const elsewhere = { address: '10.0.0.0' }
    const came = await sendTo(world, 'agent_claim.create', { invitation }, elsewhere)
    expect(came.answer).toBeDefined()
  })

  it('is not looked at where anybody may come in', async () => {
    const world = await open({ signUp: { mode: 'open', contact } })
    const invitation = await invited(world.ports)
    const get = vi.spyOn(world.ports.store.invitations, 'get')
    const came = await sendTo(world, 'agent_claim.create', { invitation })
    expect(came.answer?.text).not.toContain('warnings')
    expect(get).not.toHaveBeenCalled()
    expect(await usesLeft(invitation)).toBe(1)
  })
})
