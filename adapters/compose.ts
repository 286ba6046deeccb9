import { connections } from '#src/accounts/connections.ts'
import { catalog } from '#src/catalog.ts'
import { policiesFor } from '#protocol/policies.ts'
import type { Door } from '#protocol/door.ts'
import type { A2aDoor } from '#protocol/a2a/options.ts'
import type { Sender } from '#protocol/admission.ts'
import { members } from '#src/commons/membership.ts'
import { isOfCommons, offered } from '#src/core/operation.ts'
import { withTrust } from '#src/core/commons/trust.ts'
import { core, type Core } from '#src/core/call.ts'
import type { Ports } from '#src/core/context.ts'
import { limiter } from '#src/core/limits.ts'
import { quotas } from '#src/core/quotas.ts'
import { sealer } from '#src/core/seal.ts'
import { waiting } from '#src/core/waiting.ts'
import type { Store } from '#src/ports/store.ts'
import { startWork, waking, type Waking } from '#src/work/work.ts'
import { indexOf, versionOfPackage, withoutSecrets } from './about.ts'
import { systemClock } from './clock/system.ts'
import { addressOf, type Config } from './config.ts'
import { loadBodyParser } from './http/body.ts'
import { application } from './http/application.ts'
import { doorPage } from './http/doors.ts'
import { metricsPage } from './http/metrics-page.ts'
import { cardPage, documentPage, type Page } from './http/page.ts'
import { listener } from './http/server.ts'
import { openLog } from './log/json.ts'
import { masterKeyFor, MasterKeyUnusable } from './master-key.ts'
import { openModels } from './model/models.ts'
import { openToolServers } from './model/tool-servers.ts'
import { openMetrics, type Door as MeteredDoor, type Metrics } from './metrics/metrics.ts'
import { openSender } from './sender/fetch.ts'
import { openRuntimes } from './shell/runtimes.ts'
import { RuntimeUnusable } from './shell/unusable.ts'
import { endingWaits, metered, ofCommons } from './served.ts'
import { openStore } from './store/open.ts'
import { StoreUnusable } from './store/unusable.ts'

const markdown = 'text/markdown; charset=utf-8'
/** How long requests may go on once the process is to stop, and streams before them. */
const requestsEndWithinMs = 6000
const streamsEndAfterMs = 2000

export { MasterKeyUnusable, RuntimeUnusable, StoreUnusable }

export interface Abode {
  core: Core
  ports: Ports
  /** Takes requests from now on. @throws Error with `code` EADDRINUSE, EACCES, … */
  listen(): Promise<{ url: string }>
  /** What there is to say of it, known once it listens. */
  facts(): { version: string; data: string; private_origins: readonly string[]; mcp: object }
  /** Loads what the first request of its kind would wait for. */
  warmUp(): Promise<void>
  /** Lets requests under way end, hands leased runs back, writes what is counted, closes the store. */
  close(): Promise<void>
}

/**
 * The composition root: what the outside world gives, put together. `overrides` replace single
 * ports, for tests; but for `wake`, which is how the runner hears of the operations.
 * @throws StoreUnusable, MasterKeyUnusable, RuntimeUnusable when a person has to put something
 * right first
 */
export async function compose(config: Config, overrides: Partial<Ports> = {}): Promise<Abode> {
  const place = { uri: config.mongodbUri, folder: config.dataDir }
  const store = overrides.store ?? (await openStore(place))
  try {
    const key = await masterKeyFor(store, config.masterKey, config.dataDir)
    const metrics = await openMetrics(config.metrics)
    const made = { meter: metrics, ...(await openRuntimes(config)), ...overrides }
    return assemble(config, portsOf(config, store, key, made), metrics)
  } catch (cause) {
    await store.close()
    throw cause
  }
}

type WakingPorts = Ports & { wake: Waking }

function portsOf(
  config: Config,
  store: Store,
  masterKey: Buffer,
  overrides: Partial<Ports> & Pick<Ports, 'meter' | 'shell' | 'containers'>,
): WakingPorts {
  const version = versionOfPackage()
  const { clock = systemClock } = overrides
  const { log = openLog({ level: config.logLevel }) } = overrides
  const userAgent = `Abode/${version}`
  const guarded = openSender({ allow: config.outboundAllow, userAgent })
  const limits = overrides.limiter ?? limiter(store, clock)
  return {
    waiting: waiting(clock),
    sealer: sealer(masterKey),
    quotas: quotas(store, limits, config.quotas),
    members: members({ store, clock, limiter: limits, limits: config.rateLimits }),
    settings: {
      publicUrl: config.publicUrl ?? addressOf(config.host, config.port),
      version,
      limits: config.rateLimits,
      quotas: config.quotas,
      proofOfWork: { bits: config.powBits, ttlSeconds: config.powTtlSeconds },
    },
    // The core, which remembers callers, puts its own in place of this.
    forgetCallers: () => undefined,
    catalog: withTrust(catalog, config.commonsTrust),
    sender: guarded,
    models: openModels({ ...config, guarded, operator: operatorsWay(config, userAgent) }),
    toolServers: openToolServers({ guarded, version }),
    ...overrides,
    store,
    clock,
    log,
    limiter: limits,
    wake: waking(),
  }
}

/** Where the operator has put the models may be anywhere; what agents name is guarded. */
function operatorsWay({ outboundAllow, openai }: Config, userAgent: string) {
  const allow = [...outboundAllow, new URL(openai.baseUrl).origin]
  return openSender({ allow, userAgent })
}

function assemble(config: Config, ports: WakingPorts, metrics: Metrics): Abode {
  const draining = new AbortController()
  const served = endingWaits(core(ports), draining.signal)
  const doors = openDoors(ports, (door) => metered(served, door, metrics))
  const app = application({
    core: metered(served, 'rest', metrics),
    log: ports.log,
    pages: pagesOf(doors, ports, config, metrics),
    trustedProxies: config.trustedProxies,
    publicUrl: () => ports.settings.publicUrl,
    draining: draining.signal,
  })
  const server = listener(app.callback())
  const work = startWork(ports, config.work, config.runnerConcurrency)
  return {
    core: served,
    ports,
    async listen() {
      const { port } = await server.listen(config.port, config.host)
      // Port 0 is any free one, known only now.
      if (config.publicUrl === undefined) ports.settings.publicUrl = addressOf(config.host, port)
      return { url: addressOf(config.host, port) }
    },
    facts: () => ({
      version: ports.settings.version,
      data: config.mongodbUri === undefined ? config.dataDir : withoutSecrets(config.mongodbUri),
      private_origins: config.outboundAllow,
      mcp: connections(ports.settings.publicUrl, 'ab_…').mcp,
    }),
    async warmUp() {
      await Promise.all([doors.mcp(), doors.a2a(), loadBodyParser()])
    },
    async close() {
      draining.abort()
      const streams = setTimeout(() => void doors.close(), streamsEndAfterMs)
      await server.close(requestsEndWithinMs)
      clearTimeout(streams)
      await doors.close()
      await work.stop()
      await ports.models.close()
      await ports.sender.close()
      await ports.store.close()
    },
  }
}

interface Doors {
  mcp: () => Promise<Door>
  a2a: () => Promise<A2aDoor>
  commonsMcp: () => Promise<Door>
  commonsA2a: () => Promise<A2aDoor>
  close: () => Promise<void>
}

/** The doors of agents stand on large libraries, so each is opened when it is first needed. */
function openDoors(ports: Ports, coreOf: (door: MeteredDoor) => Core): Doors {
  const { settings, store, clock, log, sealer } = ports
  const opened: Promise<Door>[] = []
  const once = <T extends Door>(open: () => Promise<T>): (() => Promise<T>) => {
    let door: Promise<T> | undefined
    return () => {
      if (!door) opened.push((door = open()))
      return door
    }
  }
  const common = () => ({
    name: 'abode',
    version: settings.version,
    publicUrl: settings.publicUrl,
    log,
    admit: (who: Sender) => admitted(ports, who),
    ...policiesFor(settings.publicUrl),
  })
  const operations = offered(ports.catalog).filter(isOfCommons)
  return {
    commonsMcp: once(async () => {
      const { mcpDoor } = await import('#protocol/mcp/door.ts')
      const facts = { ...common(), name: 'abode-commons', path: '/api/commons/mcp' }
      return mcpDoor({ ...facts, core: ofCommons(coreOf('mcp')), catalog: operations })
    }),
    commonsA2a: once(async () => {
      const { a2aDoor } = await import('#protocol/a2a/door.ts')
      const facts = { ...common(), name: 'Abode Commons', path: '/api/commons/a2a' }
      const core = ofCommons(coreOf('a2a'))
      return a2aDoor({ ...facts, core, operations, store, clock, sealer })
    }),
    mcp: once(async () => {
      const { mcpDoor } = await import('#protocol/mcp/door.ts')
      return mcpDoor({ ...common(), core: coreOf('mcp'), path: '/mcp' })
    }),
    a2a: once(async () => {
      const { a2aDoor } = await import('#protocol/a2a/door.ts')
      // People read its card, as they do the index.
      const facts = { ...common(), name: 'Abode', path: '/a2a' }
      return a2aDoor({ ...facts, core: coreOf('a2a'), store, clock, sealer })
    }),
    async close() {
      // A door that could not be opened has nothing to close, and has said so when it was asked for.
      await Promise.allSettled(opened.map(async (door) => (await door).close()))
    },
  }
}

/** What is no operation counts as a read; nothing where reads have no limit. */
function admitted({ settings, limiter }: Ports, { subject, address }: Sender) {
  const name = subject === undefined ? 'anonymous_reads' : 'keyed_reads'
  const limit = settings.limits[name]
  return limit ? limiter.take(name, limit, subject ?? address) : undefined
}

/** Everything that is served and is no operation. */
function pagesOf(
  doors: Doors,
  { catalog, settings, store }: Ports,
  config: Config,
  metrics: Metrics,
): ReadonlyMap<string, Page> {
  const isFriend = (origin: string): boolean => policiesFor(settings.publicUrl).originPolicy(origin)
  const contract = async (): Promise<string> => {
    const { openapi } = await import('#src/documents/openapi.ts')
    return JSON.stringify(openapi(catalog, settings.publicUrl))
  }
  const skill = async (): Promise<string> => {
    const { commonsSkill } = await import('#src/documents/commons-skill.ts')
    return commonsSkill(catalog, settings)
  }
  const errors = async (): Promise<string> => {
    const { commonsErrorsPage } = await import('#src/documents/commons-errors.ts')
    return commonsErrorsPage()
  }
  const pages = new Map([
    ['/', documentPage(async () => JSON.stringify(indexOf(settings)))],
    ['/openapi.agent.json', documentPage(contract)],
    ['/commons/skill.md', documentPage(skill, markdown)],
    ['/commons/errors.md', documentPage(errors, markdown)],
    ['/mcp', doorPage(doors.mcp, isFriend)],
    ['/a2a', doorPage(doors.a2a, isFriend)],
    ['/api/commons/mcp', doorPage(doors.commonsMcp, isFriend)],
    ['/api/commons/a2a', doorPage(doors.commonsA2a, isFriend)],
    [
      '/.well-known/agent-card.json',
      cardPage(async (version) => (await doors.commonsA2a()).card(version)),
    ],
    [
      '/a2a/.well-known/agent-card.json',
      cardPage(async (version) => (await doors.a2a()).card(version)),
    ],
    [
      '/.well-known/jwks.json',
      documentPage(async () => JSON.stringify((await doors.a2a()).keySet())),
    ],
  ])
  if (config.metrics) {
    metrics.gauge('abode_runs_queued', 'Runs that wait to be worked on.', () =>
      store.runs.count({ status: 'queued' }),
    )
    pages.set('/metrics', metricsPage(metrics, config.metricsToken))
  }
  return pages
}
