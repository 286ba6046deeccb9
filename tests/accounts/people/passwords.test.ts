import type * as Crypto from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { LimitTable } from '#src/core/admission/limits.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { password, signedInPerson } from './persons.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const hashes = vi.hoisted(() => ({ costs: [] as object[] }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  const argon2: typeof crypto.argon2 = (algorithm, parameters, done) => {
    const { memory, passes, parallelism, tagLength } = parameters
    hashes.costs.push({ algorithm, memory, passes, parallelism, tagLength })
    return crypto.argon2(algorithm, parameters, done)
  }
  return { ...crypto, argon2 }
})

describe.each(stores())('passwords on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let given: LimitTable = {}
  const open = (limits: LimitTable): void => {
    given = limits
    world = openWorld(store, { clock, limits })
  }
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    open({})
  })
  afterEach(() => store.close())

  /** The code of the refusal, of a call from this network. */
  const codeOf = async (name: string, input: object, address = '10.0.0.0') => {
    const operation = world.core.catalog.find((op) => op.name === name)
    if (!operation) throw new Error(name)
    const call = { operation, input, credential: undefined, address, requestId: 'test' }
    const { refusal } = await world.core.serve(call)
    return refusal?.code
  }

  it('are hashed alike whether or not there is the address, and once each', async () => {
    const { email } = await signedInPerson(world.ports)
    hashes.costs.length = 0
    const tries = [
      { email, password: 'some other words' },
      { email: `x${email}`, password },
      { email: 'no address at all', password: '' },
      { email: '', password: '' },
      { email, password },
    ]
    const codes = []
    for (const one of tries) codes.push(await codeOf('auth.login', one))
    expect(codes).toEqual([...Array<string>(4).fill('login_failed'), undefined])
    expect(hashes.costs).toHaveLength(tries.length)
    expect(new Set(hashes.costs.map((cost) => JSON.stringify(cost))).size).toBe(1)
    expect(hashes.costs[0]).toMatchObject({ algorithm: 'argon2id', memory: 19_456, passes: 2 })
  })

  it('are kept as Argon2id with a salt of their own, and stand nowhere else', async () => {
    const input = { password, email: 'ada@example.org' }
    expect(await codeOf('auth.register', input)).toBeUndefined()
    expect(await codeOf('auth.register', { ...input, email: 'bea@example.org' })).toBeUndefined()
    const [ada, bea] = await store.persons.find({}, { sort: { email: 1 } })
    const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
    expect(ada?.password).toMatch(form)
    expect(bea?.password).not.toBe(ada?.password)
    expect(JSON.stringify(await store.idempotency.find({}))).not.toContain(password)
  })

  it('do not help to find out which addresses of a list are registered', async () => {
    open({ known_emails: { count: 3, seconds: 3600 } })
    const known: string[] = []
    for (let i = 0; i < 6; i++) known.push((await signedInPerson(world.ports)).email)
    const tried = async (email: string, address?: string) =>
      codeOf('auth.register', { email, password: 'some other words' }, address)
    const codes = []
    for (const email of known) codes.push(await tried(email))
    expect(codes).toEqual([
      ...Array<string>(3).fill('email_taken'),
      ...Array<string>(3).fill('rate_limited'),
    ])
    // An unregistered address gets the same answer, and nothing is hashed for it.
    hashes.costs.length = 0
    expect(await tried('unknown@example.org')).toBe('rate_limited')
    expect(hashes.costs).toEqual([])
    expect(await store.persons.count({})).toBe(known.length)
    expect(await tried('unknown@example.org', '10.9.9.0')).toBeUndefined()
    await clock.advance(3_600_000)
    expect(await tried(known[5] ?? '')).toBe('email_taken')
  })

  it('and addresses are tried no more often by many networks of one IPv6 household', async () => {
    open({ known_emails: { count: 1, seconds: 3600 }, passwords: { count: 1, seconds: 900 } })
    const { email } = await signedInPerson(world.ports)
    const wrong = { email, password: 'some other words' }
    const subnets = Array.from({ length: 8 }, (_, i) => `2001:db8:1:${i}::/64`)
    const counts = async (name: string) => {
      const codes = []
      for (const address of subnets) codes.push(await codeOf(name, wrong, address))
      return codes.filter((code) => code !== 'rate_limited').length
    }
    expect(await counts('auth.login')).toBe(4)
    expect(await counts('auth.register')).toBe(4)
  })

  it('are tried a few times from one network, and no more are hashed', async () => {
    open({ passwords: { count: 3, seconds: 900 } })
    const { email } = await signedInPerson(world.ports)
    const wrong = { email, password: 'some other words' }
    const right = { email: ` ${email.toUpperCase()}`, password }
    for (let i = 0; i < 3; i++) expect(await codeOf('auth.login', wrong)).toBe('login_failed')
    hashes.costs.length = 0
    expect(await codeOf('auth.login', right), 'however it is spelt').toBe('rate_limited')
    expect(hashes.costs).toEqual([])
    expect(await codeOf('auth.login', right, '10.0.1.0'), 'the owner elsewhere').toBeUndefined()
    expect(await codeOf('auth.login', { ...right, email: 'x@y.z' })).toBe('login_failed')
    expect(JSON.stringify(await store.limits.find({}))).not.toContain(email)
    await clock.advance(900_000)
    expect(await codeOf('auth.login', right)).toBeUndefined()
  })

  it.each(['auth.register', 'auth.login'])(
    '%s is counted by network, for any caller',
    async (op) => {
      const name = op === 'auth.login' ? 'logins' : 'registrations'
      open({ [name]: { count: 2, seconds: 3600 } })
      const input = (i: number) => ({ email: `ada${i}@example.org`, password })
      for (let i = 0; i < 2; i++) expect(await codeOf(op, input(i))).not.toBe('rate_limited')
      expect(await codeOf(op, input(3))).toBe('rate_limited')
      expect(await codeOf(op, input(3), '10.0.1.0')).not.toBe('rate_limited')
      expect(await world.ask('limits.get', {})).toMatchObject({
        rate_limits: [{ name, ...given[name] }],
      })
    },
  )

  it('of one address that several register at once become one person', async () => {
    const input = { email: 'ada@example.org', password }
    const codes = await Promise.all([1, 2, 3].map(() => codeOf('auth.register', input)))
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'email_taken')).toHaveLength(2)
    expect(await store.persons.count({})).toBe(1)
    expect(await store.accounts.count({})).toBe(1)
    expect(await store.sessions.count({})).toBe(1)
  })
})
