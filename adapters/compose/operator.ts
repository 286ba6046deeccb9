import type { AdmittingCore } from '#src/core/door.ts'
import type { Ports } from '#src/core/context.ts'
import { policiesFor } from '#protocol/policies.ts'
import { addressOf, type Config } from '#adapters/config/read.ts'
import { isLoopback } from '#adapters/http/address.ts'
import { application } from '#adapters/http/application.ts'
import { localGuard } from '#adapters/http/credentials/local.ts'
import type { Intake } from '#adapters/http/intake/intake.ts'
import { metricsPage } from '#adapters/http/metrics-page.ts'
import type { Page } from '#adapters/http/page.ts'
import { probePages, probesOf, type Readiness, type Reason } from '#adapters/http/probe-pages.ts'
import { listener } from '#adapters/http/server.ts'
import { measure } from './figures/figures.ts'
import { waitingRuns, type Waiting } from './figures/waiting.ts'
import type { Role } from '#src/core/settings.ts'
import type { Streams } from '#src/core/admission/streams.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'

/** What the operator is shown of. */
export interface Operating {
  opened: { ports: Ports; metrics: Metrics; store: OpenedStore }
  config: Config
  core: AdmittingCore
  intake: Intake
  streams: Streams
  /** What the process does. */
  own: readonly Role[]
  together: Together | undefined
}

/** A process that answers together with others, whose connections and figures another one shares out. */
export interface Together {
  /** The page for Prometheus of all of them. */
  page(): Promise<string>
  /** The names of those that are not ready. */
  missing(): readonly string[]
  /** What all of them do. */
  roles?: readonly Role[]
}

/** What the operator is answered: among other pages, and on a port of their own where they have one. */
export interface Operator {
  /** Health checks, and the metrics where they are shown to callers. */
  pages: [string, Page][]
  /** From now on the process says that it is not ready. */
  drain(): void
  /** Listens on that port, if there is one. @throws Error with `code` EADDRINUSE, EACCES, … */
  listen(): Promise<void>
  close(): Promise<void>
}

/** Answers the operator. @param stopping aborted when the process stops, whether or not it was drained before */
export function operatorOf(operating: Operating, stopping: AbortSignal): Operator {
  const { config, together } = operating
  const { ports } = operating.opened
  const { metrics, unmeasure } = shown(operating)
  let isDraining = false
  const look = looking(operating, () =>
    reasonsOf(ports, isDraining || stopping.aborted, together?.missing() ?? []),
  )
  const pages = probePages(look, false)
  if (config.metrics) pages.push(['/metrics', metricsPage(metrics, config.metricsToken)])
  const { listen, close } = listening(operating, metrics, probePages(look, true))
  return {
    pages,
    drain() {
      isDraining = true
    },
    listen,
    async close() {
      await Promise.all([close(), unmeasure()])
    },
  }
}

/** How long what a look has found of the store is told again. */
const freshMs = 1000

/** Looks how the process stands; at the store once a second at most, however many ask. */
function looking(
  { opened: { ports, store }, own, together }: Operating,
  reasonsNow: () => Promise<Reason[]>,
): () => Promise<Readiness> {
  let found: { at: number; backlog: Promise<Waiting | null> } | undefined
  return async () => {
    const reasons = await reasonsNow()
    const isAway = reasons.some(({ code }) => code === 'store_unavailable')
    const now = ports.clock.monotonic()
    if (!found || now - found.at > freshMs) {
      found = {
        at: now,
        backlog: isAway ? Promise.resolve(null) : waitingRuns(ports).catch(() => null),
      }
    }
    const backlog = await found.backlog
    const roles = together?.roles ?? own
    const facts = { store: isAway ? 'unavailable' : 'ok', form: store.form ?? null, roles, backlog }
    return { reasons, facts }
  }
}

async function reasonsOf(
  { store }: Ports,
  isDraining: boolean,
  missing: readonly string[],
): Promise<Reason[]> {
  const reasons: Reason[] = []
  if (isDraining) reasons.push({ code: 'draining', message: 'The process is to stop.' })
  if (!(await store.isHealthy())) {
    reasons.push({ code: 'store_unavailable', message: 'The store cannot be asked.' })
  }
  for (const name of missing) {
    reasons.push({ code: 'process_missing', message: `The process ${name} is being started.` })
  }
  return reasons
}

/** The metrics with what they show of the store, and of all processes where there are several. */
function shown({ opened, config, streams, own, together }: Operating): {
  metrics: Metrics
  unmeasure: () => Promise<void>
} {
  const { metrics } = opened
  if (!areCounted(config)) return { metrics, unmeasure: () => Promise.resolve() }
  const unmeasure = measure({ ...opened, config, own, streams })
  const all = together ? { ...metrics, text: () => together.page() } : metrics
  return { metrics: all, unmeasure }
}

/** Whether there is anyone to whom metrics are shown. */
export function areCounted({ metrics, admin }: Config): boolean {
  return metrics || admin !== undefined
}

function listening(
  operating: Operating,
  metrics: Metrics,
  probes: [string, Page][],
): Pick<Operator, 'listen' | 'close'> {
  const { config, core, intake, opened } = operating
  const { admin } = config
  if (!admin) return { listen: () => Promise.resolve(), close: () => Promise.resolve() }
  const url = addressOf(admin.host, admin.port)
  let isLocal = true
  const figures = metricsPage(metrics, admin.token, 'ABODE_ADMIN_TOKEN')
  const pages = new Map<string, Page>([...probes, ['/metrics', figures]])
  const app = application({
    core: { ...core, catalog: probesOf(core) },
    log: opened.ports.log,
    pages,
    intake,
    trustedProxies: [],
    publicUrl: () => url,
    guard: () => (isLocal ? localGuard(policiesFor(url), url) : undefined),
    draining: new AbortController().signal,
  })
  const server = listener(app.callback())
  let isListening = false
  return {
    async listen(): Promise<void> {
      const { address } = await server.listen(admin.port, admin.host)
      isLocal = isLoopback(address)
      isListening = true
    },
    close: () => (isListening ? server.close(0) : Promise.resolve()),
  }
}
