import { join } from 'node:path'
import { connections } from '#src/accounts/connections.ts'
import type { Door } from '#protocol/door.ts'
import { policiesFor } from '#protocol/policies.ts'
import { absentCommons } from '#src/core/commons/absence.ts'
import { Streams } from '#src/core/admission/streams.ts'
import type { AdmittingCore } from '#src/core/door.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { core, type CorePorts } from '#src/core/call.ts'
import type { Ports } from '#src/core/context.ts'
import { mediaIdOfPath } from '#src/agents/media/media.ts'
import { claimWithoutCode } from '#protocol/web/paths.ts'
import { startWork } from '#src/work/work.ts'
import { withoutSecrets } from './about.ts'
import { agentPages } from './agents.ts'
import { documentPages } from './documents.ts'
import { admitted } from './admitted.ts'
import { openDoors, spentBy, type Doors } from './doors.ts'
import { lossInWords } from '#adapters/commands/greeting.ts'
import { paymentPages } from './payments.ts'
import { peoplePages } from './people.ts'
import { addressOf, type Config } from '#adapters/config/read.ts'
import { folderFiles } from '#adapters/files/folder.ts'
import type { Facts } from '#adapters/commands/greeting.ts'
import { loadBodyParser, tryBodyParser } from '#adapters/http/body.ts'
import { application } from '#adapters/http/application.ts'
import { absentDoorPage, doorPage, type DoorTerms } from '#adapters/http/doors.ts'
import { addresses, isLoopback } from '#adapters/http/address.ts'
import { connectionBounds, Connections } from '#adapters/http/intake/connections.ts'
import { Intake } from '#adapters/http/intake/intake.ts'
import { localGuard, type Guard } from '#adapters/http/credentials/local.ts'
import { metricsPage } from '#adapters/http/metrics-page.ts'
import type { Page } from '#adapters/http/page.ts'
import { defaultBounds, listener } from '#adapters/http/server.ts'
import { mediaPage } from '#adapters/http/uploads/media-page.ts'
import { openLog } from '#adapters/log/json.ts'
import { masterKeyFor, MasterKeyUnusable } from './master-key.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'
import { openMetrics } from '#adapters/metrics/metrics.ts'
import { openRuntimes } from '#adapters/shell/runtimes.ts'
import { RuntimeUnusable } from '#adapters/shell/unusable.ts'
import { endingWaits, metered } from './served.ts'
import { watchedMeter } from '#adapters/watchdog/meter.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { openStore } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { portsOf, spaceOf, takeOver, type WakingPorts } from './ports.ts'

/** How long requests, and before them streams, may continue once the process is to stop. */
const requestsEndWithinMs = 6000
const streamsEndAfterMs = 2000

export { MasterKeyUnusable, RuntimeUnusable, StoreUnusable }

export interface Abode {
  core: AdmittingCore
  ports: CorePorts
  /** Starts accepting requests. @throws Error with `code` EADDRINUSE, EACCES, … */
  listen(): Promise<{ url: string }>
  /** The facts of the greeting, known once the server listens. */
  facts(): Omit<Facts, 'url'>
  /** The MCP door, for a host that speaks to it without HTTP. */
  mcp(): Promise<Door>
  /** Loads what the first request of each kind would otherwise wait for. */
  warmUp(): Promise<void>
  /** Lets requests under way end, hands back leased runs, writes the counters, closes the store. */
  close(): Promise<void>
}

/**
 * The composition root: puts the ports to the outside world together. `overrides` replace single ports,
 * for tests; except `wake`, by which operations notify the runner.
 * @throws StoreUnusable, MasterKeyUnusable, RuntimeUnusable when a person has to fix something first
 */
export async function compose(config: Config, overrides: Partial<CorePorts> = {}): Promise<Abode> {
  const place = { uri: config.mongodbUri, folder: config.dataDir }
  const store: OpenedStore = overrides.store ?? (await openStore(place))
  try {
    const key = await masterKeyFor(store, config.masterKey, config.dataDir)
    const metrics = await openMetrics(config.metrics)
    const files = store.files ?? folderFiles(join(config.dataDir, 'files'))
    const { log = openLog({ level: config.logLevel }) } = overrides
    // Before anything starts timers, so that a start that fails here leaves none running.
    const runtimes = await openRuntimes(config)
    const meter = watchedMeter(metrics, log)
    store.watchedBy?.(meter)
    const space = overrides.space ?? (await spaceOf(store, config))
    const ports = portsOf(config, store, key, {
      meter,
      files,
      log,
      space,
      ...runtimes,
      ...overrides,
    })
    const loss = store.loss?.()
    if (loss) ports.log.error(lossInWords(loss), { ...loss })
    await takeOver(ports, store)
    return assemble(config, ports, metrics, () => meter.stop())
  } catch (cause) {
    await store.close()
    throw cause
  }
}

function assemble(
  config: Config,
  ports: WakingPorts,
  metrics: Metrics,
  unwatch: () => void,
): Abode {
  const draining = new AbortController()
  const streams = new Streams()
  const served = endingWaits(core(ports, streams), draining.signal)
  const doors = openDoors(ports, streams, (door) => metered(served, door, metrics))
  const intake = new Intake()
  const terms = doorTerms(ports, served, intake)
  const rest = metered(served, 'rest', metrics)
  const screens = eitherOf(paymentPages(ports, intake), peoplePages(ports, rest, intake))
  let guard: Guard | undefined
  const app = application({
    core: rest,
    log: ports.log,
    pages: pagesOf(doors, ports, config, metrics, terms),
    pageOf: eitherOf(agentPages(doors.agents, terms), mediaPages(ports), screens),
    isForPeople: (path) => path === claimWithoutCode || screens(path) !== undefined,
    intake,
    trustedProxies: config.trustedProxies,
    publicUrl: () => ports.settings.publicUrl,
    guard: () => guard,
    absentCommons: absentCommons(ports.settings),
    draining: draining.signal,
  })
  const answer = app.callback()
  const peers = addresses(config.trustedProxies)
  const server = listener(answer, defaultBounds, new Connections(answer, connectionBounds, peers))
  const work = startWork(ports, config.work, config.runnerConcurrency)
  return {
    core: served,
    ports,
    async listen() {
      const { port, address } = await server.listen(config.port, config.host)
      // Port 0 means any free port, known only now.
      if (config.publicUrl === undefined) ports.settings.publicUrl = addressOf(config.host, port)
      const { publicUrl } = ports.settings
      guard = isLoopback(address) ? localGuard(policiesFor(publicUrl), publicUrl) : undefined
      return { url: addressOf(config.host, port) }
    },
    facts: () => factsOf(config, ports.settings),
    mcp: doors.mcp,
    warmUp: () => warmUp(doors, ports),
    async close() {
      draining.abort()
      const streams = setTimeout(() => void doors.close(), streamsEndAfterMs)
      await server.close(requestsEndWithinMs)
      clearTimeout(streams)
      await doors.close()
      await work.stop()
      await intake.close()
      await closePorts(ports)
      unwatch()
    },
  }
}

function doorTerms(ports: WakingPorts, served: AdmittingCore, intake: Intake): DoorTerms {
  return {
    log: ports.log,
    core: served,
    intake,
    originPolicy: (origin) => policiesFor(ports.settings.publicUrl).originPolicy(origin),
    spent: (caller, address) => spentBy(ports, caller, address),
  }
}

function factsOf(config: Config, { version, publicUrl }: Ports['settings']): Omit<Facts, 'url'> {
  return {
    version,
    data: config.mongodbUri === undefined ? config.dataDir : withoutSecrets(config.mongodbUri),
    private_origins: config.outboundAllow,
    sign_up: config.signUp,
    mcp: connections(publicUrl, 'ab_…').mcp,
  }
}

/** One after the other, each in a turn of the event loop of its own, so that callers are answered in between. */
async function warmUp(doors: Doors, { clock, meter }: Ports): Promise<void> {
  const loads = [
    loadBodyParser,
    tryBodyParser,
    doors.a2a,
    // The card needs the library of the protocol, as do its methods.
    async () => (await doors.a2a()).card(undefined),
    doors.agents,
    doors.mcp,
  ]
  for (const load of loads) {
    await turnOf(clock)
    // So that the log of a held loop names the start as its cause.
    meter.began('warm_up')
    await load()
    meter.rested('warm_up')
  }
}

/** The store last: files may be in it. */
async function closePorts(ports: WakingPorts): Promise<void> {
  await ports.extractor.close()
  await ports.copyist.close()
  await ports.models.close()
  await ports.payments.close()
  await ports.facilitator?.close()
  await ports.sender.close()
  await ports.files.close()
  ports.space.close()
  await ports.store.close()
}

type PageOf = (path: string) => Page | undefined

function eitherOf(...all: readonly PageOf[]): PageOf {
  return (path) => {
    for (const pageOf of all) {
      const page = pageOf(path)
      if (page) return page
    }
    return undefined
  }
}

/** The pictures of agents; requests for them count as anonymous reads. */
function mediaPages(ports: Ports): PageOf {
  const { files, store } = ports
  const find = (id: string) => store.media.get(id)
  const count = (address: string) => admitted(ports, { subject: undefined, address })
  return (path) => {
    const id = mediaIdOfPath(path)
    return id === undefined ? undefined : mediaPage(id, { find, files, count })
  }
}

/** Everything that is served and is not an operation. */
function pagesOf(
  doors: Doors,
  ports: Ports,
  config: Config,
  metrics: Metrics,
  terms: DoorTerms,
): ReadonlyMap<string, Page> {
  const { settings, store } = ports
  const absence = absentCommons(settings)
  const none = absence && absentDoorPage(absence)
  const pages = new Map([
    ...documentPages(ports, doors),
    ['/mcp', doorPage(doors.mcp, terms)],
    ['/a2a', doorPage(doors.a2a, terms)],
    ['/api/commons/mcp', none ?? doorPage(doors.commonsMcp, terms)],
    ['/api/commons/a2a', none ?? doorPage(doors.commonsA2a, terms)],
  ])
  if (config.metrics) {
    metrics.gauge('abode_runs_queued', 'Runs that wait to be worked on.', () =>
      store.runs.count({ status: 'queued' }),
    )
    metrics.gauge(
      'abode_store_commits_missing',
      'Commits that were acknowledged and are gone, until a person has handled it.',
      () => store.loss?.()?.commits ?? 0,
    )
    pages.set('/metrics', metricsPage(metrics, config.metricsToken))
  }
  return pages
}
