import { setTimeout as sleep } from 'node:timers/promises'
import { lossInWords } from './commands/greeting.ts'
import { compose, type Abode } from './compose/compose.ts'
import type { Config } from './config/read.ts'
import { backUpOnTime } from './process/back-up.ts'
import { adminPlaceOf, greet, placeOf, sayUnlistenable, type Place } from './process/greet.ts'
import { managerIn, type Manager } from './process/notify.ts'
import { configOf, failed, failOnFaults, unlessForPeople, warmUpSoon } from './process/start.ts'
import { stopInOrder } from './process/stop.ts'
import { releaseYoungGeneration } from './process/young-generation.ts'
import { partIn } from './supervisor/messages.ts'

/** The process from its start to its exit. @param entry the file of the program */
export async function run(env: Record<string, string | undefined>, entry: string): Promise<void> {
  const config = configOf(env)
  if (!config) return
  const part = partIn(process.argv.slice(2))
  if (part) {
    const { runChild } = await import('./process/child.ts')
    return runChild(config, part)
  }
  if (config.processes > 1 && config.work.includes('api')) {
    const { supervise } = await import('./process/supervise.ts')
    return supervise(config, entry)
  }
  return runAlone({ ...config, processes: 1 })
}

async function runAlone(config: Config): Promise<void> {
  const abode = await unlessForPeople(() => compose(config))
  if (!abode) return
  const { log } = abode.ports
  const loss = abode.ports.store.loss?.()
  // Even if the log is silent.
  if (loss) process.stderr.write(`${lossInWords(loss)}\n`)
  failOnFaults(log)
  const manager = managerIn(process.env, log)
  stopOnSignal(abode, config, manager, backUpOnTime(abode.ports, config))
  await abode
    .listenForOperator()
    .catch((cause: unknown) => giveUp(abode, cause, adminPlaceOf(config)))
  if (!config.work.includes('api')) {
    log.info('working without listening', { roles: config.work })
    releaseYoungGeneration()
    isUp(manager)
    return
  }
  const { url } = await abode
    .listen()
    .catch((cause: unknown) => giveUp(abode, cause, placeOf(config)))
  greet({ url, ...abode.facts() }, config)
  isUp(manager)
  warmUpSoon(abode, config.warmUp)
}

/** Its event loop turns as long as the watch is told. */
function isUp(manager: Manager): void {
  manager.ready()
  manager.watch(() => true)
}

async function giveUp(abode: Abode, cause: unknown, place: Place): Promise<never> {
  sayUnlistenable(cause, place)
  // The background work has begun already, and may have claimed runs.
  await abode.close()
  process.exit(failed)
}

/** The first signal stops in order, after SIGTERM once that time is over; a second one at once. */
function stopOnSignal(
  abode: Abode,
  config: Config,
  manager: Manager,
  endBackup: () => Promise<void>,
): void {
  const { log } = abode.ports
  const { drainSeconds } = config
  let isStopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(failed)
    isStopping = true
    log.info('stopping', { signal })
    manager.stopping()
    if (signal === 'SIGTERM' && drainSeconds > 0) {
      abode.drain()
      await sleep(drainSeconds * 1000)
    }
    await stopInOrder(signal, config, log, async (graceMs) => {
      await endBackup()
      await abode.close(graceMs)
    })
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}
