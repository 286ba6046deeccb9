import { spawn, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endOf } from '#tests/support/process.ts'
import { agent, agentsStored } from '../documents.ts'
import { wanted, type Group } from '../group.ts'
import { median } from '../measure.ts'
import { startProduct } from '../servers.ts'
import { stockFolder, type Keys } from '../stock.ts'
import type { Result } from '../table/report.ts'

/** What is compared: so many processes that answer. */
const compared = [1, 2] as const
const secondsARound = 5
/** Each process has its own code to compile, and of two each gets half of the requests. */
const secondsToWarmUp = 15
const connections = 64
/** The rows, each with the requests that wrk sends for it. */
const kinds = ['processesRead', 'processesCreate'] as const
type Kind = (typeof kinds)[number]

/** A server, and the script by which wrk asks it. */
interface Subject {
  url: string
  scripts: Record<Kind, string>
  /** Requests a second of each round. */
  rates: Record<Kind, number[]>
  end(): Promise<void>
}

/** Reads and writes a second of one and of two processes, by turns. */
export const processes: Group = {
  name: 'processes',
  async measure(bench) {
    if (spawnSync('wrk', ['-v']).error) {
      for (const row of wanted(bench, this.name)) bench.note(row, { skipped: 'there is no wrk' })
      return
    }
    bench.say('comparing one process with two')
    const subjects: Subject[] = []
    try {
      for (const count of compared) subjects.push(await startSubject(bench.folder, count))
      // The first round only warms up.
      for (let round = 0; round <= bench.pace.rounds; round++) {
        for (const kind of kinds) await driveAll(subjects, kind, round)
      }
    } finally {
      for (const subject of subjects) await subject.end()
    }
    for (const kind of kinds) bench.note(kind, resultOf(kind, subjects))
  },
}

async function driveAll(subjects: readonly Subject[], kind: Kind, round: number): Promise<void> {
  for (const subject of subjects) {
    const rate = await drive(subject, kind, round)
    if (round > 0) subject.rates[kind].push(rate)
  }
}

async function startSubject(folder: string, processes: number): Promise<Subject> {
  const place = join(folder, `processes-${processes}`)
  const keys = await stockFolder(place)
  const scripts = {
    processesRead: `${place}-reads.lua`,
    processesCreate: `${place}-creates.lua`,
  }
  await writeFile(scripts.processesRead, readsOf(keys))
  await writeFile(scripts.processesCreate, createsOf(keys))
  const rates = { processesRead: [], processesCreate: [] }
  const server = await startProduct(place, { ABODE_PROCESSES: String(processes) })
  return { url: server.url, scripts, rates, end: () => server.end() }
}

/** One agent after the other; wrk is to take little of the processor. */
function readsOf({ reader }: Keys): string {
  return `
    local n, requests = 0, {}
    local headers = { ["Authorization"] = "Bearer ${reader}" }
    init = function()
      for at = 0, ${agentsStored - 1} do
        requests[at] = wrk.format("GET", "/api/characters/agent-" .. at, headers)
      end
    end
    request = function()
      n = (n + 1) % ${agentsStored}
      return requests[n]
    end`
}

/** New agents, whose ids are new in every round and thread. */
function createsOf({ writer }: Keys): string {
  const [before = '', after = ''] = JSON.stringify(agent('THE-ID')).split('THE-ID')
  return `
    local threads, n = 0, 0
    local headers = {
      ["Authorization"] = "Bearer ${writer}", ["Content-Type"] = "application/json"
    }
    setup = function(thread) threads = threads + 1; thread:set("own", threads) end
    init = function(args) round = args[1] end
    request = function()
      n = n + 1
      local id = "new-" .. round .. "-" .. own .. "-" .. n
      local body = ${JSON.stringify(before)} .. id .. ${JSON.stringify(after)}
      return wrk.format("POST", "/api/characters/", headers, body)
    end`
}

/** @returns requests a second. @throws Error when an answer is not the right one */
async function drive({ url, scripts }: Subject, kind: Kind, round: number): Promise<number> {
  const seconds = round === 0 ? secondsToWarmUp : secondsARound
  const load = ['-t2', `-c${connections}`, `-d${seconds}s`, '-s', scripts[kind]]
  const { out } = await endOf(spawn('wrk', [...load, url, '--', String(round)]))
  const rate = Number(/^Requests\/sec:\s+([0-9.]+)$/m.exec(out)?.[1])
  const wrong = /^\s*(?:Non-2xx or 3xx responses|Socket errors): .*$/m.exec(out)
  if (wrong || !(rate > 0)) throw new Error(`${kind}: ${wrong?.[0].trim() ?? out}`)
  return rate
}

function resultOf(kind: Kind, subjects: readonly Subject[]): Result {
  const [one = Number.NaN, two = Number.NaN] = subjects.map(({ rates }) => median(rates[kind]))
  return { value: two / one, absolute: `${two.toFixed(0)} over ${one.toFixed(0)} a second` }
}
