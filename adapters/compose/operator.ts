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
import { probePages, probesOf, type Reason } from '#adapters/http/probe-pages.ts'
import { listener } from '#adapters/http/server.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'

/** What the operator is shown of. */
export interface Operating {
  ports: Ports
  config: Config
  core: AdmittingCore
  metrics: Metrics
  intake: Intake
  state: {
    /** The process is to stop. */
    isDraining: boolean
    /** The names of processes of this server that are not ready. */
    missing(): readonly string[]
  }
}

/** Health checks, and the metrics where they are shown to callers. */
export function operatorPages(operating: Operating): [string, Page][] {
  const { config, metrics } = operating
  const pages = probePages(() => reasonsOf(operating))
  if (config.metrics) pages.push(['/metrics', metricsPage(metrics, config.metricsToken)])
  return pages
}

async function reasonsOf({ ports, state }: Operating): Promise<Reason[]> {
  const reasons: Reason[] = []
  if (state.isDraining) reasons.push({ code: 'draining', message: 'The process is to stop.' })
  if (!(await ports.store.isHealthy())) {
    reasons.push({ code: 'store_unavailable', message: 'The store does not answer.' })
  }
  for (const name of state.missing()) {
    reasons.push({ code: 'process_missing', message: `The process ${name} is being started.` })
  }
  return reasons
}

/** The metrics, with what they show of the store. */
export function measured(metrics: Metrics, { store }: Ports, config: Config): Metrics {
  if (!areCounted(config)) return metrics
  metrics.gauge('abode_runs_queued', 'Runs that wait to be worked on.', () =>
    store.runs.count({ status: 'queued' }),
  )
  metrics.gauge(
    'abode_store_commits_missing',
    'Commits that were acknowledged and are gone, until a person has handled it.',
    () => store.loss?.()?.commits ?? 0,
  )
  return metrics
}

/** Whether there is anyone to whom metrics are shown. */
export function areCounted({ metrics, admin }: Config): boolean {
  return metrics || admin !== undefined
}

/** The port of the operator, where there is one: health checks, and the metrics. */
export function operatorListener(operating: Operating) {
  const { config, core, ports, metrics, intake } = operating
  const { admin } = config
  if (!admin) return { listen: () => Promise.resolve(), close: () => Promise.resolve() }
  const url = addressOf(admin.host, admin.port)
  let isLocal = true
  const pages = new Map(probePages(() => reasonsOf(operating)))
  pages.set('/metrics', metricsPage(metrics, admin.token, 'ABODE_ADMIN_TOKEN'))
  const app = application({
    core: { ...core, catalog: probesOf(core) },
    log: ports.log,
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
