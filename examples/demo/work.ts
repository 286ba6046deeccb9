import { think } from './brain.ts'
import { readingsOf } from './gauges.ts'
import { must } from './screen.ts'
import type { Run, Stage } from './stage.ts'

const station = 'Nordmole'

/** A task whose rendered prompt is the output. */
export async function runTemplate({ screen, rest, idOf }: Stage): Promise<void> {
  const path = `/api/characters/${idOf('watchkeeper')}/tasks/open-log/run`
  await screen.step('Ottilie opens the log: a template task', `REST, POST ${path}`, async (say) => {
    const date = new Date().toISOString().slice(0, 10)
    const run = await rest.call<Run>('POST', path, {
      input: { date, berths: { free: 7, all: 40 } },
      wait_seconds: 20,
    })
    must(run.status === 'completed', `the run is ${run.status}: ${run.error?.message}`)
    must(String(run.output).startsWith(date), `the output is ${String(run.output)}`)
    say(`${run.id} ${run.status}`)
    say(String(run.output))
  })
}

/**
 * A task that asks an HTTP service.
 * @returns what the gauges show: the run's output, or, where the server may not reach the demo's
 *   service, what the demo asked for itself
 */
export async function runApi({ screen, rest, idOf, gauges }: Stage): Promise<unknown> {
  const path = `/api/characters/${idOf('gauger')}/tasks/read-gauges/run`
  return screen.step('Ruben asks the gauges: an api task', `REST, POST ${path}`, async (say) => {
    const run = await rest.call<Run>('POST', path, { input: { station }, wait_seconds: 20 })
    if (run.error?.code === 'api_address_refused') {
      say(`${run.id} refused by the guard, as it should be: ${gauges.origin} is a private address`)
      say(`to let it through, start the server with ABODE_OUTBOUND_ALLOW=${gauges.origin}`)
      return readingsOf(station)
    }
    must(run.status === 'completed', `the run is ${run.status}: ${run.error?.message}`)
    must(JSON.stringify(run.output).includes(station), 'the gauges answered for another station')
    say(`${run.id} ${run.status}; ${gauges.origin} answered`)
    say(JSON.stringify(run.output))
    return run.output
  })
}

interface Lease {
  run: Run | null
  lease_token: string
  expires_at: string
  system_prompt: string
  prompt: string
}

/** A task that needs a brain: started, leased, thought about and completed. @returns its run's id */
export async function runPrompt(stage: Stage, readings: unknown): Promise<string> {
  const { screen, a2a, mcp, idOf } = stage
  const started = await screen.step(
    'Inês is to write the forecast: a prompt task, which waits for a brain',
    'A2A, tasks.run',
    async (say) => {
      const run = await a2a.call<Run>('tasks.run', {
        char_id: idOf('forecaster'),
        task_id: 'forecast',
        input: { station, readings },
      })
      must(run.reason === 'waiting_for_worker', `the run is ${run.status}, ${run.reason}`)
      say(`${run.id} ${run.status}, ${run.reason}`)
      return run.id
    },
  )
  const lease = await screen.step(
    'The demo leases the run: it is to be the brain',
    'MCP, runs_lease',
    async (say) => {
      const leased = await mcp.call<Lease>('runs_lease', {
        char_id: idOf('forecaster'),
        wait_seconds: 10,
        lease_seconds: 60,
      })
      must(leased.run?.id === started, 'another run was leased than the one that was started')
      say(`who to be: ${leased.system_prompt.split('\n')[0]}`)
      say(`what to do: ${leased.prompt.split('\n')[0]}`)
      return leased
    },
  )
  await screen.step(
    'The demo thinks, keeps the lease, and completes the run',
    'MCP, runs_heartbeat and runs_complete',
    async (say) => {
      const held = { run_id: started, lease_token: lease.lease_token }
      const kept = await mcp.call<{ expires_at: string }>('runs_heartbeat', held)
      must(kept.expires_at >= lease.expires_at, 'the heartbeat did not keep the lease')
      const run = await mcp.call<Run>('runs_complete', { ...held, output: think(lease.prompt) })
      must(run.status === 'completed', `the run is ${run.status}`)
      say(String(run.output))
    },
  )
  return started
}
