import { noTraces } from '#src/ports/traces/traces.ts'
import { systemClock } from '#adapters/clock/system.ts'
import { shippedReport } from '#adapters/compose/conformance-report.ts'
import { openCopyist } from '#adapters/threads/copyist/copyist.ts'
import { openSchemas } from '#adapters/threads/schemas/schemas.ts'
import { openExtractor } from '#adapters/extractor/extractor.ts'
import { openImages } from '#adapters/images/images.ts'
import { defaultRetention } from '#adapters/config/retention.ts'
import { defaultRunSeconds } from '#adapters/config/run-seconds.ts'
import { testPrices } from '#adapters/payments/test/prices.ts'
import { openTestPayments } from '#adapters/payments/test/provider.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { openOAuth } from '#adapters/oauth/oauth.ts'
import { openProviders } from '#adapters/oauth/providers.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { invitations } from '#src/accounts/guests.ts'
import { catalog } from '#src/catalog.ts'
import { alsoCommitted } from '#src/also.ts'
import { collections } from '#src/collections.ts'
import { effects } from '#src/effects.ts'
import { withEffects } from '#src/core/effects.ts'
import { withLargeValues } from '#src/core/large/store.ts'
import { networkUsed } from '#src/accounts/networks.ts'
import { consequencesOf } from '#src/consequences.ts'
import { removalOf } from '#src/departures/agent.ts'
import { members } from '#src/commons/membership.ts'
import type { TrustLevel } from '#src/core/admission/caller.ts'
import { withTrust } from '#src/core/commons/trust.ts'
import type { Core } from '#src/core/door.ts'
import { core, type CorePorts } from '#src/core/call.ts'
import type { Ports } from '#src/core/context.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import { limiter, type LimitTable } from '#src/core/admission/limits.ts'
import type { Retention } from '#src/core/counts/retention.ts'
import type { ChannelServices, RunSeconds } from '#src/core/settings.ts'
import type { QuotaTable } from '#src/core/counts/quota-table.ts'
import { quotas } from '#src/core/counts/quotas.ts'
import { sealer } from '#src/core/seal.ts'
import type { ModelPrices } from '#src/core/spend/prices.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import { byPassword, type SignIn, type X402Terms } from '#src/core/settings.ts'
import { openSignUp, type SignUp } from '#src/core/admission/sign-up-mode.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { waiting } from '#src/core/listeners.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Containers } from '#src/ports/containers.ts'
import type { Extractor } from '#src/ports/extractor.ts'
import type { Files } from '#src/ports/files.ts'
import type { Images } from '#src/ports/images.ts'
import type { Log } from '#src/ports/log.ts'
import type { Mailer } from '#src/ports/mail/mailer.ts'
import type { Models } from '#src/ports/model.ts'
import type { OAuth, Providers } from '#src/ports/oauth.ts'
import type { Payments } from '#src/ports/payments.ts'
import type { Sender } from '#src/ports/sender.ts'
import { endlessSpace, type Space } from '#src/ports/space.ts'
import type { Shell } from '#src/ports/shell.ts'
import type { ToolServers } from '#src/ports/tool-server.ts'
import type { Facilitator } from '#src/ports/x402.ts'
import { waking, type Waking } from '#src/work/work.ts'
import { memoryFiles } from './kept-files.ts'
import { modelsOf, toolServersOf } from './models.ts'

const all = {
  agents: Infinity,
  apps: Infinity,
  runs_a_day: Infinity,
  stored_bytes: Infinity,
  concurrent_runs: Infinity,
  queued_runs: Infinity,
  held_runs: Infinity,
  paid_calls_hour: Infinity,
}
export const noQuotas: QuotaTable = {
  unclaimed: all,
  claimed: all,
}

/** Services of channels at which nothing listens. */
const noServices: ChannelServices = {
  slack: 'https://slack.invalid',
  discord: 'https://discord.invalid',
  telegram: 'https://telegram.invalid',
}

/** A log that drops everything. */
export const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

export interface WorldOptions {
  log?: Log
  clock?: Clock
  /** By default there is always enough. */
  space?: Space
  /** By default next to the documents where the store keeps files, else in memory. */
  files?: Files
  images?: Images
  /** By default the one that is served with; it lets the process end. */
  extractor?: Extractor
  sender?: Sender
  /** By default one that reaches no private address, and services that are nowhere. */
  messengers?: Sender
  channelServices?: ChannelServices
  /** By default one that reaches no private address. */
  oauth?: OAuth
  /** By default the test provider, with its own prices. */
  payments?: Payments
  /** By default none is configured. */
  mailer?: Mailer
  /** By default none is configured. */
  models?: Models
  toolServers?: ToolServers
  shell?: Shell
  containers?: Containers
  limits?: LimitTable
  quotas?: QuotaTable
  retention?: Retention
  runSeconds?: RunSeconds
  /** By default no model has one. */
  modelPrices?: ModelPrices
  powBits?: number
  commonsTrust?: ReadonlyMap<string, TrustLevel>
  x402?: X402Terms
  /** The handles of those who moderate the Commons; a test may add to it. */
  moderators?: Set<string>
  /** By default anybody gets an account. */
  signUp?: SignUp
  /** By default by password alone. */
  signIn?: SignIn
  /** By default those that are on no private address. */
  providers?: Providers
  facilitator?: Facilitator
  /** By default the one that is shipped. */
  conformance?: Ports['conformance']
}

/** The core on a store with nothing around it: no door, no loop unless a test starts one. */
export interface World {
  ports: CorePorts & { wake: Waking }
  core: Core
  /** The answer's value; fails the test on a refusal. */
  ask<T = Record<string, never>>(
    name: string,
    input: unknown,
    credential?: string | SentSession,
  ): Promise<T>
  /** The error object of the refusal; fails the test on an answer. */
  refusal(name: string, input: unknown, credential?: string | SentSession): Promise<ErrorObject>
  /** A new account and its key. */
  account(): Promise<{ key: string; id: string }>
}

export function openWorld(store: OpenedStore, options: WorldOptions = {}): World {
  const clock = options.clock ?? systemClock
  const limiting = limiter(store, clock)
  const table = options.quotas ?? noQuotas
  const publicUrl = 'http://127.0.0.1:8080'
  const signUp = options.signUp ?? openSignUp
  const at = { store, clock, limiter: limiting, limits: options.limits ?? {} }
  const { moderators = new Set<string>() } = options
  const atTestProvider = { store, clock, prices: testPrices, currency: 'usd' }
  const ports: World['ports'] = {
    store: withLargeValues(
      withEffects(
        store,
        effects,
        () => ports,
        (writes) => alsoCommitted(writes, clock.now()),
      ),
      collections,
      () => ports,
    ),
    space: options.space ?? endlessSpace,
    files: options.files ?? store.files ?? memoryFiles(),
    images: options.images ?? openImages(),
    extractor: options.extractor ?? openExtractor(),
    schemas: openSchemas(clock),
    consequencesOf,
    removalOf,
    networkUsed,
    copyist: openCopyist({ desk: new URL('../../src/agents/copies/desk.ts', import.meta.url) }),
    clock,
    log: options.log ?? silent,
    mailer: options.mailer ?? null,
    models: options.models ?? modelsOf(),
    toolServers: options.toolServers ?? toolServersOf(),
    shell: options.shell ?? null,
    containers: options.containers ?? null,
    messengers: options.messengers ?? openSender({ allow: [], userAgent: 'abode-tests' }),
    sender: options.sender ?? openSender({ allow: [], userAgent: 'abode-tests' }),
    oauth: options.oauth ?? openOAuth(openSender({ allow: [], userAgent: 'abode-tests' })),
    providers:
      options.providers ?? openProviders(openSender({ allow: [], userAgent: 'abode-tests' })),
    payments:
      options.payments ?? openTestPayments({ ...atTestProvider, publicUrl: () => publicUrl }),
    facilitator: options.facilitator ?? null,
    wake: waking(),
    waiting: waiting(clock),
    meter: {
      runEnded: () => undefined,
      purged: () => undefined,
      slotsTaken: () => undefined,
      leaseExpired: () => undefined,
      began: () => undefined,
      rested: () => undefined,
      during: (_, does) => does(),
    },
    traces: noTraces,
    sealer: sealer(Buffer.alloc(32, 7)),
    limiter: limiting,
    quotas: quotas(store, limiting, table, clock, options.space),
    members: members({ ...at, moderators }),
    invitations: invitations({ ...at, signUp }),
    settings: {
      publicUrl,
      version: '0.0.0',
      limits: options.limits ?? {},
      quotas: table,
      retention: options.retention ?? defaultRetention,
      runSeconds: options.runSeconds ?? defaultRunSeconds,
      modelPrices: options.modelPrices ?? new Map(),
      // Work enough to be told from none.
      proofOfWork: { bits: options.powBits ?? 2, ttlSeconds: 600 },
      x402: options.x402,
      moderators,
      signUp,
      signIn: options.signIn ?? byPassword,
      hasCommons: true,
      channelServices: options.channelServices ?? noServices,
      browserOrigins: [],
      oauthClients: [],
      vapidKey: undefined,
    },
    conformance: options.conformance ?? shippedReport,
    forgetCallers: () => undefined,
    catalog: withSignUp(withTrust(catalog, options.commonsTrust ?? new Map()), signUp),
  }
  const made = core(ports)
  return { ports, core: made, ...askerOf(made) }
}

/** Calls operations of a core by name. */
export function askerOf(made: Core): Pick<World, 'ask' | 'refusal' | 'account'> {
  const call = (name: string, input: unknown, sent?: string | SentSession) => {
    const operation = made.catalog.find((op) => op.name === name)
    if (!operation) throw new Error(`there is no operation ${name}`)
    const who = typeof sent === 'object' ? { session: sent } : {}
    const credential = typeof sent === 'string' ? sent : undefined
    const from = { credential, ...who, address: '127.0.0.0/24', requestId: 'test' }
    return made.serve({ operation, input, ...from })
  }
  const ask: World['ask'] = async (name, input, credential) => {
    const outcome = await call(name, input, credential)
    if (outcome.refusal) throw outcome.refusal
    // The test says what it expects of the operation's answer.
    return JSON.parse(outcome.answer.text) as never
  }
  return {
    ask,
    async refusal(name, input, credential) {
      const outcome = await call(name, input, credential)
      if (outcome.answer) throw new Error(`${name} was not refused: ${outcome.answer.text}`)
      return outcome.refusal.toObject('test')
    },
    async account() {
      const { api_key } = await ask<{ api_key: string }>('agent_claim.create', {})
      const { id } = await ask<{ id: string }>('account.get', {}, api_key)
      return { key: api_key, id }
    },
  }
}
