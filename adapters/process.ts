import { flushCompileCache } from 'node:module'
import { isatty } from 'node:tty'
import { greeting, lossInWords, type Facts } from './commands/greeting.ts'
import {
  compose,
  MasterKeyUnusable,
  RuntimeUnusable,
  StoreUnusable,
  type Abode,
} from './compose/compose.ts'
import { ConfigFaults, readConfig, type Config } from './config/read.ts'
import { releaseYoungGeneration } from './process/young-generation.ts'

/** The configuration error of `sysexits.h`: starting again would not help. */
const badConfiguration = 78
const failed = 1
const stopsWithinMs = 9500
/** Errors that a person has to fix before another start. */
const forPeople = [StoreUnusable, MasterKeyUnusable, RuntimeUnusable]
/** Time for the first request after the start to be answered. */
const warmUpAfterMs = 150

/** The process from its start to its exit. */
export async function run(env: Record<string, string | undefined>): Promise<void> {
  const config = configOf(env)
  const abode = config && (await opened(config))
  if (!abode) return
  const { log } = abode.ports
  const loss = abode.ports.store.loss?.()
  // Even if the log is silent.
  if (loss) process.stderr.write(`${lossInWords(loss)}\n`)
  const fail = (message: string) => (cause: unknown) => {
    log.error(message, { cause })
    process.exit(failed)
  }
  process.on('unhandledRejection', fail('a promise was rejected and not handled'))
  process.on('uncaughtException', fail('an error was thrown and not caught'))
  stopOnSignal(abode)
  if (!config.work.includes('api')) {
    log.info('working without listening', { roles: config.work })
    releaseYoungGeneration()
    return
  }
  const { url } = await abode.listen().catch((cause: unknown) => giveUp(abode, cause, config))
  say({ url, ...abode.facts() }, config)
  setTimeout(() => void warmUp(abode), warmUpAfterMs).unref()
}

function configOf(env: Record<string, string | undefined>): Config | undefined {
  try {
    return readConfig(env)
  } catch (cause) {
    if (!(cause instanceof ConfigFaults)) throw cause
    return complain(cause.faults, badConfiguration)
  }
}

async function opened(config: Config): Promise<Abode | undefined> {
  try {
    return await compose(config)
  } catch (cause) {
    const isForPeople = forPeople.some((kind) => cause instanceof kind)
    if (!isForPeople || !(cause instanceof Error)) throw cause
    return complain([cause.message], badConfiguration)
  }
}

async function giveUp(abode: Abode, cause: unknown, { host, port }: Config): Promise<never> {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const where = `${host} port ${port}`
  const why =
    code === 'EADDRINUSE'
      ? `${where} is in use: stop the program that listens there, or set PORT to another one`
      : `cannot listen on ${where} (${String(code ?? cause)}): set HOST and PORT to what is free`
  process.stderr.write(`${why}\n`)
  // The background work has begun already, and may have claimed runs.
  await abode.close()
  process.exit(failed)
}

/** Prints one line for each fault. */
function complain(faults: readonly string[], code: number): undefined {
  process.stderr.write(faults.map((fault) => `${fault}\n`).join(''))
  process.exitCode = code
}

/** The log would redact the example's header and the query of its address. */
function say(facts: Facts, { logLevel }: Config): void {
  if (isatty(process.stdout.fd)) process.stdout.write(greeting(facts))
  else if (logLevel === 'info' || logLevel === 'debug') {
    const line = { level: 'info', time: new Date().toISOString(), message: 'listening', ...facts }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

async function warmUp(abode: Abode): Promise<void> {
  try {
    await abode.warmUp()
    flushCompileCache()
  } catch (cause) {
    // Callers that need the missing part get an error; the rest works.
    abode.ports.log.error('a part of the service could not be loaded', { cause })
  } finally {
    releaseYoungGeneration()
  }
}

/** The first signal stops in order, a second one at once. */
function stopOnSignal(abode: Abode): void {
  const { log } = abode.ports
  let isStopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(failed)
    isStopping = true
    log.info('stopping', { signal })
    setTimeout(() => {
      log.error('stopping took too long', { milliseconds: stopsWithinMs })
      process.exit(failed)
    }, stopsWithinMs).unref()
    await abode.close()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}
