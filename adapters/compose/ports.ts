import { invitations } from '#src/accounts/guests.ts'
import { catalog } from '#src/catalog.ts'
import { collections } from '#src/collections.ts'
import { effects } from '#src/effects.ts'
import { alsoCommitted } from '#src/also.ts'
import { withEffects, type Effect } from '#src/core/effects.ts'
import { withLargeValues } from '#src/core/large/store.ts'
import { networkUsed } from '#src/accounts/networks.ts'
import { consequencesOf } from '#src/consequences.ts'
import { removalOf } from '#src/departures/agent.ts'
import { members } from '#src/commons/membership.ts'
import { withoutCommons } from '#src/core/commons/absence.ts'
import { withTrust } from '#src/core/commons/trust.ts'
import type { Ports } from '#src/core/context.ts'
import { limiter } from '#src/core/admission/limits.ts'
import type { CorePorts } from '#src/core/call.ts'
import { quotas } from '#src/core/counts/quotas.ts'
import { sealer } from '#src/core/seal.ts'
import type { Settings } from '#src/core/settings.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { waiting } from '#src/core/listeners.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Space } from '#src/ports/space.ts'
import type { Store } from '#src/ports/store.ts'
import type { Facilitator } from '#src/ports/x402.ts'
import { isTakenOver, settingsTakenOver } from '#src/work/take-over.ts'
import { areMarksTakenOver, marksTakenOver } from '#src/work/marks-taken-over.ts'
import { areOriginsTakenOver, originsTakenOver } from '#src/work/origins-taken-over.ts'
import { waking, type Waking } from '#src/work/work.ts'
import { versionOfPackage } from './about.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { shippedReport } from './conformance-report.ts'
import { openCopyist } from '#adapters/threads/copyist/copyist.ts'
import { openPayments, toldTo } from './payments.ts'
import { addressOf, type Config } from '#adapters/config/read.ts'
import { openExtractor } from '#adapters/extractor/extractor.ts'
import { openImages } from '#adapters/images/images.ts'
import { openMailer } from '#adapters/mail/mailer.ts'
import { openModels } from '#adapters/model/models.ts'
import { pricesOf } from '#adapters/model/prices.ts'
import { openOAuth } from '#adapters/oauth/oauth.ts'
import { openProviders } from '#adapters/oauth/providers.ts'
import { openToolServers } from '#adapters/model/tool-servers.ts'
import { openFacilitator } from '#adapters/payments/x402/facilitator.ts'
import { openSchemas } from '#adapters/threads/schemas/schemas.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { tracedSender } from '#adapters/traces/sender.ts'
import { tracedStore } from '#adapters/traces/store.ts'
import type { OpenedTraces } from '#adapters/traces/opened.ts'
import { diskOf, watchSpace } from '#adapters/store/space/watch.ts'

/** The space of the store's disk; nothing is known if the database server does not report it. */
export function spaceOf(
  store: OpenedStore,
  { mongodbUri, dataDir, diskReserve }: Config,
): Promise<Space> {
  const folder = mongodbUri === undefined ? () => diskOf(dataDir) : async () => undefined
  return watchSpace({ look: store.disk ?? folder, reserve: diskReserve, clock: systemClock })
}

/** Migrates a store of an older version, before any request is served from it. */
export async function takeOver(ports: Ports, store: OpenedStore): Promise<void> {
  await takeOverSettings(ports, store)
  await takeOverOrigins(ports, store)
  if (await areMarksTakenOver(store)) return
  const documents = await marksTakenOver(ports)
  if (documents > 0) ports.log.info('what others wrote is marked now', { documents })
}

async function takeOverOrigins(ports: Ports, store: OpenedStore): Promise<void> {
  if (await areOriginsTakenOver(store)) return
  const agents = await originsTakenOver(ports)
  if (agents > 0) ports.log.info('secrets have the origins that tasks name now', { agents })
}

async function takeOverSettings(ports: Ports, store: OpenedStore): Promise<void> {
  if (await isTakenOver(store)) return
  const work = (): Promise<number> => settingsTakenOver(ports)
  const count = await (store.wiping ? store.wiping(work) : work())
  if (count > 0) {
    ports.log.info('secrets that were stored in plain text are sealed now', { documents: count })
  }
}

/** The ports, with the one way to wake background work. */
export type WakingPorts = CorePorts & { wake: Waking }
/** Ports that are made before the others. */
type Made = Pick<Ports, 'meter' | 'files' | 'log' | 'space' | 'shell' | 'containers'> & {
  traces: OpenedTraces
}

/** The store that keeps large values once, whose commits have their effects, and are told to those who follow an account. */
function actingStore(store: Store, traces: OpenedTraces, clock: Clock, ports: () => Ports): Store {
  // What is woken works for others too.
  const apart = effects.map(
    (effect): Effect =>
      (with_, writes) =>
        traces.apart(() => effect(with_, writes)),
  )
  const all = traces.isOn ? apart : effects
  const acting = withEffects(tracedStore(store, traces), all, ports, (writes) =>
    alsoCommitted(writes, clock.now()),
  )
  return withLargeValues(acting, collections, ports)
}

/** The ports of operations; `overrides` replace those that were made before. */
export function portsOf(
  config: Config,
  store: Store,
  masterKey: Buffer,
  overrides: Partial<CorePorts> & Made,
): WakingPorts {
  const version = versionOfPackage()
  const { clock = systemClock, traces } = overrides
  const userAgent = `Abode/${version}`
  const guarded = tracedSender(openSender({ allow: config.outboundAllow, userAgent }), traces)
  const limits = overrides.limiter ?? limiter(store, clock)
  const settings = settingsOf(config, version)
  const offeredHere = config.hasCommons ? catalog : withoutCommons(catalog)
  const at = { store, clock, limiter: limits, limits: config.rateLimits }
  const around = { store, clock, publicUrl: () => settings.publicUrl, tell: toldTo(() => ports) }
  const ports: WakingPorts = {
    waiting: waiting(clock),
    sealer: sealer(masterKey),
    quotas: quotas(store, limits, config.quotas, clock, overrides.space),
    members: members({ ...at, moderators: config.moderators }),
    invitations: invitations({ ...at, signUp: settings.signUp }),
    settings,
    payments: openPayments(config, around),
    facilitator: facilitatorOf(config, userAgent, traces),
    conformance: shippedReport,
    // The core, which caches callers, puts its own in this place.
    forgetCallers: () => undefined,
    catalog: withSignUp(withTrust(offeredHere, config.commonsTrust), settings.signUp),
    sender: guarded,
    oauth: openOAuth(guarded),
    providers: openProviders(tracedSender(providersWay(config, userAgent), traces)),
    messengers: tracedSender(servicesWay(config, userAgent), traces),
    mailer: config.mail ? openMailer(config.mail) : null,
    models: openModels({
      ...config,
      guarded,
      operator: tracedSender(operatorsWay(config, userAgent), traces),
    }),
    toolServers: openToolServers({ guarded, version, trace: () => traces.headers() }),
    extractor: openExtractor(),
    images: openImages(),
    schemas: openSchemas(clock),
    consequencesOf,
    removalOf,
    networkUsed,
    copyist: openCopyist({ desk: new URL('../../src/agents/copies/desk.ts', import.meta.url) }),
    ...overrides,
    store: actingStore(store, traces, clock, () => ports),
    clock,
    limiter: limits,
    wake: waking(),
  }
  return ports
}

/** What operations may read of the configuration. */
function settingsOf(config: Config, version: string): Settings {
  return {
    publicUrl: config.publicUrl ?? addressOf(config.host, config.port),
    version,
    limits: config.rateLimits,
    quotas: config.quotas,
    retention: config.retention,
    runSeconds: config.runSeconds,
    modelPrices: pricesOf(config.modelPrices ?? {}, config.openai),
    proofOfWork: { bits: config.powBits, ttlSeconds: config.powTtlSeconds },
    x402: config.x402,
    signUp: { mode: config.signUp, contact: config.contact },
    signIn: config.signIn,
    moderators: config.moderators,
    hasCommons: config.hasCommons,
    channelServices: config.channelServices,
    browserOrigins: config.browserOrigins,
    oauthClients: config.oauthClients,
    vapidKey: config.vapidKey,
  }
}

/** It may be on this machine, as the operator has named it. */
function facilitatorOf(
  { x402, outboundAllow }: Config,
  userAgent: string,
  traces: OpenedTraces,
): Facilitator | null {
  if (!x402) return null
  const allow = [...outboundAllow, new URL(x402.facilitator).origin]
  const sender = tracedSender(openSender({ allow, userAgent }), traces)
  return openFacilitator({ url: x402.facilitator, sender })
}

/** The operator may put the providers of sign-in anywhere, too. */
function providersWay({ outboundAllow, signIn }: Config, userAgent: string) {
  const issuers = signIn.providers.map(({ issuer }) => new URL(issuer).origin)
  return openSender({ allow: [...outboundAllow, ...issuers], userAgent })
}

/** The operator may put the services of channels anywhere, too. */
function servicesWay({ outboundAllow, channelServices }: Config, userAgent: string) {
  const services = Object.values(channelServices).map((url) => new URL(url).origin)
  return openSender({ allow: [...outboundAllow, ...services], userAgent })
}

/** The operator may put the models anywhere; addresses that agents name are guarded. */
function operatorsWay({ outboundAllow, openai }: Config, userAgent: string) {
  const allow = [...outboundAllow, new URL(openai.baseUrl).origin]
  return openSender({ allow, userAgent })
}
