import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { type MongoProxy, openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { surroundings } from '#tests/support/process.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const entry = fileURLToPath(new URL('../support/kills/clocked.ts', import.meta.url))
const masterKey = Buffer.alloc(32, 7).toString('base64')
const begin = Date.parse('2026-03-02T00:30:00Z')
const hourMs = 3_600_000
/** The largest jitter, and with it how long after the hour the last of them is due. */
const jitterSeconds = 300

const processes = 3
const kills = inForm({ short: 2, long: 20 })
const agents = inForm({ short: 60, long: 200 })
/** MongoDB takes some ten times as long for each. */
const hoursOn = inForm({ short: { sqlite: 8, mongodb: 3 }, long: { sqlite: 500, mongodb: 500 } })
const withinMs = inForm({ short: 900_000, long: 3_600_000 })

/** Schedulers in processes of their own, at a time of the test's. */
class Fleet {
  readonly #place: Place
  readonly #children: ChildProcess[] = []
  readonly #working = new Set<ChildProcess>()
  /** The way of each process to its MongoDB. */
  readonly #proxies: MongoProxy[] = []
  #now = begin
  #isOver = false
  killed = 0

  constructor(place: Place) {
    this.#place = place
  }

  async start(): Promise<void> {
    const { uri } = this.#place
    const each = Array.from({ length: processes }, (_, i) => i)
    if (uri) this.#proxies.push(...(await Promise.all(each.map(() => openMongoProxy(uri)))))
    await Promise.all(each.map((i) => once(this.#spawn(i), 'message')))
  }

  /** Sets the time of all of them. */
  goTo(time: number): void {
    this.#now = time
    for (const child of this.#children) if (child.connected) child.send(this.#now)
  }

  /** Kills one of those at work; another takes its place. */
  kill(): void {
    const atWork = [...this.#working]
    const child = atWork[Math.floor(Math.random() * atWork.length)]
    if (child?.kill('SIGKILL')) this.killed += 1
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(
      this.#children.map(async (child) => {
        const gone = child.exitCode !== null || child.signalCode !== null
        child.kill('SIGKILL')
        if (!gone) await once(child, 'exit')
      }),
    )
    await Promise.all(this.#proxies.splice(0).map((proxy) => proxy.close()))
  }

  #spawn(i: number): ChildProcess {
    const proxy = this.#proxies[i]
    const child = fork(entry, {
      env: {
        ...surroundings(),
        TEST_NOW: String(this.#now),
        DATA_DIR: this.#place.folder,
        ...(proxy && { MONGODB_URI: proxy.uri }),
        ABODE_MASTER_KEY: masterKey,
        ABODE_WORK: 'scheduler',
        ABODE_QUOTAS: 'off',
        ABODE_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#children[i] = child
    // Killed while it is being told something.
    child.on('error', () => undefined)
    child.once('message', () => {
      this.#working.add(child)
      if (child.connected) child.send(this.#now)
    })
    child.once('exit', () => {
      this.#working.delete(child)
      void this.#replace(i)
    })
    return child
  }

  async #replace(i: number): Promise<void> {
    await this.#proxies[i]?.endTransactions()
    if (!this.#isOver) this.#spawn(i)
  }
}

/** Agents with a task each that fires every hour, some of them with jitter. */
async function populate(store: Store): Promise<void> {
  const world = openWorld(store, { clock: fakeClock(begin) })
  const { key } = await world.account()
  const triggers = [{ type: 'cron', config: { cron: '0 * * * *' } }]
  for (let i = 0; i < agents; i++) {
    const reliability = i % 2 === 0 ? null : { max_jitter_seconds: jitterSeconds }
    const task = { task_id: 't', name: 'T', runtime: 'template', triggers, reliability }
    const character = { id: `a${i}`, name: 'A', heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
  }
}

/** Every slot of an agent's task once, and a run for each. */
async function check(store: Store, char_id: string, hours: number): Promise<void> {
  const slots = await store.slots.find({ char_id, task_id: 't' }, { sort: { at: 1 } })
  const expected = Array.from({ length: hours }, (_, i) =>
    new Date(begin + hourMs / 2 + i * hourMs).toISOString(),
  )
  expect(slots.map(({ at }) => at)).toEqual(expected)
  expect(slots.filter(({ status }) => status !== 'fired')).toEqual([])
  const runs = await store.runs.find({ char_id })
  const byId = new Map(runs.map((run) => [run.id, run.trigger.slot]))
  expect(byId.size).toBe(hours)
  expect(runs).toHaveLength(hours)
  expect(slots.map(({ run_id }) => byId.get(run_id ?? ''))).toEqual(expected)
}

describe.each(stores())('three schedulers on one $name that are killed again and again', (kind) => {
  const hours = hoursOn[kind.name]

  it(
    `fire each of ${agents * hours} slots exactly once`,
    async () => {
      const place = await kind.place()
      const store = await place.open()
      const fleet = new Fleet(place)
      try {
        await populate(store)
        await fleet.start()
        const killsAt = new Set<number>()
        while (killsAt.size < kills) killsAt.add(Math.floor(Math.random() * hours))
        for (let hour = 0; hour < hours; hour++) {
          const now = begin + hourMs / 2 + hour * hourMs + jitterSeconds * 1000
          fleet.goTo(now)
          const due = { due_at: { $lte: new Date(now).toISOString() } }
          if (killsAt.has(hour)) {
            // Somewhere among the commits of this hour.
            const left = 1 + Math.floor(Math.random() * (agents - 1))
            while ((await store.tasks.count(due)) > left) await pause(5)
            fleet.kill()
          }
          while ((await store.tasks.text(due, { limit: 1 })).length > 0) await pause(10)
        }
        expect(fleet.killed).toBe(kills)
        await fleet.end()
        for (let i = 0; i < agents; i++) await check(store, `a${i}`, hours)
        expect(await store.slots.count({})).toBe(agents * hours)
      } finally {
        await fleet.end()
        await store.close()
        await place.remove()
      }
    },
    withinMs,
  )
})
