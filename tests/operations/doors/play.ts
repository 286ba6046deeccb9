import { afterAll, beforeAll, describe, it } from 'vitest'
import type { StoreKind } from '#tests/support/stores.ts'
import type { Case } from '../case.ts'
import { operationNamed, play } from '../play.ts'
import { a2aDoor, mcpDoor, restDoor, type Send } from './doors.ts'
import { openServer, type PlayedServer } from './server.ts'

const doors = { rest: restDoor, mcp: mcpDoor, a2a: a2aDoor }

export type DoorName = keyof typeof doors

/** Whether the case can be put to the door. */
export function isPlayedBy(door: DoorName, kase: Case): boolean {
  if (kase.not?.[door]) return false
  return door === 'rest' || !operationNamed(kase.op).restOnly
}

/** Plays these cases through one door of a server of their own; `env` adds to its settings. */
export function describeDoor(
  door: DoorName,
  kind: StoreKind,
  cases: readonly Case[],
  env: Record<string, string> = {},
): void {
  describe(`through ${door} on ${kind.name}`, () => {
    let server: PlayedServer
    let send: Send
    beforeAll(async () => {
      server = await openServer(kind, env)
      send = doors[door](server.url)
    })
    afterAll(() => server.close())

    const plays = cases
      .filter((kase) => isPlayedBy(door, kase))
      .map((kase) => [`${kase.op} by ${door}: ${kase.title} (${kase.as})`, kase] as const)
    it.each(plays)('%s', (_, kase) => play(server.world, send, kase, door))
  })
}
