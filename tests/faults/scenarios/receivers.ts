import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { percentile } from '#tests/bench/measure.ts'
import { MovedClock } from '#tests/support/clocks/moved.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer } from '#tests/support/web-server.ts'
import { Fleet } from '../fleet.ts'
import { verifyFaults, type Scenario, type Terms } from '../scenario.ts'
import { least, most, none, type Figures } from '../verdict.ts'

/** What came to the receiver, by the id of its delivery. */
interface Told {
  bodies: Set<string>
  tries: number
  taken: number
}

const hourMs = 3_600_000

/** A receiver of webhooks that is down for an hour, in which the server is killed, and then up. */
async function received({ kind, isShort }: Terms): Promise<Figures> {
  const events = isShort ? 15 : 100
  const place = await kind.newPlace()
  const clock = new MovedClock(place.folder)
  const receiver = await startWebServer()
  const told = new Map<string, Told>()
  let isUp = true
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const id = String(request.headers['idempotency-key'])
    const one = told.get(id) ?? { bodies: new Set(), tries: 0, taken: 0 }
    told.set(id, one)
    one.bodies.add(body)
    one.tries += 1
    if (isUp) one.taken += 1
    response.writeHead(isUp ? 204 : 503).end()
  }
  const address = receiver.on('/told', (request, response) => void answer(request, response))
  const fleet = new Fleet(place.folder, { ...clock.env, ABODE_OUTBOUND_ALLOW: receiver.origin })
  try {
    await fleet.start(1)
    const key = await newKey(fleet.urls()[0] ?? '')
    const post = <T>(path: string, body: object) =>
      call<T>(fleet.urls()[0] ?? '', 'POST', path, key, body)
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'x' }
    await post('/api/agent-apps/', {
      app_id: 'told',
      name: 'Told',
      webhook: { url: address, events: ['run.completed'] },
      agents: [{ local_id: 'teller', name: 'Teller', heart: { tasks: [task] } }],
    })
    const run = async (): Promise<number> => {
      const begun = performance.now()
      await post('/api/characters/told--teller/tasks/t/run', { wait_seconds: 20 })
      return performance.now() - begun
    }
    const runs = async (): Promise<number[]> => {
      const took: number[] = []
      for (let n = 0; n < events; n += 1) took.push(await run())
      return took
    }
    const up = await runs()
    await until(() => told.size === events, { seconds: 60, pauseMs: 20 })
    isUp = false
    const down = await runs()
    await until(() => told.size === 2 * events, { seconds: 60, pauseMs: 20 })
    await fleet.kill(0)
    // Tries come at 5 s, 1 min, 5 min, 30 min, all of which are over then.
    clock.move(hourMs)
    const triesBefore = [...told.values()].reduce((sum, { tries }) => sum + tries, 0)
    await until(() => [...told.values()].reduce((sum, { tries }) => sum + tries, 0) > triesBefore, {
      seconds: 60,
      pauseMs: 20,
    })
    isUp = true
    // What was just tried in vain is due again within the hours of its schedule.
    const areTaken = (): boolean => [...told.values()].every(({ taken }) => taken > 0)
    for (let hours = 0; hours < 24 && !areTaken(); hours += 1) {
      clock.move(hourMs)
      await until(areTaken, { seconds: 5, pauseMs: 50 }).catch(() => undefined)
    }
    const all = [...told.values()]
    await fleet.end()
    return {
      deliveries: all.length,
      lost: all.filter(({ taken }) => taken === 0).length + Math.max(0, 2 * events - all.length),
      doubled: all.filter(({ taken }) => taken > 1).length,
      bodies_changed: all.filter(({ bodies }) => bodies.size > 1).length,
      tries: all.reduce((sum, { tries }) => sum + tries, 0),
      run_p50_up_ms: percentile(up, 0.5),
      run_p50_down_ms: percentile(down, 0.5),
      run_p50_times: percentile(down, 0.5) / percentile(up, 0.5),
      ready_ms: Math.max(...fleet.readyMs),
      verify_faults: await verifyFaults(place),
    }
  } finally {
    await fleet.end()
    receiver.close()
    await place.remove()
  }
}

export const receiverScenario: Scenario = {
  name: 'receivers',
  what: 'a receiver of webhooks down for an hour, with a kill in it, and up again',
  // Leases of deliveries go by the clock of the store, which only the embedded one has moved with it.
  stores: ['sqlite'],
  goals: [
    none('lost'),
    none('doubled'),
    none('bodies_changed'),
    least('deliveries', 30),
    most('run_p50_times', 1.1),
    none('verify_faults'),
  ],
  play: received,
}
