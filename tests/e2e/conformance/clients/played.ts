import { availableParallelism } from 'node:os'
import type { Report, Scenario } from '#src/core/conformance-report.ts'
import { inOrder } from '../together.ts'
import { officialA2a } from './a2a.ts'
import { aiSdk } from './ai-sdk.ts'
import type { Client, Trial } from './client.ts'
import { inspecting } from './inspector.ts'
import { bridged } from './mcp-remote.ts'
import { officialMcp } from './mcp.ts'
import { openStage } from './stage.ts'

const endsWithinMs = 120_000

/** Every client that others wrote, each against the real server. */
export async function realClients(): Promise<Report['clients']> {
  const stage = await openStage()
  try {
    const clients = [officialMcp, aiSdk, officialA2a, inspecting, bridged].flatMap((of) =>
      of(stage),
    )
    return await inOrder(
      clients.map((client) => () => playedBy(client)),
      availableParallelism(),
    )
  } finally {
    await stage.close()
  }
}

async function playedBy({ trials, ...client }: Client): Promise<Report['clients'][number]> {
  const scenarios: Scenario[] = []
  for (const one of trials) scenarios.push(await judged(one))
  return { ...client, scenarios }
}

async function judged({ name, play, expected }: Trial): Promise<Scenario> {
  const fault = await faultOf(play)
  if (expected !== undefined) {
    return fault === undefined
      ? { name, status: 'failed', reason: `passes, and should not: ${expected}` }
      : { name, status: 'expected_failure', reason: expected }
  }
  return fault === undefined
    ? { name, status: 'passed' }
    : { name, status: 'failed', reason: fault }
}

/** @returns what went wrong in one line, or undefined */
async function faultOf(play: () => Promise<void>): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('out of time'), endsWithinMs)
  try {
    return await Promise.race([play().then(() => undefined), late.promise])
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    return said.replaceAll(/\s+/g, ' ').slice(0, 500)
  } finally {
    clearTimeout(timer)
  }
}
