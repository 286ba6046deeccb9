import { createServer, type AddressInfo, type Server } from 'node:net'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lossInWords } from '#adapters/commands/greeting.ts'
import { factsOf, prepare } from '#adapters/compose/compose.ts'
import { addressOf, type Config } from '#adapters/config/read.ts'
import { connectionBounds } from '#adapters/http/intake/connections.ts'
import { openLog } from '#adapters/log/json.ts'
import { writerOf } from '#adapters/compose/about.ts'
import type { Figures } from '#adapters/metrics/counted.ts'
import { startChild } from '#adapters/supervisor/child.ts'
import { argumentsOf, type Part, type Role } from '#adapters/supervisor/messages.ts'
import { type Standing, Supervisor } from '#adapters/supervisor/supervisor.ts'
import type { Log } from '#src/ports/log.ts'
import { managerIn, type Manager } from './notify.ts'
import { stopsWithin } from './stop.ts'
import { greet, placeOf, sayUnlistenable } from './greet.ts'
import { badConfiguration, failed, failOnFaults, storeAway, unlessForPeople } from './start.ts'

/** What all may take to stop more than one of them, which ends itself then; it may be held when it is told to. */
const spareMs = 2500

/**
 * The process that starts the others, gives them connections, and restarts those that end; from its start to
 * its exit. @param entry the file of the program
 */
export async function supervise(config: Config, entry: string): Promise<void> {
  const log = openLog({ level: config.logLevel, writer: writerOf('supervisor', ['supervisor']) })
  const prepared = await unlessForPeople(async () => ({ loss: await prepare(config, log) }))
  if (!prepared) return
  // Even if the log is silent.
  if (prepared.loss) process.stderr.write(`${lossInWords(prepared.loss)}\n`)
  failOnFaults(log)
  // What they load is compiled then.
  flushCompileCache()
  const server = createServer({ pauseOnConnect: true, noDelay: true })
  // Those that wait for a process.
  server.maxConnections = connectionBounds.open
  const { port, address } = await listening(server, config)
  const parts = partsOf(config, port, address)
  const start = { entry, env: { ...process.env, ...cacheOf(entry) } }
  const { endedPart, pageOf } = await import('#adapters/metrics/sum.ts')
  const processes = new Supervisor<Figures>({
    parts,
    log,
    sum: { page: pageOf, ended: endedPart },
    own: figuresOf,
    start: (part, heard) => startChild(start, argumentsOf(part), heard),
    failed(why, code) {
      process.stderr.write(`${why}\n`)
      stop.fail(code === badConfiguration || code === storeAway ? code : failed)
    },
  })
  server.on('error', (cause) => log.warn('a connection could not be accepted', { cause }))
  server.on('connection', (socket) => processes.accept(socket))
  const manager = managerIn(process.env, log)
  const stop = new Stop(processes, server, log, { config, manager })
  process.on('SIGTERM', (signal) => void stop.inOrder(signal, 0, config.drainSeconds))
  process.on('SIGINT', (signal) => void stop.inOrder(signal, 0))
  await processes.begin()
  stop.isUp = true
  manager.ready()
  manager.watch(() => processes.isWell)
  const url = addressOf(config.host, port)
  greet({ url, ...factsOf(config, config.publicUrl ?? url) }, config, 'supervisor')
}

function listening(server: Server, config: Config): Promise<AddressInfo> {
  return new Promise((resolve) => {
    server.once('error', (cause) => {
      sayUnlistenable(cause, placeOf(config))
      process.exit(failed)
    })
    server.listen(config.port, config.host, () => {
      server.removeAllListeners('error')
      // A server that listens on a port has an address of this form.
      resolve(server.address() as AddressInfo)
    })
  })
}

function partsOf({ processes, work }: Config, port: number, address: string): Part[] {
  const of = (role: Role) => (index: number) => ({ role, index, processes, port, address })
  const answering = Array.from({ length: processes }, (_, at) => of('api')(at + 1))
  return work.some((role) => role !== 'api') ? [of('worker')(1), ...answering] : answering
}

/** Where a build keeps its compiled code: a program that is started by itself is not told. */
function cacheOf(entry: string): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  const isTold = process.env['NODE_COMPILE_CACHE'] !== undefined || entry.endsWith('.ts')
  if (isTold || folder === undefined) return {}
  return { NODE_COMPILE_CACHE: dirname(folder), NODE_COMPILE_CACHE_PORTABLE: '1' }
}

function figuresOf(processes: readonly Standing[]): Figures {
  const of = (value: (process: Standing) => number) =>
    processes.map((one) => ({ labels: { process: one.name }, value: value(one) }))
  return [
    {
      name: 'abode_process_restarts_total',
      help: 'How often a process was started again, because it had ended or was frozen.',
      type: 'counter',
      aggregator: 'sum',
      values: of(({ restarts }) => restarts),
    },
    {
      name: 'abode_process_ready',
      help: 'Whether a process is ready (1), or is being started (0).',
      type: 'gauge',
      aggregator: 'sum',
      values: of(({ isReady }) => Number(isReady)),
    },
  ]
}

interface StopTerms {
  config: Config
  manager: Manager
}

/** How the server ends. */
class Stop {
  readonly #processes: Supervisor<Figures>
  readonly #server: Server
  readonly #log: Log
  readonly #config: Config
  readonly #manager: Manager
  #isStopping = false
  /** Whether there may be requests under way. */
  isUp = false

  constructor(
    processes: Supervisor<Figures>,
    server: Server,
    log: Log,
    { config, manager }: StopTerms,
  ) {
    this.#processes = processes
    this.#server = server
    this.#log = log
    this.#config = config
    this.#manager = manager
  }

  /**
   * Stops in order, the second time at once.
   * @param code is exited with if all end in order
   * @param drainSeconds how long connections are still accepted
   */
  async inOrder(signal: string, code: number, drainSeconds = 0): Promise<void> {
    if (this.#isStopping) this.#atOnce(failed)
    this.#isStopping = true
    this.#log.info('stopping', { signal })
    this.#manager.stopping()
    if (drainSeconds > 0) {
      this.#processes.drain()
      await sleep(drainSeconds * 1000)
    }
    const milliseconds = stopsWithin(signal, this.#config) + spareMs
    setTimeout(() => {
      this.#log.error('stopping took too long', { milliseconds })
      this.#atOnce(failed)
    }, milliseconds).unref()
    this.#server.close()
    const isInOrder = await this.#processes.stop(signal)
    this.#log.info('stopped')
    process.exit(isInOrder ? code : failed)
  }

  /** Ends because a process that is needed cannot be had. */
  fail(code: number): void {
    if (!this.isUp) this.#atOnce(code)
    else if (!this.#isStopping) void this.inOrder('failure', code)
  }

  #atOnce(code: number): never {
    this.#processes.kill()
    process.exit(code)
  }
}
