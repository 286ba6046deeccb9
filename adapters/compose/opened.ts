import { join } from 'node:path'
import { unknownModerators } from '#src/commons/moderation/moderators.ts'
import { endedStatuses } from '#src/runs/run.ts'
import type { CorePorts } from '#src/core/call.ts'
import type { Log } from '#src/ports/log.ts'
import { lossInWords } from '#adapters/commands/greeting.ts'
import type { Config } from '#adapters/config/read.ts'
import { folderFiles } from '#adapters/files/folder.ts'
import { openLog } from '#adapters/log/json.ts'
import { Outages, watchedMailer, watchedModels } from '#adapters/log/outages.ts'
import { onlyOne } from '#adapters/log/writer.ts'
import { writerOf } from './about.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'
import { countedModels } from '#adapters/metrics/counted-models.ts'
import { timedStore } from '#adapters/metrics/timed-store.ts'
import { openMetrics } from '#adapters/metrics/metrics.ts'
import { tracedModels } from '#adapters/traces/models.ts'
import type { OpenedTraces } from '#adapters/traces/opened.ts'
import { openTraces } from '#adapters/traces/traces.ts'
import { versionOfPackage } from './about.ts'
import { openRuntimes } from '#adapters/shell/runtimes.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { openStore } from '#adapters/store/open.ts'
import { watchedMeter } from '#adapters/watchdog/meter.ts'
import { areCounted } from './operator.ts'
import { masterKeyFor } from './master-key.ts'
import { mustBeRestored } from './paused.ts'
import { portsOf, spaceOf, takeOver, type WakingPorts } from './ports.ts'

/** The ports of a process over its store, which is of this version and has this key. */
export interface Opened {
  ports: WakingPorts
  metrics: Metrics
  traces: OpenedTraces
  /** The store itself, without the effects of its commits. */
  store: OpenedStore
  close(): Promise<void>
}

/**
 * Opens everything that needs no listener, and brings the store to this version.
 * @param overrides replace single ports
 * @param isFirst whether it is to say in the log what is missing, of several processes
 * @throws StoreUnusable, MasterKeyUnusable, RuntimeUnusable when a person has to fix something first
 */
export async function open(
  config: Config,
  overrides: Partial<CorePorts>,
  isFirst: boolean,
): Promise<Opened> {
  const place = { uri: config.mongodbUri, folder: config.dataDir }
  if (place.uri === undefined) mustBeRestored(place.folder)
  const metrics = await openMetrics(areCounted(config), endedStatuses)
  const writer = writerOf(onlyOne, config.work)
  const { log: open = openLog({ level: config.logLevel, writer }) } = overrides
  const traces = await openTraces(config.traces, { version: versionOfPackage(), log: open })
  const store = timedStore<OpenedStore>(overrides.store ?? (await openStore(place)), metrics)
  try {
    const key = await masterKeyFor(store, config.masterKey, config.dataDir)
    const files = store.files ?? folderFiles(join(config.dataDir, 'files'))
    const outages = outagesOf(store, open, metrics)
    const log = outages.quiet()
    // Before anything starts timers, so that a start that fails here leaves none running.
    const runtimes = await openRuntimes(config)
    const meter = watchedMeter(metrics, log)
    store.watchedBy?.(meter)
    const space = overrides.space ?? (await spaceOf(store, config))
    const made = { meter, files, space, ...runtimes, ...overrides, log, traces }
    const ports = portsOf(config, store, key, made)
    const { modelPrices } = ports.settings
    ports.models = tracedModels(countedModels(ports.models, modelPrices, metrics), traces)
    watch(ports, outages)
    const loss = store.loss?.()
    if (loss && isFirst) ports.log.error(lossInWords(loss), { ...loss })
    const { upgrade } = store
    if (upgrade) {
      ports.log.warn('the store was upgraded, and the one of before is kept', { ...upgrade })
    }
    await takeOver(ports, store)
    if (isFirst && config.hasCommons) await warnOfModerators(ports)
    return {
      ports,
      metrics,
      traces,
      store,
      async close() {
        outages.close()
        await closePorts(ports)
        meter.stop()
        await traces.close()
      },
    }
  } catch (cause) {
    await store.close()
    throw cause
  }
}

function outagesOf(store: OpenedStore, log: Log, metrics: Metrics): Outages {
  const count: Metrics['outage'] = (service) => metrics.outage(service)
  return new Outages({ log, count, isStoreThere: () => store.isHealthy() })
}

/** In place: the effects of a commit are given the same ports. */
function watch(ports: WakingPorts, outages: Outages): void {
  const { mailer, models } = ports
  ports.mailer = mailer && watchedMailer(mailer, outages)
  ports.models = watchedModels(models, outages)
}

/** A name that is misspelled, or was named before its member has joined, would otherwise go unnoticed. */
async function warnOfModerators({ store, settings, log }: WakingPorts): Promise<void> {
  const handles = await unknownModerators(store, settings)
  if (handles.length === 0) return
  log.warn('ABODE_MODERATORS names handles that no one has, and no one gets', { handles })
}

/** The store last: files may be in it. */
async function closePorts(ports: WakingPorts): Promise<void> {
  await ports.extractor.close()
  await ports.copyist.close()
  await ports.schemas.close()
  await ports.models.close()
  await ports.payments.close()
  await ports.facilitator?.close()
  ports.mailer?.close()
  await ports.messengers.close()
  await ports.sender.close()
  await ports.files.close()
  ports.space.close()
  await ports.store.close()
}
