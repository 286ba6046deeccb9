import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CorePorts } from '#src/core/call.ts'
import { compose } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import { agreeingFacilitator, x402TermsAt } from '#tests/support/facilitator.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import type { StoreKind } from '#tests/support/stores.ts'
import { askerOf } from '#tests/support/world.ts'
import type { Theatre } from '../play.ts'

/** A server with all its doors, on which cases are played. */
export interface PlayedServer {
  url: string
  world: Theatre
  close(): Promise<void>
}

/**
 * Starts it in this process, without limits, on a store of its own.
 * @param ports in place of its own
 */
export async function openServer(
  kind: StoreKind,
  env: Record<string, string> = {},
  ports: Partial<CorePorts> = {},
): Promise<PlayedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-doors-'))
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    ABODE_LOG_LEVEL: 'silent',
    ABODE_RATE_LIMITS: 'off',
    ABODE_QUOTAS: 'off',
    ABODE_POW_BITS: '2',
    ABODE_X402: JSON.stringify(x402TermsAt('http://127.0.0.1:9')),
    ...env,
  })
  const abode = await compose(config, {
    store: await kind.open(),
    models: standInModels(),
    facilitator: agreeingFacilitator(),
    ...ports,
  })
  const { url } = await abode.listen()
  return {
    url,
    world: { ...askerOf(abode.core), ports: abode.ports },
    async close() {
      await abode.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
