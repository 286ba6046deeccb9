import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { stores } from '#tests/support/stores.ts'
import type { Case } from '../case.ts'
import { cases } from '../cases.ts'
import { describeDoor, isPlayedBy, type DoorName } from './play.ts'

const doors: readonly DoorName[] = ['rest', 'mcp', 'a2a']

/** One case of each operation that the door has: the first that is answered, else the first. */
function onceEach(door: DoorName): Case[] {
  return catalog.flatMap(({ name }) => {
    const own = cases.filter((kase) => kase.op === name && isPlayedBy(door, kase))
    const one = own.find((kase) => !kase.refusal) ?? own[0]
    return one ? [one] : []
  })
}

/** Each operation by one of the doors in turn, and by all of them in the long form. */
function played(door: DoorName): Case[] {
  return inForm({
    short: onceEach(door).filter(({ op }) => turnOf(op) === door),
    long: onceEach(door),
  })
}

function turnOf(op: string): DoorName | undefined {
  const at = catalog.findIndex(({ name }) => name === op)
  return catalog[at]?.restOnly ? 'rest' : doors[at % doors.length]
}

const mongodb = stores().find(({ name }) => name === 'mongodb')
if (mongodb) for (const door of doors) describeDoor(door, mongodb, played(door))

describe('one case of each operation', () => {
  it('is played by one of the doors at least', () => {
    const names = doors.flatMap((door) => played(door).map(({ op }) => op))
    expect(new Set(names)).toEqual(new Set(catalog.map(({ name }) => name)))
  })

  it.each(doors)('is there for %s', (door) => {
    const there = catalog.filter((op) => door === 'rest' || !op.restOnly)
    expect(onceEach(door).map(({ op }) => op)).toEqual(there.map(({ name }) => name))
  })
})
