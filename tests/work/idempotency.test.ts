import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Answer } from '#src/core/answer.ts'
import { recordOf, remembered, replay } from '#src/core/admission/idempotency.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

const key = { owner: 'key_1', isKeyed: true }
const address = { owner: 'address:127.0.0.0', isKeyed: false }
const open = { name: 'tasks.run' }
const secret = { name: 'api_keys.create', secret: true } as const
const now = new Date('2026-03-01T12:00:00.000Z')

describe('what an idempotency key stands for', () => {
  const standsFor = (input: unknown): string => remembered('k', key, open, input).fingerprint

  it('is the same for any order of the members', () => {
    const ways = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'].map((order) =>
      standsFor(Object.fromEntries(order.split('').map((name) => [name, name]))),
    )
    expect(new Set(ways).size).toBe(1)
  })

  it('is another with another operation, value or order of a list', () => {
    const inputs = [undefined, null, 'ab', ['a', 'b'], ['b', 'a'], { 0: 'a', 1: 'b' }, { a: 1 }]
    expect(new Set(inputs.map(standsFor)).size).toBe(inputs.length)
    expect(standsFor({})).not.toBe(remembered('k', key, { name: 'tasks.get' }, {}).fingerprint)
  })

  it('belongs to its owner, and is not kept as it is', () => {
    const { id } = remembered('my-key', key, open, {})
    expect(id).toMatch(/^key_1:[0-9a-f]{64}$/)
    expect(remembered('my-key', address, open, {}).id).not.toBe(id)
  })

  it.each([
    [address, secret, 15, false],
    [address, secret, 16, true],
    [address, open, 1, true],
    [key, secret, 1, true],
    [key, open, 255, true],
    [key, open, 256, false],
    [key, open, 0, false],
  ])('of %o for %o with %d characters is taken: %s', (owner, op, length, isTaken) => {
    const take = () => remembered('x'.repeat(length), owner, op, {})
    if (isTaken) expect(take().secret).toBe(op === secret)
    else expect(take).toThrow(expect.objectContaining({ code: 'idempotency_key_invalid' }))
  })
})

describe.each(stores())('the answer kept for an idempotency key on $name', (kind) => {
  let store: Store
  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  const full = {
    pending: true,
    revision: 7,
    notice: 'A notice.',
    refused: { code: 'invalid_input', message: 'No.' },
  } as const

  it.each([
    ['all that an answer is', full],
    ['an empty notice', { notice: '' }],
    ['the revision 0', { revision: 0 }],
    ['nothing', {}],
  ])('has %s in addition to its text', async (_, options) => {
    const call = remembered('k', key, open, {})
    const first = new Answer('{"a":1}', options)
    await store.idempotency.insert(recordOf(call, first, now))
    expect(await replay(store, call)).toEqual(first)
  })

  it('holds no more than there is', () => {
    const call = remembered('k', key, open, {})
    expect(recordOf(call, new Answer('{}'), now)).toStrictEqual({
      id: call.id,
      fingerprint: call.fingerprint,
      text: '{}',
      sealed: false,
      pending: false,
      revision: null,
      at: now.toISOString(),
      counts_for: call.countsFor,
      bytes: 502,
    })
  })

  it('is sealed where it is secret, and opened by the key alone', async () => {
    const call = remembered('k', key, secret, {})
    const record = recordOf(call, new Answer('"ab_secret"'), now)
    expect(record).toMatchObject({ sealed: true })
    expect(record.text).not.toContain('ab_secret')
    await store.idempotency.insert(record)
    expect((await replay(store, call))?.text).toBe('"ab_secret"')
    await expect(replay(store, { ...call, key: 'other' })).rejects.toThrow()
  })

  it('is given for nothing else', async () => {
    const call = remembered('k', key, open, { a: 1 })
    expect(await replay(store, call)).toBeUndefined()
    await store.idempotency.insert(recordOf(call, new Answer('{}'), now))
    await expect(replay(store, remembered('k', key, open, { a: 2 }))).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
  })
})
