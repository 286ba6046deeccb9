import { stuckRuns } from '#src/runs/operated/stuck.ts'
import { failedRuns, retryRun, retryRuns } from '#src/runs/operated/retry.ts'
import { drainedSince } from '#src/runs/operated/drain.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'
import { readConfig } from '#adapters/config/read.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'
import { exitOf } from './operated/fault.ts'
import { accountNamed } from './operated/named.ts'
import { operatedPorts, type OperatedPorts } from './operated/ports.ts'
import { progress } from './operated/progress.ts'
import { runsAsked, runsUsage, type RunsAsked } from './runs/arguments.ts'
import { drain } from './runs/drain.ts'
import { jsonLine, printable } from './moderation/lines.ts'

type Asked<C extends RunsAsked['command']> = Extract<RunsAsked, { command: C }>

/** What is shown of a run in a list. */
const listed = [
  'id',
  'owner_id',
  'char_id',
  'task_id',
  'status',
  'reason',
  'error.code',
  'retry_id',
  'created_at',
  'started_at',
  'finished_at',
] as const

await run(runs)

/** The operator's command, from its arguments to its exit code. */
async function runs(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = runsAsked(words)
    if (asked.command === 'help') return said(runsUsage)
    const store = await storeOfServer(env)
    const ports = operatedPorts(store, readConfig(env))
    try {
      if (asked.command === 'drain') return await drain(ports, asked)
      if (asked.command === 'retry') return await retry(ports, asked)
      return asked.command === 'list' ? await list(store, asked) : await stuck(store, asked)
    } finally {
      await ports.settle()
      await store.close()
    }
  } catch (cause) {
    return exitOf(cause, runsUsage, 'runs list')
  }
}

function textOf(value: Picked[number] | undefined): string | null {
  return typeof value === 'string' ? value : null
}

async function list(
  store: Store,
  { account, status, reason, limit, isJson }: Asked<'list'>,
): Promise<Exit> {
  const filter: Filter<StoredRun> = {
    ...(account !== undefined && { owner_id: (await accountNamed(store, account)).id }),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { $or: [{ reason }, { 'error.code': reason }] }),
  }
  // Their inputs and results may be large.
  const rows = await store.runs.pick(listed, filter, { sort: { id: -1 }, limit })
  const items = rows.map(([id, owner, agent, task, stands, why, code, retry, ...times]) => ({
    run_id: String(id),
    account_id: String(owner),
    char_id: String(agent),
    task_id: textOf(task),
    status: String(stands),
    reason: textOf(code) ?? textOf(why),
    retry_run_id: textOf(retry),
    created_at: String(times[0]),
    started_at: textOf(times[1]),
    finished_at: textOf(times[2]),
  }))
  if (isJson) return said(`${jsonLine({ items })}\n`)
  const lines = items.map((one) => {
    const retried = one.retry_run_id === null ? '' : `  retried as ${one.retry_run_id}`
    return `${one.run_id}  ${one.created_at}  ${one.status.padEnd(9)}  ${one.reason ?? '-'}  ${placeOf(one)}${retried}`
  })
  return said(lines.map((line) => `${printable(line)}\n`).join('') || 'There are no such runs.\n')
}

async function stuck(store: Store, asked: Asked<'stuck'>): Promise<Exit> {
  const { account, longerThan, reason, limit, isJson } = asked
  const accountId = account === undefined ? undefined : (await accountNamed(store, account)).id
  const drained_since = (await drainedSince({ store, clock: systemClock })) ?? null
  const sought = { longerThan, accountId, reason, limit }
  const items = await stuckRuns(store, sought, await store.now(), drained_since !== null)
  if (isJson) return said(`${jsonLine({ drained_since, items })}\n`)
  const head = drained_since === null ? '' : `No runs are claimed since ${drained_since}.\n`
  const lines = items.map(
    (one) =>
      `${one.run_id}  ${one.status.padEnd(9)}  ${one.reason}  ${spanOf(one.seconds)}  ${placeOf(one)}`,
  )
  const told = lines.map((line) => `${printable(line)}\n`).join('')
  return said(head + (told || 'Nothing waits or is worked on for so long.\n'))
}

async function retry(ports: OperatedPorts, asked: Asked<'retry'>): Promise<Exit> {
  const { account: name, run: id, reason, limit, isDry, isJson } = asked
  if (id !== undefined) {
    const retry_run_id = await retryRun(ports, id)
    const shown = { retries: [{ run_id: id, retry_run_id }], left_out: [] }
    return said(isJson ? `${jsonLine(shown)}\n` : `${id} is retried as ${retry_run_id}\n`)
  }
  const account = await accountNamed(ports.store, name ?? '')
  const among = failedRuns(account.id, reason)
  const matched = await ports.store.runs.count(among)
  if (isDry) {
    const oldest = { sort: { id: 1 }, limit } as const
    const found = await ports.store.runs.pick(['id'], among, oldest)
    const run_ids = found.map(([one]) => String(one))
    if (isJson) return said(`${jsonLine({ matched, run_ids })}\n`)
    return said(`${run_ids.map((one) => `${one}\n`).join('')}${matched} can be retried.\n`)
  }
  const told = progress()
  const { retries, left_out, isFull } = await retryRuns(ports, account, among, limit, (count) =>
    told(`${count} of ${matched} retried`),
  )
  if (isJson) said(`${jsonLine({ matched, retries, left_out, quota_exceeded: isFull })}\n`)
  else {
    const lines = [
      ...retries.map((one) => `${one.run_id} is retried as ${one.retry_run_id}`),
      ...left_out.map((one) => `${one.run_id} is not: ${one.reason}`),
      `${retries.length} of ${matched} retried.`,
    ]
    said(lines.map((line) => `${line}\n`).join(''))
  }
  return isFull ? exits.refused : exits.done
}

function placeOf({
  account_id,
  char_id,
  task_id,
}: Record<'account_id' | 'char_id', string> & { task_id: string | null }): string {
  return `${account_id}  ${char_id}/${task_id ?? ''}`
}

function spanOf(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60]
  const [d, h, m] = [days, hours, minutes].map(Math.floor)
  return d ? `${d} d ${h} h` : h ? `${h} h ${m} min` : `${m} min ${seconds % 60} s`
}
