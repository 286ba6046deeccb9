import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { compose, type Abode } from '#adapters/compose.ts'
import { readConfig } from '#adapters/config.ts'
import { agreeingFacilitator, x402TermsAt } from '#tests/support/facilitator.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import type { StoreKind } from '#tests/support/stores.ts'
import { askerOf } from '#tests/support/world.ts'
import type { Case } from '../case.ts'
import { operationNamed, play, type Theatre } from '../play.ts'
import { a2aDoor, mcpDoor, restDoor, type Send } from './doors.ts'

const doors = { rest: restDoor, mcp: mcpDoor, a2a: a2aDoor }

export type DoorName = keyof typeof doors

/** Whether the case can be put to the door. */
export function isPlayedBy(door: DoorName, kase: Case): boolean {
  if (kase.not?.[door]) return false
  return door === 'rest' || !operationNamed(kase.op).restOnly
}

/** Plays these cases through one door of a server of their own. */
export function describeDoor(door: DoorName, kind: StoreKind, cases: readonly Case[]): void {
  describe(`through ${door} on ${kind.name}`, () => {
    let abode: Abode
    let world: Theatre
    let send: Send
    const folder = mkdtempSync(join(tmpdir(), 'abode-doors-'))
    beforeAll(async () => {
      const config = readConfig({
        PORT: '0',
        DATA_DIR: folder,
        ABODE_LOG_LEVEL: 'silent',
        ABODE_RATE_LIMITS: 'off',
        ABODE_QUOTAS: 'off',
        ABODE_POW_BITS: '2',
        ABODE_X402: JSON.stringify(x402TermsAt('http://127.0.0.1:9')),
      })
      abode = await compose(config, {
        store: await kind.open(),
        models: standInModels(),
        facilitator: agreeingFacilitator(),
      })
      const { url } = await abode.listen()
      world = { ...askerOf(abode.core), ports: abode.ports }
      send = doors[door](url)
    })
    afterAll(async () => {
      await abode.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const plays = cases
      .filter((kase) => isPlayedBy(door, kase))
      .map((kase) => [`${kase.op} by ${door}: ${kase.title} (${kase.as})`, kase] as const)
    it.each(plays)('%s', (_, kase) => play(world, send, kase, door))
  })
}
