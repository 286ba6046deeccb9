import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import type { Slot } from '#src/runs/schedules/slot.ts'
import { startSlowPlace } from '#tests/attack/fairness.ts'
import { canMeasure, cpuMicros } from '#tests/bench/measure.ts'
import { MovedClock } from '#tests/support/clocks/moved.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { oneStore, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

const hour = 3_600_000

describe.each(oneStore())('a server whose clock is put forward, on $name', (kind) => {
  let place: Place
  let slow: Awaited<ReturnType<typeof startSlowPlace>>
  let server: ServerProcess
  let clock: MovedClock
  let key: string

  beforeEach(async () => {
    place = await kind.place()
    slow = await startSlowPlace(3000)
    clock = new MovedClock(place.folder)
    const env = {
      ABODE_MASTER_KEY: '07'.repeat(32),
      ABODE_OUTBOUND_ALLOW: slow.origin,
      ...(place.uri !== undefined && { MONGODB_URI: place.uri }),
      ...clock.env,
    }
    server = await startServer({ env, dataDir: place.folder })
    key = (await call<{ api_key: string }>('POST', '/api/agent-claim', {})).api_key
  })
  afterEach(async () => {
    await server.dispose()
    await slow.stop()
    await place.remove()
  })

  async function call<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    // The caller knows the type of the answer.
    return JSON.parse(text) as T
  }

  /**
   * Puts the clock forward by so much in all, and gives what the server then worked in milliseconds of the
   * processor: by the clock, answers would wait for all else that the machine does.
   */
  const moveTo = async (by: number): Promise<number> => {
    const pid = server.child.pid ?? 0
    const before = canMeasure ? cpuMicros(pid) : 0
    clock.moveTo(by)
    for (const end = performance.now() + 2500; performance.now() < end;) {
      await call('GET', '/health')
      await sleep(50)
    }
    return canMeasure ? (cpuMicros(pid) - before) / 1000 : 0
  }

  it('goes on answering, takes no run from its holder, and ends when told to', async () => {
    const cron = { type: 'cron', enabled: true, config: { cron: '0 * * * *' } }
    const tasks = [
      { task_id: 'slow', name: 'Slow', runtime: 'api', api_url: `${slow.origin}/` },
      { task_id: 'asked', name: 'Asked', prompt: 'Do' },
      { task_id: 'hourly', name: 'H', runtime: 'template', prompt: 'x', triggers: [cron] },
    ]
    await call('POST', '/api/characters', { id: 'ada', name: 'Ada', heart: { tasks } })
    const run = (task: string): Promise<Run> =>
      call('POST', `/api/characters/ada/tasks/${task}/run`, {})
    const under = await run('slow')
    await run('asked')
    const lease = await call<{ run: Run; lease_token: string }>('POST', '/api/runs/lease', {})
    const read = ({ id }: Run): Promise<Run> => call('GET', `/api/runs/${id}`)
    await until(async () => (await read(under)).status === 'running')
    // To look at each second that went by took four seconds.
    expect(await moveTo(8 * hour)).toBeLessThan(2000)
    await until(async () => (await read(under)).finished_at !== null)
    expect(await read(under)).toMatchObject({ status: 'completed', output: 'late', attempt: 1 })
    const done = { lease_token: lease.lease_token, output: 'done' }
    const ended = await call<Run>('POST', `/api/runs/${lease.run.id}/complete`, done)
    expect(ended).toMatchObject({ status: 'completed', attempt: 1 })
    // What went by is one row, as after a stop.
    const missed = async (): Promise<Slot | undefined> => {
      const path = '/api/characters/ada/tasks/hourly/schedule'
      const { last } = await call<{ last: Slot[] }>('GET', path)
      return last.find(({ reason }) => reason === 'missed_while_down')
    }
    await until(async () => (await missed()) !== undefined)
    expect((await missed())?.count).toBeGreaterThanOrEqual(7)
    // What comes now is done at once.
    const again = await run('slow')
    await until(async () => (await read(again)).finished_at !== null)
    expect(await moveTo(40 * 24 * hour)).toBeLessThan(2000)
    // One that does not end by itself within the promised time ends itself, with another code.
    expect(await server.end('SIGTERM')).toBe(0)
  })
})
