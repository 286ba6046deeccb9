import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { publicLimits } from '#adapters/config/limits.ts'
import { newToken } from '#src/core/ids.ts'
import { DuplicateKey, Unavailable, Unmet, type Store, type Write } from '#src/ports/store.ts'
import type { Call } from '#src/core/door.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, silent, type World } from '#tests/support/world.ts'
import { operationNamed } from '#tests/operations/play.ts'

const call = (name: string, input: unknown, more: Partial<Call> = {}): Call => ({
  operation: operationNamed(name),
  input,
  credential: undefined,
  address: '127.0.0.0/24',
  requestId: 'req_1',
  ...more,
})

describe.each(stores())('the entrance on $name', (kind) => {
  let store: Store
  let world: World
  let key: string
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    key = (await world.account()).key
  })
  afterEach(() => store.close())

  const character = (id: string, more: object = {}): object => ({
    character: { id, name: 'Ada', ...more },
  })
  const serve = async (made: World, one: Call): Promise<unknown> => {
    const { answer, refusal } = await made.core.serve(one)
    return refusal ? refusal.code : (JSON.parse(answer.text) as unknown)
  }

  describe('idempotency keys', () => {
    const create = (input: object, idempotencyKey = 'one'): Call =>
      call('characters.create', input, { credential: key, idempotencyKey })

    it('answer a retry the same, with the effect done once', async () => {
      const nameless = { character: { name: 'Ada' } }
      const first = await serve(world, create(nameless))
      expect(await serve(world, create(nameless))).toEqual(first)
      expect(await store.characters.count({})).toBe(1)
    })

    it('refuse another input of the same operation', async () => {
      await serve(world, create(character('ada')))
      expect(await serve(world, create(character('eve')))).toBe('idempotency_conflict')
      expect(await store.characters.count({})).toBe(1)
    })

    it('refuse another operation with the same input', async () => {
      const heart = { tasks: [{ task_id: 't', name: 'T' }] }
      await world.ask('characters.create', character('ada', { heart }), key)
      const of = { char_id: 'ada', task_id: 't' }
      const sent = { credential: key, idempotencyKey: 'one' }
      expect(await serve(world, call('tasks.pause', of, sent))).toMatchObject({ enabled: false })
      expect(await serve(world, call('tasks.resume', of, sent))).toBe('idempotency_conflict')
      expect(await world.ask('tasks.get', of, key)).toMatchObject({ enabled: false })
    })

    it('do the effect once when 16 retries come at once, through two processes', async () => {
      const worlds = [world, openWorld(store)] as const
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          serve(worlds[i % 2] ?? world, create({ character: { name: 'Ada' } })),
        ),
      )
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(await store.characters.count({})).toBe(1)
    })

    it('are not burnt by a refused validation', async () => {
      expect(await serve(world, create(character('ada', { name: '' })))).toBe('invalid_input')
      expect(await serve(world, create(character('ada')))).toMatchObject({ id: 'ada' })
    })

    it('belong to their caller alone', async () => {
      const other = (await world.account()).key
      await serve(world, create(character('ada')))
      const theirs = call('characters.create', character('eve'), {
        credential: other,
        idempotencyKey: 'one',
      })
      expect(await serve(world, theirs)).toMatchObject({ id: 'eve' })
    })

    it('give back a secret answer that is kept sealed', async () => {
      const idempotencyKey = '6f1c9d2e-0000-4000-8000-4711aa4712bb'
      const claim = call('agent_claim.create', {}, { idempotencyKey })
      const first = await serve(world, claim)
      expect(await serve(world, claim)).toEqual(first)
      const kept = JSON.stringify(await store.idempotency.find({}))
      expect(kept).not.toMatch(/ab_[0-9A-Za-z]{38}/)
      expect(kept).not.toContain(idempotencyKey)
    })

    it('that others at the address could guess open no secret', async () => {
      const claim = call('agent_claim.create', {}, { idempotencyKey: '1' })
      expect(await serve(world, claim)).toBe('idempotency_key_invalid')
    })

    it('stand for the input, not for how it is written', async () => {
      const first = await serve(
        world,
        create(JSON.parse('{"character":{"name":"A","bio":"b"}}') as object),
      )
      const again = await serve(
        world,
        create(JSON.parse('{ "character": {"name":"A", "bio":"b"} }') as object),
      )
      expect(again).toEqual(first)
    })

    it('hold for operations that write nothing of their own', async () => {
      const heart = { tasks: [{ task_id: 't', name: 'T' }] }
      await world.ask('characters.create', character('ada', { heart }), key)
      for (const input of ['1', '2']) {
        await world.ask('tasks.run', { char_id: 'ada', task_id: 't', input }, key)
      }
      const lease = (input: object): Call =>
        call('runs.lease', input, { credential: key, idempotencyKey: 'lease' })
      const answers = await Promise.all([serve(world, lease({})), serve(world, lease({}))])
      expect(answers[1]).toEqual(answers[0])
      expect(await serve(world, lease({ lease_seconds: 60 }))).toBe('idempotency_conflict')
      expect(await store.runs.count({ status: 'running' })).toBe(1)
      expect(JSON.stringify(await store.idempotency.find({}))).not.toContain('lse_')
    })

    it('are refused when they are not visible ASCII', async () => {
      expect(await serve(world, create(character('ada'), 'ö'))).toBe('idempotency_key_invalid')
      expect(await serve(world, create(character('ada'), 'x'.repeat(256)))).toBe(
        'idempotency_key_invalid',
      )
    })

    it('are forgotten after a day', async () => {
      const clock = fakeClock()
      const made = openWorld(store, { clock })
      const one = create({ character: { name: 'Ada' } })
      await serve(made, one)
      await clock.advance(23 * 3_600_000)
      await upkeep(made.ports, clock.now())
      expect(await store.idempotency.count({})).toBe(1)
      await clock.advance(2 * 3_600_000)
      await upkeep(made.ports, clock.now())
      expect(await store.idempotency.count({})).toBe(0)
    })
  })

  describe('limits and quotas', () => {
    it('refuse what is over a rate limit, with the time to wait', async () => {
      const limits = { agent_claim: { count: 2, seconds: 3600 } }
      const made = openWorld(store, { limits, clock: fakeClock() })
      await made.ask('agent_claim.create', {})
      await made.ask('agent_claim.create', {})
      const { refusal, limit } = await made.core.serve(call('agent_claim.create', {}))
      expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 })
      expect(limit).toMatchObject({ name: 'agent_claim', remaining: 0 })
      const elsewhere = call('agent_claim.create', {}, { address: '10.0.0.0' })
      expect((await made.core.serve(elsewhere)).refusal).toBeUndefined()
    })

    it('leave of what everybody has together some to who has had none', async () => {
      const made = openWorld(store, { limits: publicLimits, clock: fakeClock() })
      const claimed = async (addresses: readonly string[]): Promise<number> => {
        let count = 0
        for (const address of addresses) {
          const { refusal } = await made.core.serve(call('agent_claim.create', {}, { address }))
          if (!refusal) count += 1
        }
        return count
      }
      const households = (site: string): string[] =>
        Array.from({ length: 12 }, (_, i) => `${site}:${(i * 256).toString(16)}::/64`)
      // One site, then all that one provider has.
      expect(await claimed(households('2001:db8:1'))).toBe(10)
      const sites = Array.from({ length: 9 }, (_, i) => `2001:db8:a${i}`)
      expect(await claimed(sites.flatMap(households))).toBe(40)
      // Sites of others: after the half that is for more than one each, one alone.
      const others = Array.from({ length: 9 }, (_, i) => `2001:db${i}:1`)
      const taken = await claimed(others.flatMap(households))
      expect(taken).toBeLessThanOrEqual(30)
      expect(await claimed(['198.51.100.0/24', '203.0.113.0/24', '2001:dba:1:1::/64'])).toBe(3)
      // The whole is a bound all the same.
      const everybody = Array.from({ length: 100 }, (_, i) => `10.0.${i}.0/24`)
      expect(await claimed(everybody)).toBe(100 - 50 - taken - 3)
      expect(await claimed(['192.0.2.0/24'])).toBe(0)
    })

    it('count a caller who tries keys as a stranger', async () => {
      const limits = {
        anonymous_reads: { count: 2, seconds: 60 },
        writes: { count: 1, seconds: 60 },
      }
      const made = openWorld(store, { limits, clock: fakeClock() })
      const reading = () => serve(made, call('characters.list', {}, { credential: newToken('ab') }))
      expect(await reading()).toBe('invalid_credential')
      expect(await reading()).toBe('invalid_credential')
      expect(await reading()).toBe('rate_limited')
      const writing = () =>
        serve(made, call('characters.create', character('a'), { credential: 'garbage' }))
      expect(await writing()).toBe('invalid_credential')
      expect(await writing()).toBe('rate_limited')
      // No other caller is affected.
      expect(await serve(made, call('characters.list', {}, { credential: key }))).toMatchObject({
        items: [],
      })
    })

    it('count an account, not its keys', async () => {
      const limits = { writes: { count: 3, seconds: 60 } }
      const made = openWorld(store, { limits, clock: fakeClock() })
      const second = await made.ask<{ key: string }>('api_keys.create', { name: 'k' }, key)
      await made.ask('characters.create', character('a'), key)
      await made.ask('characters.create', character('b'), second.key)
      expect(await made.refusal('characters.create', character('c'), second.key)).toMatchObject({
        code: 'rate_limited',
      })
    })

    it('let exactly as many agents in as the quota has room for, asked all at once', async () => {
      const table = { ...noQuotas.unclaimed, agents: 5 }
      const made = openWorld(store, { quotas: { unclaimed: table, claimed: noQuotas.claimed } })
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          serve(made, call('characters.create', character(`a${i}`), { credential: key })),
        ),
      )
      expect(outcomes.filter((one) => one === 'quota_exceeded')).toHaveLength(7)
      expect(await store.characters.count({})).toBe(5)
      await made.ask(
        'characters.delete',
        { char_id: (await store.characters.find({}))[0]?.id },
        key,
      )
      await made.ask('characters.create', character('again'), key)
    })

    it('refuse the run that is one too many in a day', async () => {
      const table = { ...noQuotas.unclaimed, runs_a_day: 2 }
      const made = openWorld(store, { quotas: { unclaimed: table, claimed: noQuotas.claimed } })
      const heart = { tasks: [{ task_id: 't', name: 'T', runtime: 'template' }] }
      await made.ask('characters.create', character('ada', { heart }), key)
      const run = { char_id: 'ada', task_id: 't' }
      await made.ask('tasks.run', run, key)
      await made.ask('tasks.run', run, key)
      expect(await made.refusal('tasks.run', run, key)).toMatchObject({
        code: 'quota_exceeded',
        hint: expect.stringContaining('claim') as string,
      })
    })

    it('count the bytes that are stored, and no more once they are deleted', async () => {
      const used = async (): Promise<number> => {
        const { quotas } = await world.ask<{ quotas: { name: string; used: number }[] }>(
          'account.get',
          {},
          key,
        )
        return quotas.find(({ name }) => name === 'stored_bytes')?.used ?? -1
      }
      const empty = await used()
      await world.ask('characters.create', character('ada', { bio: 'x'.repeat(10_000) }), key)
      const one = await used()
      expect(one - empty).toBeGreaterThan(10_000)
      for (const letter of ['y', 'z']) {
        const bio = letter.repeat(10_000)
        await world.ask('characters.update', { char_id: 'ada', character: { bio } }, key)
      }
      // What it was before each of the two changes is kept as a revision.
      expect((await used()) - 3 * one).toBeLessThan(2000)
      expect((await used()) - one).toBeGreaterThan(20_000)
      await world.ask('characters.delete', { char_id: 'ada' }, key)
      expect(Math.abs((await used()) - empty)).toBeLessThan(500)
    })

    it('refuse writes once the stored bytes are used up, and let deletes and reads go on', async () => {
      const table = { ...noQuotas.unclaimed, stored_bytes: 2000 }
      const made = openWorld(store, { quotas: { unclaimed: table, claimed: noQuotas.claimed } })
      await made.ask('characters.create', character('ada', { bio: 'x'.repeat(3000) }), key)
      expect(await made.refusal('characters.create', character('eve'), key)).toMatchObject({
        code: 'quota_exceeded',
      })
      await made.ask('characters.get', { char_id: 'ada' }, key)
      await made.ask('characters.delete', { char_id: 'ada' }, key)
    })
  })

  describe('hostile input', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })

    it.each([
      ['too deep', { character: { name: 'A', x: deep(40) } }, 'too_deep'],
      ['too many members', { character: { name: 'A', x: Array(200_001).fill(0) } }, 'too_deep'],
      [
        'a member that would change the prototype',
        JSON.parse('{"character":{"name":"A","x":{"__proto__":{"a":1}}}}'),
        'bad_json',
      ],
      ['an unpaired surrogate', { character: { name: 'A', bio: '\ud800' } }, 'invalid_input'],
      ['a name with a direction override', { character: { name: 'A\u202eb' } }, 'invalid_input'],
      [
        'a number that would not come back',
        { character: { name: 'A', x: 2 ** 53 } },
        'invalid_input',
      ],
      ['a number beyond all numbers', { character: { name: 'A', x: Infinity } }, 'invalid_input'],
      [
        'more text than a body may hold',
        { character: { name: 'A', bio: 'x'.repeat(2 ** 20 + 1) } },
        'payload_too_large',
      ],
      ['no object at all', 'text', 'invalid_input'],
      ['nothing', null, 'invalid_input'],
    ])('is refused: %s', async (_, input, code) => {
      const one = call('characters.create', input, { credential: key })
      expect(await serve(world, one)).toBe(code)
      expect(await store.characters.count({})).toBe(0)
    })

    it('is judged for its form only after its credential', async () => {
      const tooDeep = { character: { x: deep(40) } }
      expect(await serve(world, call('characters.create', tooDeep))).toBe('unauthenticated')
      expect(await serve(world, { ...call('characters.create', tooDeep), credential: key })).toBe(
        'too_deep',
      )
      expect(await serve(world, call('characters.create', { nonsense: 1 }))).toBe('unauthenticated')
    })

    it('gets its texts normalised, but not those of manifests', async () => {
      const decomposed = 'e\u0301'
      const made = await world.ask<{ bio: string }>(
        'characters.create',
        character('ada', { bio: decomposed }),
        key,
      )
      expect(made.bio).toBe('\u00e9')
      const manifest = {
        app_id: 'app',
        name: 'App',
        description: decomposed,
        agents: [{ local_id: 'a', name: 'A' }],
      }
      await world.ask('agent_apps.provision', { manifest }, key)
      expect(await world.ask('agent_apps.manifest', { app_id: 'app' }, key)).toEqual(manifest)
    })
  })

  describe('faults', () => {
    const logged: { message: string; fields: Record<string, unknown> | undefined }[] = []
    const log = {
      ...silent,
      error: (message: string, fields?: Record<string, unknown>) =>
        void logged.push({ message, fields }),
    }
    const failing = (commit: Store['commit']): World => openWorld({ ...store, commit }, { log })

    it('say nothing of the inside, and are logged once with their cause', async () => {
      logged.length = 0
      const cause = new Error('SQLITE_CORRUPT at /var/lib/inside')
      const made = failing(() => Promise.reject(cause))
      const refusal = await made.refusal('characters.create', character('ada'), key)
      expect(refusal).toMatchObject({ code: 'internal_error' })
      expect(JSON.stringify(refusal)).not.toContain('SQLITE')
      expect(logged).toHaveLength(1)
      expect(logged[0]?.fields).toMatchObject({ operation: 'characters.create', cause })
    })

    it('of the store ask for a retry, and say whether it is safe', async () => {
      const unknown = failing(() =>
        Promise.reject(new Unavailable('gone', { outcomeUnknown: true })),
      )
      expect(await unknown.refusal('characters.create', character('ada'), key)).toMatchObject({
        code: 'unavailable',
        retry_after_s: 2,
        hint: expect.stringContaining('same idempotency key') as string,
      })
    })

    it('become a conflict when others change the same document without end', async () => {
      await world.ask('characters.create', character('ada'), key)
      const busy = failing((writes: readonly Write[]) => {
        const [first] = writes
        return Promise.reject(new Unmet(first?.in ?? 'characters', 0))
      })
      const heart = { tasks: [{ task_id: 't', name: 'T' }] }
      await world.ask('characters.update', { char_id: 'ada', character: { heart } }, key)
      const of = { char_id: 'ada', task_id: 't' }
      const manifest = { app_id: 'app', name: 'App', agents: [{ local_id: 'a', name: 'A' }] }
      await world.ask('agent_apps.provision', { manifest }, key)
      const run = await world.ask<{ id: string }>('tasks.run', of, key)
      const { lease_token } = await world.ask<{ lease_token: string }>('runs.lease', {}, key)
      const lease = { run_id: run.id, lease_token }
      const conflicts = [
        ['characters.update', { char_id: 'ada', character: { bio: 'x' } }],
        ['characters.delete', { char_id: 'ada' }],
        ['tasks.create', { char_id: 'ada', task: { name: 'T' } }],
        ['tasks.update', { ...of, task: { enabled: false } }],
        ['tasks.delete', of],
        ['runs.cancel', { run_id: run.id }],
        ['runs.complete', { ...lease, output: 'x' }],
        ['runs.fail', { ...lease, error: { message: 'x' } }],
        ['agent_apps.teardown', { app_id: 'app' }],
      ] as const
      // A hundred tries each: above the store they are the same.
      const tried = kind.name === 'sqlite' ? conflicts : conflicts.slice(0, 2)
      for (const [name, input] of tried) {
        expect(await busy.refusal(name, input, key), name).toMatchObject({ code: 'write_conflict' })
      }
    })

    it('of two that change one agent at once lose neither change', async () => {
      await world.ask('characters.create', character('ada'), key)
      const changes = ['bio', 'role', 'tagline', 'full_name']
      await Promise.all(
        changes.map((member) =>
          world.ask('characters.update', { char_id: 'ada', character: { [member]: member } }, key),
        ),
      )
      expect(await world.ask('characters.get', { char_id: 'ada' }, key)).toMatchObject({
        bio: 'bio',
        role: 'role',
        tagline: 'tagline',
        full_name: 'full_name',
        revision: 5,
      })
    })

    it('of one id created at once leave exactly one', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, () =>
          serve(world, call('characters.create', character('ada'), { credential: key })),
        ),
      )
      expect(outcomes.filter((one) => one === 'character_id_taken')).toHaveLength(15)
    })

    it('name the collection of a duplicate', async () => {
      const account = (await store.accounts.find({}))[0]
      if (!account) throw new Error('the account is there')
      await expect(store.accounts.insert(account)).rejects.toBeInstanceOf(DuplicateKey)
    })
  })

  describe('keys', () => {
    it('that are revoked in one process are soon refused in another', async () => {
      const place = await kind.place()
      const [here, there] = [await place.open(), await place.open()]
      try {
        const [first, second] = [openWorld(here), openWorld(there)]
        const owner = (await first.account()).key
        const made = await first.ask<{ id: string; key: string }>(
          'api_keys.create',
          { name: 'k' },
          owner,
        )
        await second.ask('account.get', {}, made.key)
        await first.ask('api_keys.revoke', { key_id: made.id }, owner)
        expect(await first.refusal('account.get', {}, made.key)).toMatchObject({
          code: 'invalid_credential',
        })
        const codeThere = async (): Promise<string> => {
          const one = call('account.get', {}, { credential: made.key })
          return (await second.core.serve(one)).refusal?.code ?? 'answered'
        }
        await expect.poll(codeThere, { timeout: 120_000, interval: 20 }).toBe('invalid_credential')
      } finally {
        await here.close()
        await there.close()
        await place.remove()
      }
    })

    it('are looked up again after a change whose outcome is not known', async () => {
      const commit = async (writes: readonly Write[]): Promise<void> => {
        await store.commit(writes)
        throw new Unavailable('gone', { outcomeUnknown: true })
      }
      const made = await world.ask<{ id: string; key: string }>(
        'api_keys.create',
        { name: 'k' },
        key,
      )
      const cut = openWorld({ ...store, commit })
      await cut.ask('account.get', {}, made.key)
      expect(await cut.refusal('api_keys.revoke', { key_id: made.id }, key)).toMatchObject({
        code: 'unavailable',
      })
      expect(await cut.refusal('account.get', {}, made.key)).toMatchObject({
        code: 'invalid_credential',
      })
    })

    it('of an agent end with it', async () => {
      await world.ask('characters.create', character('ada'), key)
      const scoped = await world.ask<{ key: string }>(
        'api_keys.create',
        { name: 'k', scope_char_id: 'ada' },
        key,
      )
      await world.ask('account.get', {}, scoped.key)
      await world.ask('characters.delete', { char_id: 'ada' }, key)
      expect(await world.refusal('account.get', {}, scoped.key)).toMatchObject({
        code: 'invalid_credential',
      })
    })

    it('are noted when they are used, once a minute', async () => {
      const clock = fakeClock()
      const made = openWorld(store, { clock })
      const { key: fresh } = await made.account()
      await clock.advance(61_000)
      await made.ask('account.get', {}, fresh)
      await expect
        .poll(async () => {
          const { items } = await made.ask<{ items: { last_used_at: string | null }[] }>(
            'api_keys.list',
            {},
            fresh,
          )
          return items[0]?.last_used_at
        })
        .toBe(clock.now().toISOString())
    })

    it('and claim tokens are kept as hashes only', async () => {
      const claim = await world.ask<{ api_key: string; token: string; claim_url: string }>(
        'agent_claim.create',
        {},
      )
      const kept = JSON.stringify([await store.api_keys.find({}), await store.claims.find({})])
      expect(kept).not.toContain(claim.api_key)
      expect(kept).not.toContain(claim.token)
      expect(kept).not.toContain(claim.claim_url.split('/').at(-1))
    })
  })
})
