import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  figuresOf,
  measureRuns,
  queueSlowRuns,
  startSlowPlace,
  type FairnessTarget,
} from '#tests/attack/fairness.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

/** When the attacker's calls are answered. A queued template takes some ten milliseconds. */
const slowMs = 25_000
/** Who had to wait for one of those calls could not end in this time, however busy the machine is. */
const soonMs = slowMs / 2

describe('an account that queues all it may', () => {
  let dataDir: string
  let slow: Awaited<ReturnType<typeof startSlowPlace>>
  let server: ServerProcess
  let target: FairnessTarget

  const start = async (): Promise<void> => {
    const env = { ABODE_RATE_LIMITS: 'off', ABODE_OUTBOUND_ALLOW: slow.origin }
    server = await startServer({ env, dataDir })
    target = { ...target, url: server.url }
  }
  const newKey = async (): Promise<string> => {
    const response = await fetch(`${server.url}/api/agent-claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    // The answer of agent_claim.create.
    const { api_key } = (await response.json()) as { api_key: string }
    return api_key
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'abode-attack-'))
    slow = await startSlowPlace(slowMs)
    target = { url: '', attacker: '', honest: '', slowOrigin: slow.origin }
    await start()
    target = { ...target, attacker: await newKey(), honest: await newKey() }
  })
  afterEach(async () => {
    await server.dispose()
    await slow.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('delays no one else, also after a restart', async () => {
    const queued = await queueSlowRuns(target, 1000)
    expect(figuresOf(queued, await measureRuns(target, 8)).longest).toBeLessThan(soonMs)
    expect(await server.end('SIGTERM')).toBe(0)
    await start()
    expect(figuresOf(queued, await measureRuns(target, 8)).longest).toBeLessThan(soonMs)
  })
})
