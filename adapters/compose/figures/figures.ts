import type { Ports } from '#src/core/context.ts'
import type { Streams } from '#src/core/admission/streams.ts'
import { roles, type Role } from '#src/core/settings.ts'
import type { Config } from '#adapters/config/read.ts'
import type { Metrics } from '#adapters/metrics/counted.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { backlogFigures } from './backlogs.ts'
import { startLooking } from './look.ts'
import { placeFigures } from './places.ts'
import { runFigures } from './runs.ts'

/** What is measured besides what happens. */
export interface Measured {
  metrics: Metrics
  ports: Ports
  store: OpenedStore
  config: Config
  /** What the process does. */
  own: readonly Role[]
  streams: Streams
}

/** Shows what the process is, has open and finds in the store, until the returned function is called. */
export function measure(measured: Measured): () => Promise<void> {
  const { metrics, ports, store, config, streams } = measured
  tellOfProcess(measured)
  metrics.gauge(
    'abode_store_commits_missing',
    'Commits that were acknowledged and are gone, until a person has handled it.',
    () => store.loss?.()?.commits ?? 0,
  )
  const open = 'Streams and waits of callers that are open.'
  metrics.gauge('abode_streams', open, () => streams.size, 'sum')
  const waited = 'Runs, queues and the like that someone waits for here.'
  metrics.gauge('abode_waited_for', waited, () => ports.waiting.keys().length, 'sum')
  const folder = config.mongodbUri === undefined ? config.dataDir : undefined
  const looks = [runFigures(metrics), backlogFigures(metrics), placeFigures(metrics, folder)]
  return startLooking(looks, { store, clock: ports.clock, log: ports.log })
}

function tellOfProcess({ metrics, ports, config, own }: Measured): void {
  const build = { version: ports.settings.version, node: process.version }
  metrics.facts({
    name: 'abode_build_info',
    help: 'The version of the server and of Node; always 1.',
    labels: ['version', 'node'],
    first: [build],
    over: 'max',
  })(build, 1)
  const tell = metrics.facts({
    name: 'abode_role_processes',
    help: 'How many processes do what a role names.',
    labels: ['role'],
    first: roles.map((role) => ({ role })),
    over: 'sum',
  })
  for (const role of own) tell({ role }, 1)
  const slots = own.includes('runner') ? config.runnerConcurrency : 0
  metrics.gauge('abode_slots', 'Runs that workers can work on at once.', () => slots, 'sum')
}
