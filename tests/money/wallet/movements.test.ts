import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { InsufficientFunds } from '#src/money/wallet/booking-writes.ts'
import type { Movement } from '#src/money/wallet/movement.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { stores } from '#tests/support/stores.ts'
import * as moves from './movements.ts'

interface Step {
  what: 'top up' | 'hold' | 'release' | 'charge' | 'refund' | 'under way' | 'arrive' | 'give back'
  from: string
  to: string
  cents: number
  /** Which of those under way. */
  which: number
  succeeds: boolean
  /** Of how many before it its commit is part. */
  together: boolean
  /** Its cause is brought again. */
  again: boolean
}

const wallets = ['acc_ada', 'acc_bob', 'acc_eve', 'ord_one']

const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(
      'top up',
      'top up',
      'hold',
      'hold',
      'release',
      'charge',
      'charge',
      'refund',
      'under way',
      'arrive',
      'give back',
    ),
    from: fc.constantFrom(...wallets),
    to: fc.constantFrom(...wallets),
    cents: fc.integer({ min: 0, max: 60 }),
    which: fc.nat(),
    succeeds: fc.boolean(),
    together: fc.boolean(),
    again: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

/** What wallets should hold, kept as simply as can be: available, pending, held. */
class Model {
  readonly held = new Map(wallets.map((id) => [id, [0, 0, 0]]))
  readonly coming: moves.Named[] = []
  readonly owed: moves.Named[] = []
  #made = 0

  /** The movement of a step, and what it does here; undefined where there is nothing to do it to. */
  movement(step: Step): { movement: Movement; moves: [string, number, number][] } | undefined {
    const { what, from, to, cents } = step
    const cause = `cause/${++this.#made}`
    const named = { wallet: from, cents, id: `txn_${this.#made}` }
    switch (what) {
      case 'top up':
        return { movement: moves.topUp(from, cents, cause), moves: [[from, 0, cents]] }
      case 'hold':
        return {
          movement: moves.hold(from, cents, cause),
          moves: [
            [from, 0, -cents],
            [from, 2, cents],
          ],
        }
      case 'release':
        return {
          movement: moves.release(from, cents, cause),
          moves: [
            [from, 2, -cents],
            [from, 0, cents],
          ],
        }
      case 'charge':
        return {
          movement: moves.charge(from, to, cents, cause),
          moves: [
            [from, 2, -cents],
            [to, 0, cents],
          ],
        }
      case 'refund':
        this.owed.push(named)
        return { movement: moves.refundBegun(named), moves: [[from, 2, -cents]] }
      case 'under way':
        this.coming.push(named)
        return { movement: moves.underWay(named), moves: [[from, 1, cents]] }
      case 'arrive':
        return this.#arrive(step)
      default:
        return this.#giveBack(step)
    }
  }

  #arrive({ which, succeeds }: Step) {
    const [one] = this.coming.splice(which % (this.coming.length || 1), 1)
    if (!one) return undefined
    const { wallet, cents } = one
    const gone: [string, number, number] = [wallet, 1, -cents]
    if (!succeeds) return { movement: moves.lost(one), moves: [gone] }
    const come: [string, number, number] = [wallet, 0, cents]
    return { movement: moves.arrived(one), moves: [gone, come] }
  }

  #giveBack({ which, succeeds }: Step) {
    const [one] = this.owed.splice(which % (this.owed.length || 1), 1)
    if (!one) return undefined
    if (succeeds) return { movement: moves.refundDone(one), moves: [] }
    const back: [string, number, number] = [one.wallet, 0, one.cents]
    return { movement: moves.refundFailed(one), moves: [back] }
  }

  /** Whether every wallet would still hold what is taken, after each movement. */
  apply(all: readonly (readonly [string, number, number][])[]): boolean {
    const next = new Map([...this.held].map(([id, parts]) => [id, [...parts]]))
    for (const one of all) {
      for (const [id, part, cents] of one) {
        const parts = next.get(id) ?? []
        parts[part] = (parts[part] ?? 0) + cents
      }
      if ([...next.values()].flat().some((cents) => cents < 0)) return false
    }
    for (const [id, parts] of next) this.held.set(id, parts)
    return true
  }
}

/** Steps that are committed together, one list after the other. */
function batches(all: readonly Step[]): Step[][] {
  const lists: Step[][] = []
  for (const step of all) {
    const last = lists.at(-1)
    if (last && step.together) last.push(step)
    else lists.push([step])
  }
  return lists
}

async function played(store: Store, all: readonly Step[]): Promise<void> {
  const model = new Model()
  for (const batch of batches(all)) {
    const [coming, owed] = [[...model.coming], [...model.owed]]
    const made = batch.flatMap((step) => model.movement(step) ?? [])
    if (made.length === 0) continue
    const movements = made.map(({ movement }) => movement)
    const cause = await moves.book(store, ...movements).catch((error: unknown) => error)
    if (model.apply(made.map((one) => one.moves))) {
      expect(cause).toBe(true)
      if (batch.some((step) => step.again)) {
        const again = await moves.book(store, ...movements).catch((error: unknown) => error)
        expect(again === false || again instanceof InsufficientFunds).toBe(true)
      }
    } else {
      expect(cause).toBeInstanceOf(InsufficientFunds)
      model.coming.splice(0, Infinity, ...coming)
      model.owed.splice(0, Infinity, ...owed)
    }
  }
  for (const [id, parts] of model.held) {
    const wallet = await store.wallets.get(id)
    const held = [wallet?.available_cents, wallet?.pending_cents, wallet?.held_cents]
    expect(held.map((cents) => cents ?? 0)).toEqual(parts)
  }
  await expectBooksBalanced(store)
}

describe.each(stores())('any sequence of movements on $name', (kind) => {
  it('each wallet holds what it should, and the books balance', async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      const store = await kind.open()
      try {
        await played(store, all)
      } finally {
        await store.close()
      }
    })
    await fc.assert(property, { numRuns: kind.name === 'sqlite' ? 60 : 5 })
  })
})
