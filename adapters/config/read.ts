import type { TrustLevel } from '#src/core/admission/caller.ts'
import type { LimitTable } from '#src/core/admission/limits.ts'
import type { Retention } from '#src/core/counts/retention.ts'
import type { QuotaTable } from '#src/core/counts/quota-table.ts'
import { tracesOf } from './traces.ts'
import { quotasUnder } from './limits.ts'
import {
  byPassword,
  type ChannelServices,
  type RegisteredProgram,
  type Role,
  type MailSettings,
  type RunSeconds,
  type SignIn,
  type TraceSettings,
  type X402Terms,
} from '#src/core/settings.ts'
import type { SignUpMode } from '#src/core/admission/sign-up-mode.ts'
import type { Price } from '#src/ports/payments.ts'
import type { PriceTable } from '#src/core/spend/prices.ts'
import type { Setting, SettingText } from './kinds.ts'
import { keysOf, type BackupPlace, type BucketAccess } from './backup.ts'
import { missingOf } from './pairs.ts'
import { unknownNames, unreadable, withSecretFiles } from './names.ts'
import { table, type logLevels } from './table.ts'
import { Wrong, type Mistake, type ModelName } from './values.ts'

/** The operator's settings, checked. Absent members are not configured. */
export interface Config {
  port: number
  host: string
  /** Without a final slash. If absent, `addressOf` where the server then listens. */
  publicUrl: string | undefined
  /** An absolute path. */
  dataDir: string
  mongodbUri: string | undefined
  /** 32 bytes; if absent, the key is kept in a file of the data folder. */
  masterKey: Buffer | undefined
  work: readonly Role[]
  /** How many processes answer; with one it is alone. */
  processes: number
  runnerConcurrency: number
  /** Networks in CIDR notation. */
  trustedProxies: readonly string[]
  outboundAllow: readonly string[]
  browserOrigins: readonly string[]
  rateLimits: LimitTable
  /** Infinity means no limit. */
  quotas: QuotaTable
  /** Bytes; if absent, it follows the size of the disk. */
  diskReserve: number | undefined
  /** Infinity means that it is kept forever. */
  retention: Retention
  runSeconds: RunSeconds
  /** If absent, the difficulty follows the rate of sign-ups. */
  powBits: number | undefined
  powTtlSeconds: number
  /** Trust level by name of operation. */
  commonsTrust: ReadonlyMap<string, TrustLevel>
  /** Handles, without their @. */
  moderators: ReadonlySet<string>
  /** Programs that may ask persons for access without registering themselves. */
  oauthClients: RegisteredProgram[]
  signUp: SignUpMode
  signIn: SignIn
  /** Either the server and the address, or neither. */
  mail: MailSettings | undefined
  channelServices: ChannelServices
  hasCommons: boolean
  /** An e-mail address or a URL. */
  contact: string | undefined
  vapidKey: string | undefined
  defaultModel: ModelName | undefined
  embeddingModel: ModelName | undefined
  x402: X402Terms | undefined
  /** Whether parts are loaded before they are asked for. */
  warmUp: boolean
  logLevel: LogLevel
  metrics: boolean
  metricsToken: string | undefined
  /** Where traces are sent; undefined if nowhere. */
  traces: TraceSettings | undefined
  /** Whether each call of an operation has a line in the log. */
  logRequests: boolean
  /** How long requests are still taken once the process is to stop. */
  drainSeconds: number
  graceSeconds: number
  /** A second place to listen, for the operator alone. */
  admin: { port: number; host: string; token: string | undefined } | undefined
  /** Where the server backs its store up to, how often, and how many of the newest stay. */
  backup: { to: BackupPlace | undefined; hours: number; keep: number }
  /** How buckets are reached, for backups. */
  bucketAccess: BucketAccess
  shellRuntime: boolean
  /** The path of the operator's program. */
  containerRuntime: string | undefined
  /** What models cost, before the shipped prices. */
  modelPrices: PriceTable | undefined
  /** Prices of the built-in provider; if absent, it has a set of its own. */
  prices: readonly Price[] | undefined
  openai: { apiKey: string | undefined; baseUrl: string }
  anthropic: { apiKey: string | undefined }
  /** Either both secrets, or neither. */
  stripe: { secretKey: string | undefined; webhookSecret: string | undefined; apiBase: string }
}

export type LogLevel = (typeof logLevels)[number]

/** Everything that is wrong with an environment: one line for each fault, safe to show. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Every setting, in the order of the documentation. */
export const settings: readonly ({ name: string } & SettingText)[] = Object.entries(table).map(
  ([name, setting]) => ({
    name,
    default: setting.default,
    unit: setting.unit,
    meaning: setting.meaning,
  }),
)

const secrets = Object.entries<Setting<unknown>>(table)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)

type Values = { [N in keyof typeof table]: (typeof table)[N]['fallback'] }
const typed: { [N in keyof Values]: Setting<Values[N]> } = table

/**
 * The settings of an environment. Nothing is trimmed or guessed: an empty value is a fault too.
 * @throws ConfigFaults
 */
export function readConfig(given: Record<string, string | undefined>): Config {
  const faults = unknownNames(given, Object.keys(table), secrets)
  const env = withSecretFiles(given, secrets, faults)
  const get = <N extends keyof Values>(name: N): Values[N] =>
    valueOf(name, typed[name], env[name], faults)

  const config: Config = {
    port: get('PORT'),
    host: get('HOST'),
    publicUrl: get('PUBLIC_URL'),
    dataDir: get('DATA_DIR'),
    mongodbUri: get('MONGODB_URI'),
    masterKey: get('ABODE_MASTER_KEY'),
    work: get('ABODE_WORK'),
    processes: get('ABODE_PROCESSES'),
    runnerConcurrency: get('ABODE_RUNNER_CONCURRENCY'),
    runSeconds: get('ABODE_RUN_SECONDS'),
    trustedProxies: get('ABODE_TRUSTED_PROXIES'),
    outboundAllow: get('ABODE_OUTBOUND_ALLOW'),
    browserOrigins: get('ABODE_BROWSER_ORIGINS'),
    rateLimits: get('ABODE_RATE_LIMITS'),
    quotas: quotasUnder(get('ABODE_QUOTAS'), {
      limits: env['ABODE_RATE_LIMITS'],
      quotas: env['ABODE_QUOTAS'],
    }),
    diskReserve: get('ABODE_DISK_RESERVE'),
    retention: get('ABODE_RETENTION'),
    powBits: get('ABODE_POW_BITS'),
    powTtlSeconds: get('ABODE_POW_TTL_SECONDS'),
    commonsTrust: new Map(get('ABODE_COMMONS_TRUST')),
    moderators: new Set(get('ABODE_MODERATORS')),
    oauthClients: get('ABODE_OAUTH_CLIENTS'),
    signUp: get('ABODE_SIGN_UP'),
    signIn: get('ABODE_SIGN_IN') ?? byPassword,
    mail: mailOf(get('ABODE_SMTP_URL'), get('ABODE_MAIL_FROM')),
    channelServices: servicesOf(get),
    hasCommons: get('ABODE_COMMONS'),
    contact: get('ABODE_CONTACT'),
    vapidKey: get('ABODE_VAPID_PRIVATE_KEY'),
    defaultModel: get('ABODE_DEFAULT_MODEL'),
    embeddingModel: get('ABODE_EMBEDDING_MODEL'),
    x402: get('ABODE_X402'),
    warmUp: get('ABODE_WARM_UP'),
    logLevel: get('ABODE_LOG_LEVEL'),
    ...operatingOf(get),
    ...backupOf(get),
    traces: tracesOf(get),
    shellRuntime: get('ABODE_SHELL_RUNTIME'),
    containerRuntime: get('ABODE_CONTAINER_RUNTIME'),
    modelPrices: get('ABODE_MODEL_PRICES'),
    prices: get('ABODE_PRICES'),
    openai: { apiKey: get('OPENAI_API_KEY'), baseUrl: get('OPENAI_BASE_URL') },
    anthropic: { apiKey: get('ANTHROPIC_API_KEY') },
    stripe: stripeOf(get),
  }
  faults.push(...missingOf(env, config))
  if (faults.length > 0) throw new ConfigFaults(faults)
  return config
}

function backupOf(get: Get): Pick<Config, 'backup' | 'bucketAccess'> {
  const [id, secret] = [get('AWS_ACCESS_KEY_ID'), get('AWS_SECRET_ACCESS_KEY')]
  return {
    backup: {
      to: get('ABODE_BACKUP'),
      hours: get('ABODE_BACKUP_HOURS'),
      keep: get('ABODE_BACKUP_KEEP'),
    },
    bucketAccess: {
      region: get('AWS_REGION'),
      endpoint: get('AWS_ENDPOINT_URL_S3'),
      keys: keysOf(id, secret, get('AWS_SESSION_TOKEN')),
    },
  }
}

type Get = <N extends keyof Values>(name: N) => Values[N]

function servicesOf(get: Get): ChannelServices {
  return {
    slack: get('ABODE_SLACK_URL'),
    discord: get('ABODE_DISCORD_URL'),
    telegram: get('ABODE_TELEGRAM_URL'),
  }
}

function stripeOf(get: Get): Config['stripe'] {
  return {
    secretKey: get('STRIPE_SECRET_KEY'),
    webhookSecret: get('STRIPE_WEBHOOK_SECRET'),
    apiBase: get('STRIPE_API_BASE'),
  }
}

function operatingOf(get: Get) {
  const [port, host] = [get('ABODE_ADMIN_PORT'), get('ABODE_ADMIN_HOST')]
  const token = get('ABODE_ADMIN_TOKEN')
  return {
    metrics: get('ABODE_METRICS'),
    metricsToken: get('ABODE_METRICS_TOKEN'),
    logRequests: get('ABODE_LOG_REQUESTS'),
    drainSeconds: get('ABODE_DRAIN_SECONDS'),
    graceSeconds: get('ABODE_GRACE_SECONDS'),
    admin: port === undefined ? undefined : { port, host, token },
  }
}

function mailOf(
  server: MailSettings['server'] | undefined,
  from: string | undefined,
): MailSettings | undefined {
  return server && from !== undefined ? { server, from } : undefined
}

/** The URL of a server that listens there. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function valueOf<T>(
  name: string,
  setting: Setting<T>,
  text: string | undefined,
  faults: string[],
): T {
  if (text === undefined || text === unreadable) return setting.fallback
  if (text === '') {
    faults.push(`${name} is empty; leave it out for the default (${setting.default})`)
    return setting.fallback
  }
  try {
    return setting.read(text)
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    for (const mistake of error.mistakes) faults.push(`${name} ${said(mistake, setting.isSecret)}`)
    return setting.fallback
  }
}

const shownAtMost = 80

function said({ rule, part }: Mistake, isSecret: boolean): string {
  // An address may hold credentials even where none belong.
  if (isSecret || part === undefined || part.includes('@')) return rule
  const shown = part.length > shownAtMost ? `${part.slice(0, shownAtMost)}…` : part
  return `${rule}, not ${JSON.stringify(shown)}`
}
