import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const kills = 20
const runsInAll = 200
const writesAtLeast = 5000
const writers = 24

/** An address outside that answers after a while, and counts how often each run asked. */
async function openOutside(): Promise<{ url: string; server: Server; asked: Map<string, number> }> {
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['idempotency-key'])
    asked.set(id, (asked.get(id) ?? 0) + 1)
    request.resume()
    // Slow enough that runs are under way at every kill.
    setTimeout(() => response.end('done'), Math.random() * 1500)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server, asked }
}

describe('a server that is killed again and again', () => {
  let folder: string
  let server: ServerProcess
  let outside: Awaited<ReturnType<typeof openOutside>>
  let key: string

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

  const send = async (method: string, path: string, body?: unknown, idempotencyKey?: string) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  /** The same call with the same key until it is acknowledged. */
  const acknowledged = async (path: string, body: unknown, idempotencyKey: string) => {
    for (;;) {
      try {
        const answer = await send('POST', path, body, idempotencyKey)
        if (answer.status < 300) return answer.body as { id: string }
        if (answer.status !== 503) throw new TypeError(`refused: ${JSON.stringify(answer.body)}`)
      } catch (cause) {
        // Cut off by the kill, or nobody listens yet; a refusal is no such thing.
        if (cause instanceof TypeError && cause.message.startsWith('refused')) throw cause
        await pause(5)
      }
    }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-kill-'))
    outside = await openOutside()
    server = await start()
    const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
    key = ((await claim.json()) as { api_key: string }).api_key
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    outside.server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('loses no acknowledged write and no run, and ends every run once', async () => {
    const share = { enabled: true, target_agent_id: 'receiver', target_task_id: 'take' }
    const give = { task_id: 'give', name: 'Give', runtime: 'api', api_url: outside.url }
    const take = { task_id: 'take', name: 'Take', runtime: 'template', prompt: '{{input}}' }
    const agents = [
      { id: 'giver', name: 'Giver', heart: { tasks: [{ ...give, output_sharing: share }] } },
      { id: 'receiver', name: 'Receiver', heart: { tasks: [take] } },
    ]
    for (const agent of agents) await acknowledged('/api/characters/', agent, agent.id)

    const queued = Promise.all(
      Array.from({ length: runsInAll }, (_, i) =>
        acknowledged('/api/characters/giver/tasks/give/run', { input: `${i}` }, `run-${i}`),
      ),
    )
    const made = new Map<string, string>()
    let next = 0
    const killing = new AbortController()
    const write = async (): Promise<void> => {
      while (!killing.signal.aborted || next < writesAtLeast) {
        await pause(Math.random() * 40)
        const mark = `w${next++}`
        const { id } = await acknowledged('/api/characters/', { name: 'Ada', mark }, mark)
        made.set(mark, id)
      }
    }
    const writing = Promise.all(Array.from({ length: writers }, write))

    for (let i = 0; i < kills; i++) {
      await pause(300 + Math.random() * 900)
      await server.end('SIGKILL')
      server = await start()
    }
    killing.abort()
    await writing
    const roots = new Set((await queued).map((run) => run.id))
    expect(roots.size).toBe(runsInAll)

    const runs = await allEnded()
    await server.end('SIGTERM')
    checkRuns(runs, roots)
    checkWrites(made)
  }, 400_000)

  /** Every run of the account, once none is under way. */
  async function allEnded(): Promise<Run[]> {
    for (;;) {
      const areEnded = (await listed()).every((run) => run.finished_at !== null)
      // The first reading may miss a run that another one's end began while pages were turned: newer
      // runs come first. Of a second one all such ends are past.
      const runs = areEnded ? await listed() : []
      if (areEnded && runs.every((run) => run.finished_at !== null)) return runs
      await pause(500)
    }
  }

  async function listed(): Promise<Run[]> {
    const runs: Run[] = []
    for (let cursor = ''; ;) {
      const page = await send('GET', `/api/runs?limit=100${cursor && `&cursor=${cursor}`}`)
      const { items, next_cursor } = page.body as { items: Run[]; next_cursor: string | null }
      runs.push(...items)
      if (!next_cursor) return runs
      cursor = next_cursor
    }
  }

  function checkRuns(runs: readonly Run[], roots: ReadonlySet<string>): void {
    const parents = runs.filter((run) => run.task_id === 'give')
    expect(new Set(parents.map((run) => run.id))).toEqual(roots)
    const lost = parents.filter((run) => run.status === 'failed')
    expect(lost.every((run) => run.reason === 'worker_lost' && run.attempt > 3)).toBe(true)
    const completed = parents.filter((run) => run.status === 'completed')
    expect(completed.length + lost.length).toBe(runsInAll)
    // A run that completed twice would have handed its result on twice.
    const children = runs.filter((run) => run.task_id === 'take')
    expect(children).toHaveLength(completed.length)
    expect(new Set(children.map((run) => run.parent_run_id))).toEqual(
      new Set(completed.map((run) => run.id)),
    )
    expect(children.every((run) => run.status === 'completed' && run.output === 'done')).toBe(true)
    for (const run of completed) expect(outside.asked.get(run.id)).toBeGreaterThanOrEqual(1)
  }

  function checkWrites(made: ReadonlyMap<string, string>): void {
    expect(made.size).toBeGreaterThanOrEqual(writesAtLeast)
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
