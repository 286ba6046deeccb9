import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { compose, type Abode } from '#adapters/compose.ts'
import { readConfig } from '#adapters/config.ts'
import { agreeingFacilitator, x402TermsAt } from '#tests/support/facilitator.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import { stores } from '#tests/support/stores.ts'
import { askerOf } from '#tests/support/world.ts'
import { cases } from './cases.ts'
import { a2aDoor, mcpDoor, restDoor, type Send } from './doors.ts'
import { operationNamed, play, type Theatre } from './play.ts'

const doors = { rest: restDoor, mcp: mcpDoor, a2a: a2aDoor }

describe.each(stores())('through the doors on $name', (kind) => {
  let abode: Abode
  let world: Theatre
  let send: Record<keyof typeof doors, Send>
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
    send = { rest: restDoor(url), mcp: mcpDoor(url), a2a: a2aDoor(url) }
  })
  afterAll(async () => {
    await abode.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const names = ['rest', 'mcp', 'a2a'] as const
  const plays = cases.flatMap((kase) =>
    names
      .filter((door) => !kase.not?.[door])
      .filter((door) => door === 'rest' || !operationNamed(kase.op).restOnly)
      .map((door) => [`${kase.op} by ${door}: ${kase.title} (${kase.as})`, door, kase] as const),
  )
  it.each(plays)('%s', (_, door, kase) => play(world, send[door], kase, door))
})
