import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf } from '#tests/support/process.ts'
import { agent, agentsStored } from './documents.ts'
import { median } from './measure.ts'
import { startProduct } from './servers.ts'
import { stockFolder, type Keys } from './stock.ts'

/** What is compared: so many processes that answer. */
const compared = [1, 2] as const
const roundsUsually = 5
const secondsARound = 5
/** Each process has its own code to compile, and of two each gets half of the requests. */
const secondsToWarmUp = 15
const connections = 64
/** How many times as much two processes do as one. */
const targets = { reads: 1.5, writes: 1 }

type Kind = keyof typeof targets
const kinds = Object.keys(targets) as Kind[]

/** A server, and the script by which wrk asks it. */
interface Subject {
  url: string
  scripts: Record<Kind, string>
  /** Requests a second of each round. */
  rates: Record<Kind, number[]>
  end(): Promise<void>
}

/**
 * Measures reads and writes a second of one and of two processes by wrk, by turns.
 * @returns a line for each
 */
export async function measureProcesses(rounds = roundsUsually): Promise<string[]> {
  if (spawnSync('wrk', ['-v']).error) return kinds.map((kind) => `${kind}: skipped, without wrk`)
  const folder = await mkdtemp(join(tmpdir(), 'abode-bench-processes-'))
  const subjects: Subject[] = []
  try {
    for (const count of compared) subjects.push(await startSubject(folder, count))
    // The first round only warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const kind of kinds) {
        for (const subject of subjects) {
          const rate = await drive(subject, kind, round)
          if (round > 0) subject.rates[kind].push(rate)
        }
      }
    }
    return kinds.map((kind) => lineOf(kind, subjects))
  } finally {
    for (const subject of subjects) await subject.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startSubject(folder: string, processes: number): Promise<Subject> {
  const place = join(folder, String(processes))
  const keys = await stockFolder(place)
  const scripts = { reads: `${place}-reads.lua`, writes: `${place}-writes.lua` }
  await writeFile(scripts.reads, readsOf(keys))
  await writeFile(scripts.writes, writesOf(keys))
  const server = await startProduct(place, { ABODE_PROCESSES: String(processes) })
  return { url: server.url, scripts, rates: { reads: [], writes: [] }, end: () => server.end() }
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
function writesOf({ writer }: Keys): string {
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

function lineOf(kind: Kind, subjects: readonly Subject[]): string {
  const [one = Number.NaN, two = Number.NaN] = subjects.map(({ rates }) => median(rates[kind]))
  const met = two >= targets[kind] * one ? 'met' : 'missed'
  const rates = `${one.toFixed(0)} a second by one process, ${two.toFixed(0)} by two`
  return `${kind}: ${rates}, ${(two / one).toFixed(2)} times (${met}: ${targets[kind]})`
}

if (import.meta.main) {
  const [rounds] = process.argv.slice(2)
  const lines = await measureProcesses(rounds === undefined ? undefined : Number(rounds))
  process.stdout.write(`${lines.join('\n')}\n`)
}
