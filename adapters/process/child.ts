import { setTimeout as sleep } from 'node:timers/promises'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import type { Config } from '#adapters/config/read.ts'
import { openLog } from '#adapters/log/json.ts'
import { writerOf } from '#adapters/compose/about.ts'
import { openChannel, type Channel } from '#adapters/supervisor/channel.ts'
import { nameOf, type Part } from '#adapters/supervisor/messages.ts'
import { backUpOnTime } from './back-up.ts'
import { adminPlaceOf, sayUnlistenable } from './greet.ts'
import { failed, failOnFaults, unlessForPeople, warmUpSoon } from './start.ts'
import { stopInOrder } from './stop.ts'
import { releaseYoungGeneration } from './young-generation.ts'

/** How long what has been sent on a new connection may take to be read. */
const readsWithinMs = 50

/** One of the processes of a supervisor, from its start to its exit. */
export async function runChild(config: Config, part: Part): Promise<void> {
  const writer = writerOf(nameOf(part), workOf(config, part))
  const log = openLog({ level: config.logLevel, writer })
  failOnFaults(log)
  let stop: (signal: string) => void = () => process.exit(0)
  const channel = openChannel({
    stop: (signal) => stop(signal),
    drain: () => void opening.then((abode) => abode?.drain()),
    figures: () => opening.then((abode) => abode?.figures() ?? []),
  })
  const own: Config = { ...config, processes: part.processes, work: workOf(config, part) }
  const together = { ...channel, roles: config.work }
  // Port 0 is known by now, and with it the address in links.
  const opening = unlessForPeople(() => compose({ ...own, port: part.port }, { log }, together))
  const abode = await opening
  if (!abode) return process.exit()
  const endBackup = backUpOnTime(abode.ports, own)
  let isStopping = false
  stop = (signal) => {
    // A terminal sends its signal to all processes, and the supervisor tells of it too.
    if (isStopping) return
    isStopping = true
    log.info('stopping', { signal })
    void stopInOrder(signal, config, log, async (graceMs) => {
      await endBackup()
      await end(abode, channel, graceMs, isForOperator(part))
    })
  }
  process.on('SIGTERM', (signal) => stop(signal))
  process.on('SIGINT', (signal) => stop(signal))
  if (isForOperator(part)) {
    await abode.listenForOperator().catch((cause: unknown) => {
      sayUnlistenable(cause, adminPlaceOf(config))
      process.exit(failed)
    })
  }
  channel.ready(part.role === 'api' ? abode.serve(part) : undefined)
  if (part.role === 'api') warmUpSoon(abode, config.warmUp)
  else releaseYoungGeneration()
}

/** One of several processes listens for the operator, and tells of all. */
function isForOperator({ role, index }: Part): boolean {
  return role === 'api' && index === 1
}

async function end(
  abode: Abode,
  channel: Channel,
  graceMs: number,
  isForOperator: boolean,
): Promise<void> {
  await channel.leave()
  // The requests on connections that have just come are read, and so are answered.
  await sleep(readsWithinMs)
  // The operator can see until the end how the others stop.
  await abode.close(graceMs, isForOperator ? channel.alone() : undefined)
}

function workOf({ work }: Config, { role }: Part): Config['work'] {
  return role === 'api' ? ['api'] : work.filter((one) => one !== 'api')
}
