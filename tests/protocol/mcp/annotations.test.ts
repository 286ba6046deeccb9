import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { collections } from '#src/collections.ts'
import { offered } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Documents } from '#src/ports/documents.ts'
import type { Store } from '#src/ports/store.ts'
import { startWork } from '#src/work/work.ts'
import { annotationsOf } from '#protocol/mcp/annotations.ts'
import { agreeingFacilitator, x402TermsAt } from '#tests/support/facilitator.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { cases } from '#tests/operations/cases.ts'
import { coreDoor, type Send } from '#tests/operations/doors/doors.ts'
import { play } from '#tests/operations/play.ts'

let store: Store
let world: World

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is no store to test with')
  store = await kind.open()
  world = openWorld(store, {
    models: standInModels(),
    x402: x402TermsAt('http://127.0.0.1:9'),
    facilitator: agreeingFacilitator(),
  })
})
afterAll(() => store.close())

/** What is kept of the calls themselves: how many there were. */
const ofCalls: ReadonlySet<string> = new Set(['limits', 'usage', 'idempotency'])
/** What one operation keeps of its calls: until when an account listens to its events. */
const ofCallsOf: Readonly<Record<string, string>> = { 'account.events': 'account_logs' }
/** Counters, times and salts that say that something was written, not what; and when a key was used. */
const marks = /^(?:revision|sealed|last_used_at|last_seen_at|\w+_at|due|due_at|seq)$/

/** From where a key was used, which each call may add to, goes with the key alone. */
function withoutNetworks(name: string, rows: object[]): object[] {
  if (name !== 'api_keys') return rows
  return rows.map((row) => ({ ...row, networks: undefined, networks_count: undefined }))
}

/** Everything that is stored, without what only counts calls. */
async function stored({ name: called }: Operation): Promise<Record<string, unknown[]>> {
  // Lazy writes, which no call waits for, are made no later than the next one.
  await store.meta.delete({ id: 'none' })
  // The names of the collections are those of the store.
  const names = Object.keys(collections).filter(
    (name) => !ofCalls.has(name) && ofCallsOf[called] !== name,
  ) as (keyof Documents)[]
  const entries = names.map(
    async (name) => [name, withoutNetworks(name, await store[name].find({}))] as const,
  )
  const all: Record<string, unknown[]> = Object.fromEntries(await Promise.all(entries))
  return JSON.parse(
    JSON.stringify(all, (key, value: unknown) => (marks.test(key) ? undefined : value)),
  ) as typeof all
}

/** The store after each of two calls with the same input, and before. */
async function twice(op: Operation): Promise<Record<string, unknown[]>[]> {
  const chosen = cases.find(({ op: name, refusal }) => name === op.name && !refusal)
  if (!chosen) throw new Error(`${op.name} has no case of success`)
  const states: Record<string, unknown[]>[] = []
  const send = coreDoor(world.core)
  const work = startWork(world.ports, ['runner'], 2)
  const watched: Send = async (sent) => {
    // Only what is called may change anything from here on.
    await work.stop()
    states.push(await stored(op))
    const seen = await send(sent)
    states.push(await stored(op))
    // The second may be refused, which changes nothing either.
    await send({ ...sent, idempotencyKey: undefined })
    states.push(await stored(op))
    return seen
  }
  const { answer: _, ...played } = chosen
  await play(world, watched, played, 'core')
  return states
}

const ops = offered(catalog).map((op) => ({ op, name: op.name, ...annotationsOf(op) }))
const reading = ops.filter(({ readOnlyHint }) => readOnlyHint)
const repeatable = ops.filter((one) => one.idempotentHint && !one.readOnlyHint)

describe('what is annotated as read-only', () => {
  test.each(reading)('$name changes nothing', async ({ op }) => {
    const [before, after] = await twice(op)
    expect(after).toEqual(before)
  })
})

describe('what is annotated as idempotent', () => {
  test.each(repeatable)('$name does no more the second time', async ({ op }) => {
    const [, once, again] = await twice(op)
    expect(again).toEqual(once)
  })
})
