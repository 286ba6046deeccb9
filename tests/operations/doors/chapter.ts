import { stores } from '#tests/support/stores.ts'
import { chapters, type Chapter } from '../cases.ts'
import { describeDoor, type DoorName } from './play.ts'

/**
 * A chapter of the cases through one door, on the embedded store. What a store does differently shows
 * through the core, which plays every case on both; `mongodb.test.ts` has each operation once.
 */
export function describeChapter(door: DoorName, chapter: Chapter): void {
  for (const kind of stores()) {
    if (kind.name === 'sqlite') describeDoor(door, kind, chapters[chapter])
  }
}
