import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { stores } from '#tests/support/stores.ts'
import type { Case } from '../case.ts'
import { cases, guarded } from '../cases.ts'
import { mailedNewcomers } from '../people/mailed.cases.ts'
import { describeDoor, isPlayedBy, type DoorName } from './play.ts'

const doors: readonly DoorName[] = ['rest', 'mcp', 'a2a']

/** Those that need no server of their own. */
const elsewhere: readonly Case[] = [...guarded.mailed, ...mailedNewcomers]
const here = cases.filter((kase) => !elsewhere.includes(kase))
const played = new Set(here.map(({ op }) => op))

/** One case of each operation that the door has: the first that is answered, else the first. */
function onceEach(door: DoorName): Case[] {
  return catalog.flatMap(({ name }) => {
    const own = here.filter((kase) => kase.op === name && isPlayedBy(door, kase))
    const one = own.find((kase) => !kase.refusal) ?? own[0]
    return one ? [one] : []
  })
}

const mongodb = stores().find(({ name }) => name === 'mongodb')
if (mongodb) for (const door of doors) describeDoor(door, mongodb, onceEach(door))

describe('one case of each operation', () => {
  it.each(doors)('is played by %s', (door) => {
    const there = catalog.filter((op) => played.has(op.name) && (door === 'rest' || !op.restOnly))
    expect(onceEach(door).map(({ op }) => op)).toEqual(there.map(({ name }) => name))
  })
})
