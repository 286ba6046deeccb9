import { describe, expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import type { EffectPorts } from '#src/core/effects.ts'
import { effects } from '#src/effects.ts'
import type { Write } from '#src/ports/store.ts'
import { changedBy, touches, touchOf } from '#src/touches.ts'

const queued = { status: 'queued', waits_for: 'worker' }
const run = { id: 'run_1', owner_id: 'acc_1', ...queued, trigger: {}, artifacts: [] }
const documents = {
  runs: run,
  run_events: { id: 'run_1.5', run_id: 'run_1' },
  events: { id: 'evt_1' },
  deliveries: { id: 'dlv_1', status: 'pending' },
  knowledge_items: { id: 'kno_1' },
  knowledge_remains: { id: 'kno_1' },
  orders: { id: 'ord_1', artifacts: [] },
  refunds: { id: 'ref_1' },
  x402_payments: { id: 'pay_1' },
} as const

const released = { waits_for: 'worker', due_at: 'now', reason: null }
const changes = {
  runs: [released, { status: 'completed', waits_for: null }],
  deliveries: [{ status: 'pending' }, { status: 'sent' }],
  knowledge_items: [{ status: 'indexed' }],
  orders: [{ status: 'paid' }],
} as const

/** Writes of every kind that an effect of this process wakes or tells something for. */
function* written(): Generator<{ write: Write; names: readonly string[]; title: string }> {
  for (const [name, document] of Object.entries(documents)) {
    const of = touchOf(name as keyof typeof documents)
    // Of a document, effects and rows read no more than is there.
    const insert = { in: name, insert: document } as unknown as Write
    yield { write: insert, names: of?.names(document, 'inserted') ?? [], title: `${name} inserted` }
    const replace = { in: name, update: {}, replace: document } as unknown as Write
    const replaced = of?.names(document, 'replaced') ?? []
    yield { write: replace, names: replaced, title: `${name} replaced` }
  }
  for (const [name, sets] of Object.entries(changes)) {
    const document = documents[name as keyof typeof changes]
    for (const $set of sets) {
      const update = { id: document.id, ...(name === 'runs' && { owner_id: run.owner_id }) }
      const write = { in: name, update, change: { $set } } as unknown as Write
      const after = { ...document, ...$set }
      const names = touchOf(name as keyof typeof changes)?.names(after, changedBy({ $set })) ?? []
      yield { write, names, title: `${name} changed: ${JSON.stringify($set)}` }
    }
  }
}

/** What the effects of a commit wake and tell in this process, in the names of other processes. */
function wokenHere(write: Write): string[] {
  const names: string[] = []
  const wake = {
    runs: () => names.push('loops/runs'),
    events: () => names.push('loops/events'),
    deliveries: () => names.push('loops/deliveries'),
    knowledge: () => names.push('loops/knowledge'),
    payments: () => names.push('loops/payments'),
  }
  const tell = (key: string): unknown => names.push(key.startsWith('run_') ? `runs/${key}` : key)
  const nothing = (): unknown => undefined
  const ports = { wake, waiting: { tell }, quotas: new Proxy({}, { get: () => nothing }) }
  for (const effect of effects) effect(ports as unknown as EffectPorts, [write])
  return names
}

describe('what a write touches', () => {
  it.each([...written()])('has in other processes what it wakes in its own: $title', (one) => {
    expect(one.names).toEqual(expect.arrayContaining(wokenHere(one.write)))
  })

  it('is nothing for a heartbeat, or for a mere use of a key', () => {
    const beat = changedBy({ $set: { 'claim.until': 'later', due_at: 'later' } })
    expect(touchOf('runs')?.names({ ...run }, beat)).toEqual([])
    const used = changedBy({ $set: { last_used_at: 'now' } })
    expect(touchOf('api_keys')?.names({ id: 'key_1' }, used)).toEqual([])
    expect(touchOf('sessions')?.names({ id: 'ses_1' }, used)).toEqual([])
  })

  it.each(['accounts', 'api_keys', 'sessions', 'persons', 'commons_tokens'] as const)(
    'is each of the %s that is changed or goes, as callers are made of them',
    (name) => {
      const of = touchOf(name)
      const changed = changedBy({ $set: { revoked_at: 'now', last_used_at: 'now' } })
      expect(of?.names({ id: 'one' }, changed)).toEqual([`${name}/one`])
      expect(of?.names({ id: 'one' }, 'replaced')).toEqual([`${name}/one`])
      expect(of?.names({ id: 'one' }, 'deleted')).toEqual([`${name}/one`])
      expect(of?.ofDeleted).toBe(true)
      expect(of?.names({ id: 'one' }, 'inserted')).toEqual([])
    },
  )

  it('tells agents that wait for a run of the account when one ends or is parked', () => {
    const status = changedBy({ $set: { status: 'waiting_approval' } })
    const parked = { ...run, status: 'waiting_approval', waits_for: 'approval' }
    expect(touchOf('runs')?.names(parked, status)).toEqual(['runs/run_1', 'brain:acc_1'])
    const claimed = { ...run, status: 'running' }
    expect(touchOf('runs')?.names(claimed, status)).toEqual(['runs/run_1'])
  })

  it('is said once for each collection, of members that it has', () => {
    const names = touches.map((row) => row.in)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(collections).toHaveProperty(name)
  })
})
