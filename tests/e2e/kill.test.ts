import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#adapters/store/open.ts'
import { attemptsAtMost } from '#src/runs/claim.ts'
import type { Run } from '#src/runs/run.ts'
import { lapse } from '#tests/support/kills/lapse.ts'
import { longestPauseMs, Outside } from '#tests/support/kills/outside.ts'
import { RestartedServer } from '#tests/support/kills/restarted.ts'
import { Tally } from '#tests/support/kills/tally.ts'
import { inForm, isLong } from '#tests/support/long-tests.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'

const kills = inForm({ short: 4, long: 20 })
const runsARound = 10
const runsInAll = kills * runsARound
const writesAtLeast = inForm({ short: 600, long: 5000 })
const writesARound = Math.floor(writesAtLeast / (kills + 1))
const writers = 24
const timed = { timeout: inForm({ short: 900_000, long: 900_000 }) }

interface Page {
  items: Run[]
  next_cursor: string | null
}

describe('a server that is killed again and again', () => {
  /** How often each run asked outside. */
  const asked = new Map<string, number>()
  /** How often it was asked where no answer comes. */
  const vain = new Tally()
  // Slow enough that runs are under way at every kill.
  const outside = new Outside(1000, ({ id, path }) => {
    asked.set(id, (asked.get(id) ?? 0) + 1)
    if (path !== '/never') return { status: 200, text: 'done' }
    vain.add()
    return undefined
  })
  let folder: string
  let server: RestartedServer
  let key = ''

  const start = (): Promise<ServerProcess> =>
    startServer({
      dataDir: folder,
      env: {
        ABODE_RATE_LIMITS: 'off',
        ABODE_QUOTAS: 'off',
        ABODE_LOG_LEVEL: 'info',
        ABODE_OUTBOUND_ALLOW: outside.url,
      },
    })

  /** The answer to a call that is made with the same key until it is acknowledged. */
  const acknowledged = async <T = { id: string }>(
    path: string,
    body?: unknown,
    idempotencyKey = '',
  ): Promise<T> => {
    const answer = await server.answer(async (url) => {
      const response = await fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      // As the documents say of each path.
      return { status: response.status, body: (await response.json()) as T }
    })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-kill-'))
    await outside.listen()
    server = new RestartedServer(start)
    const claim = await acknowledged<{ api_key: string }>('/api/agent-claim', {})
    key = claim.api_key
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    outside.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('loses no acknowledged write and no run, and ends every run once', timed, async () => {
    await makeAgents()
    const doomed = await acknowledged('/api/characters/giver/tasks/wait/run', {}, 'doomed')
    const made = new Map<string, string>()
    const written = new Tally()
    const killing = new AbortController()
    let next = 0
    const write = async (): Promise<void> => {
      while (!killing.signal.aborted || next < writesAtLeast) {
        await pause(Math.random() * longestPauseMs)
        const mark = `w${next++}`
        const { id } = await acknowledged('/api/characters/', { name: 'Ada', mark }, mark)
        made.set(mark, id)
        written.add()
      }
    }
    const writing = Promise.all(Array.from({ length: writers }, write))

    const queued: Promise<{ id: string }>[] = []
    const queue = (): void => {
      const path = '/api/characters/giver/tasks/give/run'
      for (let i = 0; i < runsARound; i++) {
        queued.push(acknowledged(path, { input: `${i}` }, `run-${queued.length}`))
      }
    }
    for (let kill = 1; kill <= kills; kill++) {
      await written.reaches(written.count + writesARound)
      // It is under way, and ends with its worker, at each of its attempts.
      if (kill <= attemptsAtMost) await vain.reaches(kill)
      const asks = outside.asks.count
      queue()
      await outside.asks.reaches(asks + Math.ceil(Math.random() * runsARound))
      // Somewhere among the commits.
      await pause(Math.random() * longestPauseMs)
      expect(outside.underWay).toBeGreaterThan(0)
      const killedAt = await server.kill()
      // In the long form leases run out by themselves.
      if (!isLong) await lapse({ open: () => openStore({ folder }) }, killedAt)
    }
    killing.abort()
    await writing
    const roots = new Set([doomed, ...(await Promise.all(queued))].map((run) => run.id))
    expect(roots.size).toBe(runsInAll + 1)

    const runs = await allEnded()
    await server.end('SIGTERM')
    checkRuns(runs, roots)
    checkLost(runs, doomed.id)
    checkWrites(made)
  })

  /** Two agents: one gives the other what comes from outside, or waits for it in vain. */
  async function makeAgents(): Promise<void> {
    const share = { enabled: true, target_agent_id: 'receiver', target_task_id: 'take' }
    const give = { task_id: 'give', name: 'Give', runtime: 'api', api_url: outside.url }
    const wait = { ...give, task_id: 'wait', name: 'Wait', api_url: `${outside.url}/never` }
    const take = { task_id: 'take', name: 'Take', runtime: 'template', prompt: '{{input}}' }
    const tasks = [give, wait].map((task) => ({ ...task, output_sharing: share }))
    const agents = [
      { id: 'giver', name: 'Giver', heart: { tasks } },
      { id: 'receiver', name: 'Receiver', heart: { tasks: [take] } },
    ]
    for (const agent of agents) await acknowledged('/api/characters/', agent, agent.id)
  }

  /** Every run of the account, once none is under way. */
  async function allEnded(): Promise<Run[]> {
    let runs: Run[] = []
    const areEnded = async (): Promise<boolean> => {
      runs = await listed()
      return runs.every((run) => run.finished_at !== null)
    }
    // The first reading may miss a run that another one's end began while pages were turned: newer
    // runs come first. Of a second one all such ends are past.
    const seconds = 300
    await until(async () => (await areEnded()) && (await areEnded()), { seconds, pauseMs: 100 })
    return runs
  }

  async function listed(): Promise<Run[]> {
    const runs: Run[] = []
    for (let cursor = ''; ;) {
      const path = `/api/runs?limit=100${cursor && `&cursor=${cursor}`}`
      const { items, next_cursor } = await acknowledged<Page>(path)
      runs.push(...items)
      if (!next_cursor) return runs
      cursor = next_cursor
    }
  }

  function checkRuns(runs: readonly Run[], roots: ReadonlySet<string>): void {
    const parents = runs.filter((run) => run.task_id !== 'take')
    expect(new Set(parents.map((run) => run.id))).toEqual(roots)
    const completed = parents.filter((run) => run.status === 'completed')
    const lost = parents.filter((run) => run.status === 'failed')
    expect(completed.length + lost.length).toBe(roots.size)
    // A run that completed twice would have handed its result on twice.
    const children = runs.filter((run) => run.task_id === 'take')
    expect(children).toHaveLength(completed.length)
    expect(new Set(children.map((run) => run.parent_run_id))).toEqual(
      new Set(completed.map((run) => run.id)),
    )
    expect(children.every((run) => run.status === 'completed' && run.output === 'done')).toBe(true)
    for (const run of completed) {
      const times = asked.get(run.id)
      expect(times).toBeGreaterThanOrEqual(1)
      expect(times).toBeLessThanOrEqual(run.attempt)
    }
  }

  /** The doomed one, and whichever else happened to be under way at as many kills. */
  function checkLost(runs: readonly Run[], doomed: string): void {
    const lost = runs.filter((run) => run.status === 'failed')
    expect(lost.map(({ id }) => id)).toContain(doomed)
    const error = { code: 'worker_lost' }
    for (const run of lost) {
      expect(run).toMatchObject({ reason: 'worker_lost', error, attempt: attemptsAtMost })
      expect(asked.get(run.id) ?? 0).toBeLessThanOrEqual(attemptsAtMost)
    }
    expect(asked.get(doomed)).toBe(attemptsAtMost)
  }

  function checkWrites(made: ReadonlyMap<string, string>): void {
    expect(made.size).toBeGreaterThanOrEqual(writesAtLeast)
    expect(existsSync(join(folder, 'abode.db-missing')), 'none is said to be missing').toBe(false)
    const database = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true })
    try {
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      const rows = database
        .prepare("SELECT id, doc ->> '$.mark' AS mark FROM characters WHERE mark IS NOT NULL")
        .all() as { id: string; mark: string }[]
      const kept = new Map(rows.map(({ id, mark }) => [mark, id]))
      expect(rows.length, 'each write took effect once').toBe(kept.size)
      for (const [mark, id] of made) expect(kept.get(mark)).toBe(id)
      const usage = database.prepare("SELECT doc ->> '$.agents' AS agents FROM usage").all()
      expect(usage).toEqual([{ agents: rows.length + 2 }])
    } finally {
      database.close()
    }
  }
})
