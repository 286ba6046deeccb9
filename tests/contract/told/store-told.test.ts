import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld } from '#tests/support/world.ts'
import { heardAt, marked, settled, type Heard } from './heard.ts'

const run = (id: string, more: Partial<StoredRun> = {}): StoredRun =>
  // What the store and the names need of one.
  ({
    id,
    owner_id: 'acc_1',
    status: 'queued',
    waits_for: 'worker',
    claim: null,
    ...more,
  }) as StoredRun

describe.each(stores())('what a store tells of another on one database ($name)', (kind) => {
  let place: Place
  let one: Store
  let other: Store
  let heard: Heard
  beforeAll(async () => {
    place = await kind.place()
    one = await place.open()
    other = await place.open()
    heard = heardAt(other)
    await settled(one, heard, kind.name === 'mongodb' ? 1_500 : 0)
  })
  beforeEach(async () => {
    await marked(one, heard)
    heard.calls.length = 0
  })
  afterAll(async () => {
    await Promise.all([one.close(), other.close()])
    await place.remove()
  })

  /** What was told of the writes, and nothing else. */
  const toldOf = async (write: () => Promise<unknown>): Promise<string[]> => {
    heard.calls.length = 0
    await write()
    const mark = await marked(one, heard)
    return [...heard.names()].filter((name) => name !== mark).toSorted()
  }

  it('names a run with its queue and the loop, at each step that others wait for', async () => {
    const queued = ['brain:acc_1', 'loops/runs', 'runs/run_a']
    expect(await toldOf(() => one.runs.insert(run('run_a')))).toEqual(queued)
    const claim = { $set: { status: 'running', claim: { token: 't' } } } as const
    const due = { owner_id: 'acc_1', status: 'queued' } as const
    expect(await toldOf(() => one.runs.update(due, claim as never))).toEqual(['runs/run_a'])
    const beat = { $set: { 'claim.until': 'later', due_at: 'later' } }
    const held = { id: 'run_a', 'claim.token': 't' } as const
    expect(await toldOf(() => one.runs.update(held, beat))).toEqual([])
    const end = { $set: { status: 'completed', waits_for: null, claim: null } } as const
    const ending = [
      { in: 'runs', update: held, change: end },
      { in: 'meta', insert: { id: 'too', value: '' } },
    ] as const
    expect(await toldOf(() => one.commit(ending))).toEqual(['brain:acc_1', 'runs/run_a'])
    expect(await toldOf(() => one.runs.delete({ id: 'run_a' }))).toEqual(['runs/run_a'])
  })

  it('names the run of an event, in a commit or by itself', async () => {
    const event = (n: number) => {
      const id = `run_e${n}`
      return { id: `${id}.1`, run_id: id, seq: 1, type: 'x', at: '', data: {} }
    }
    expect(await toldOf(() => one.run_events.insert(event(1)))).toEqual(['runs/run_e1'])
    const inserts = [2, 3].map((n) => ({ in: 'run_events', insert: event(n) }) as const)
    expect(await toldOf(() => one.commit(inserts))).toEqual(['runs/run_e2', 'runs/run_e3'])
    expect(await toldOf(() => one.run_events.delete({ run_id: 'run_e1' }))).toEqual([])
  })

  it('names keys and accounts that change or go, also where the filter names others', async () => {
    const key = (id: string) => ({ id, hash: id, scope_char_id: 'ada', revoked_at: null }) as never
    const made = ['key_1', 'key_2', 'key_3']
    expect(await toldOf(() => Promise.all(made.map((id) => one.api_keys.insert(key(id)))))).toEqual(
      [],
    )
    const used = { $set: { last_used_at: 'now' } }
    expect(await toldOf(() => one.api_keys.update({ id: 'key_1' }, used, { lazy: true }))).toEqual(
      [],
    )
    const revoked = { $set: { revoked_at: 'now' } }
    const one1 = [{ in: 'api_keys', update: { hash: 'key_1' }, change: revoked }] as const
    expect(await toldOf(() => one.commit(one1))).toEqual(['api_keys/key_1'])
    const rest = [
      { in: 'api_keys', delete: { scope_char_id: 'ada', revoked_at: null } },
      { in: 'meta', insert: { id: 'gone', value: '' } },
    ] as const
    expect(await toldOf(() => one.commit(rest))).toEqual(['api_keys/key_2', 'api_keys/key_3'])
    await one.accounts.insert({ id: 'acc_9', holder_id: null } as never)
    const closed = { $set: { closed_at: 'now' } }
    const asRead = { holder_id: null, id: 'acc_9' }
    expect(await toldOf(() => one.accounts.update(asRead, closed))).toEqual(['accounts/acc_9'])
    expect(await toldOf(() => one.accounts.delete({ id: 'acc_9' }))).toEqual(['accounts/acc_9'])
  })

  it('names nothing of writes that match nothing, and not what it writes itself', async () => {
    const nothing = { $set: { status: 'failed' } } as const
    expect(await toldOf(() => one.runs.update({ id: 'run_none' }, nothing))).toEqual([])
    await other.runs.insert(run('run_own'))
    expect(await toldOf(async () => undefined)).toEqual([])
  })

  it('tells each run of many that are written at once', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `run_m${n}`)
    await Promise.all(ids.map((id) => one.runs.insert(run(id, { waits_for: 'turn' }))))
    await until(() => ids.every((id) => heard.has(`runs/${id}`)))
    expect(heard.calls).not.toContain('all')
  })

  it('tells everything where too much was touched to name it', async () => {
    const writes = Array.from({ length: 2_500 }, (_, n) => {
      const insert = { id: `evt${n}.1`, run_id: `run_x${n}`, seq: 1, type: 'x', at: '', data: {} }
      return { in: 'run_events', insert } as const
    })
    await one.commit(writes)
    await until(() => heard.calls.includes('all'))
  })

  it('forgets in the other process a key that is revoked, and no other', async () => {
    const [near, far] = [openWorld(one), openWorld(other)]
    const [first, second] = [await near.account(), await near.account()]
    const scoped = await near.ask<{ id: string; key: string }>(
      'api_keys.create',
      { name: 'n' },
      first.key,
    )
    const show = (key: string) => far.ask('account.get', {}, key)
    for (const { key } of [first, second, scoped]) await show(key)
    await marked(one, heard)
    let looked = 0
    const find = other.api_keys.find.bind(other.api_keys)
    Object.assign(other.api_keys, {
      find: (...given: Parameters<typeof find>) => ((looked += 1), find(...given)),
    })
    await near.ask('api_keys.revoke', { key_id: scoped.id }, first.key)
    await until(() => heard.has(`api_keys/${scoped.id}`))
    for (const { key } of [first, second]) await show(key)
    expect(looked).toBe(0)
    const refused = await far.refusal('account.get', {}, scoped.key)
    expect(refused).toMatchObject({ code: 'invalid_credential' })
    expect(looked).toBe(1)
  })
})
