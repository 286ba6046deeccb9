import { accountDoor } from '#src/core/authorization/paths.ts'
import { connections } from '#src/accounts/connections.ts'
import type { Door } from '#protocol/door.ts'
import { policiesFor } from '#protocol/policies.ts'
import { absentCommons } from '#src/core/commons/absence.ts'
import { streamBoundsOf, Streams } from '#src/core/admission/streams.ts'
import type { AdmittingCore } from '#src/core/door.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { core, type CorePorts } from '#src/core/call.ts'
import type { Ports } from '#src/core/context.ts'
import type { Log } from '#src/ports/log.ts'
import type { Loss } from '#src/ports/store.ts'
import { mediaIdOfPath } from '#src/agents/media/media.ts'
import { startWork } from '#src/work/work.ts'
import { versionOfPackage, withoutSecrets } from './about.ts'
import { agentPages } from './agents.ts'
import { oauthPages } from './authorization.ts'
import { documentPages } from './documents.ts'
import { admitted } from './admitted.ts'
import { openDoors, spentBy, type Doors } from './doors.ts'
import { paymentPages } from './payments.ts'
import { withFront } from './front.ts'
import { peoplePages } from './people.ts'
import { addressOf, type Config } from '#adapters/config/read.ts'
import type { Facts } from '#adapters/commands/greeting.ts'
import { loadBodyParser, tryBodyParser } from '#adapters/http/body.ts'
import { application } from '#adapters/http/application.ts'
import { absentDoorPage, doorPage, type DoorTerms } from '#adapters/http/doors.ts'
import { addresses, isLoopback } from '#adapters/http/address.ts'
import { connectionBoundsOf, Connections } from '#adapters/http/intake/connections.ts'
import { Budget, sharesOf } from '#adapters/http/intake/budget.ts'
import { Intake } from '#adapters/http/intake/intake.ts'
import { localGuard, type Guard } from '#adapters/http/credentials/local.ts'
import type { Page } from '#adapters/http/page.ts'
import { defaultBounds, listener, type Accepted } from '#adapters/http/server.ts'
import { mediaPage } from '#adapters/http/uploads/media-page.ts'
import { MasterKeyUnusable } from './master-key.ts'
import type { Figures } from '#adapters/metrics/counted.ts'
import { RuntimeUnusable } from '#adapters/shell/unusable.ts'
import { endingWaits, seenBy, watched } from './served.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { open, type Opened } from './opened.ts'
import { operatorOf, type Together } from './operator.ts'
import { rolesOf } from './paused.ts'
import type { WakingPorts } from './ports.ts'

/** How long requests, and before them streams, may continue once the process is to stop. */
const requestsEndWithinMs = 6000
const streamsEndAfterMs = 2000

export { MasterKeyUnusable, RuntimeUnusable, StoreUnusable }

/** Where a server listens. */
export interface Address {
  port: number
  /** As a number, not a name. */
  address: string
}

export interface Abode {
  core: AdmittingCore
  ports: CorePorts
  /** Starts accepting requests. @throws Error with `code` EADDRINUSE, EACCES, … */
  listen(): Promise<{ url: string }>
  /** Takes connections from now on that another process accepts at this address. */
  serve(address: Address): Accepted
  /** Listens where the operator has a port of their own, if they have. @throws as `listen` */
  listenForOperator(): Promise<void>
  /** Says from now on that it is not ready, and begins nothing by itself; requests are still answered. */
  drain(): void
  /** What this process counts and measures. */
  figures(): Promise<Figures>
  /** The facts of the greeting, known once the server listens. */
  facts(): Omit<Facts, 'url'>
  /** The MCP door, for a host that speaks to it without HTTP. */
  mcp(): Promise<Door>
  /** Loads what the first request of each kind would otherwise wait for. */
  warmUp(): Promise<void>
  /**
   * Begins nothing more, lets requests and runs under way end, hands back the runs that are left, writes the
   * counters, closes the store. @param graceMs how long runs may take to end
   * @param others until when the operator is answered, by what there is of this process
   */
  close(graceMs?: number, others?: Promise<void>): Promise<void>
}

/**
 * The composition root: puts the ports to the outside world together. `overrides` replace single ports,
 * for tests; except `wake`, by which operations notify the runner.
 * @param together given where other processes have told already how the store was found
 * @throws StoreUnusable, MasterKeyUnusable, RuntimeUnusable when a person has to fix something first
 */
export async function compose(
  config: Config,
  overrides: Partial<CorePorts> = {},
  together?: Together,
): Promise<Abode> {
  return assemble(config, await open(config, overrides, !together), together)
}

/**
 * Brings the store to this version as the start of any process does, so that those which follow find
 * nothing left to do. @throws as `compose`
 */
export async function prepare(config: Config, log: Log): Promise<Loss | undefined> {
  const opened = await open(config, { log }, true)
  const loss = opened.ports.store.loss?.()
  await opened.close()
  return loss
}

function assemble(config: Config, opened: Opened, together: Together | undefined): Abode {
  const { ports, metrics, traces } = opened
  const draining = new AbortController()
  const streams = new Streams(streamBoundsOf(config.processes))
  const served = endingWaits(core(ports, streams), draining.signal)
  const watching = { metrics, traces, log: config.logRequests ? ports.log : undefined }
  const doors = openDoors(ports, streams, (door) => watched(served, door, watching))
  const intake = new Intake(new Budget(sharesOf(config.processes)))
  const terms = doorTerms(ports, served, intake)
  const rest = watched(served, 'rest', watching)
  const screens = eitherOf(paymentPages(ports, intake), peoplePages(ports, rest, intake))
  const oauth = oauthPages(ports, rest, intake)
  const place = new Place(config, ports.settings)
  const own = rolesOf(config, ports.log)
  const operating = { opened, config, core: rest, intake, streams, own, together }
  const operator = operatorOf(operating, draining.signal)
  const app = application({
    core: rest,
    log: ports.log,
    pages: withFront(new Map([...pagesOf(doors, ports, terms), ...operator.pages]), screens),
    pageOf: eitherOf(agentPages(doors.agents, terms), mediaPages(ports), screens, oauth),
    intake,
    trustedProxies: config.trustedProxies,
    publicUrl: () => ports.settings.publicUrl,
    guard: () => place.guard,
    absentCommons: absentCommons(ports.settings),
    draining: draining.signal,
    ...seenBy(watching),
  })
  const server = listenerFor(app.callback(), config)
  const work = startWork(ports, own, config.runnerConcurrency)
  return {
    core: served,
    ports,
    listen: async () => place.at(await server.listen(config.port, config.host)),
    serve(address) {
      place.at(address)
      return server.serve()
    },
    listenForOperator: () => operator.listen(),
    drain() {
      operator.drain()
      work.rest()
    },
    figures: () => metrics.figures(),
    facts: () => factsOf(config, ports.settings.publicUrl),
    mcp: doors.mcp,
    warmUp: () => warmUp(doors, ports),
    async close(graceMs = 0, others = Promise.resolve()) {
      draining.abort()
      const runsEnd = work.settle(graceMs)
      await endRequests(doors, server)
      await runsEnd
      await work.stop()
      await others
      for (const last of [intake, operator, opened]) await last.close()
    },
  }
}

async function endRequests(doors: Doors, server: ReturnType<typeof listener>): Promise<void> {
  const streams = setTimeout(() => void doors.close(), streamsEndAfterMs)
  await server.close(requestsEndWithinMs)
  clearTimeout(streams)
  await doors.close()
}

function listenerFor(answer: ConstructorParameters<typeof Connections>[0], config: Config) {
  const bounds = connectionBoundsOf(config.processes)
  const peers = addresses(config.trustedProxies)
  return listener(answer, defaultBounds, new Connections(answer, bounds, peers))
}

/** Where the server is, known once it listens. */
class Place {
  readonly #config: Config
  readonly #settings: Ports['settings']
  /** Keeps web pages out of a server that listens on its own machine only. */
  guard: Guard | undefined

  constructor(config: Config, settings: Ports['settings']) {
    this.#config = config
    this.#settings = settings
  }

  at({ port, address }: Address): { url: string } {
    const url = addressOf(this.#config.host, port)
    // Port 0 means any free port, known only now.
    if (this.#config.publicUrl === undefined) this.#settings.publicUrl = url
    const { publicUrl } = this.#settings
    this.guard = isLoopback(address) ? localGuard(policiesFor(publicUrl), publicUrl) : undefined
    return { url }
  }
}

function doorTerms(ports: WakingPorts, served: AdmittingCore, intake: Intake): DoorTerms {
  return {
    log: ports.log,
    core: served,
    intake,
    originPolicy(origin) {
      const { publicUrl, browserOrigins } = ports.settings
      return policiesFor(publicUrl, browserOrigins).originPolicy(origin)
    },
    publicUrl: () => ports.settings.publicUrl,
    spent: (caller, address) => spentBy(ports, caller, address),
  }
}

/** The facts of the greeting of a server with this public URL. */
export function factsOf(config: Config, publicUrl: string): Omit<Facts, 'url'> {
  return {
    version: versionOfPackage(),
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

/** Everything that is served to callers and is not an operation. */
function pagesOf(doors: Doors, ports: Ports, terms: DoorTerms): [string, Page][] {
  const absence = absentCommons(ports.settings)
  const none = absence && absentDoorPage(absence)
  return [
    ...documentPages(ports, doors),
    ['/mcp', doorPage(doors.mcp, terms)],
    [accountDoor, doorPage(doors.mcp, { ...terms, signsIn: true })],
    ['/a2a', doorPage(doors.a2a, terms)],
    ['/api/commons/mcp', none ?? doorPage(doors.commonsMcp, terms)],
    ['/api/commons/a2a', none ?? doorPage(doors.commonsA2a, terms)],
  ]
}
