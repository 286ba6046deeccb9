import { afterAll, beforeAll, describe, it } from 'vitest'
import { startWork, type Work } from '#src/work/work.ts'
import type { Store } from '#src/ports/store.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { agreeingFacilitator, x402TermsAt } from '#tests/support/facilitator.ts'
import { stores } from '#tests/support/stores.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import type { Case } from '../case.ts'
import { chapters, type Chapter } from '../cases.ts'
import { coreDoor } from '../doors/doors.ts'
import { play } from '../play.ts'

/** A chapter of the cases through the core, on every store. */
export function describeChapter(chapter: Chapter): void {
  describeCore(chapters[chapter])
}

/** Plays these cases through the core, on every store, of a server with these in addition. */
export function describeCore(cases: readonly Case[], more: WorldOptions = {}): void {
  describe.each(stores())('through the core on $name', (kind) => {
    let store: Store
    let world: World
    let work: Work
    beforeAll(async () => {
      store = await kind.open()
      world = openWorld(store, {
        models: standInModels(),
        x402: x402TermsAt('http://127.0.0.1:9'),
        facilitator: agreeingFacilitator(),
        ...more,
      })
      work = startWork(world.ports, ['runner', 'upkeep'], 8)
    })
    afterAll(async () => {
      await work.stop()
      // After all that the cases have bought, sold and been refused.
      await expectBooksBalanced(store)
      await store.close()
    })
    it.each(cases.map((kase) => [`${kase.op}: ${kase.title} (${kase.as})`, kase] as const))(
      '%s',
      (_, kase) => play(world, coreDoor(world.core), kase, 'core'),
    )
  })
}
