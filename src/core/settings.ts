import type { LimitTable } from './admission/limits.ts'
import type { Retention } from './counts/retention.ts'
import type { QuotaTable } from './counts/quota-table.ts'
import type { ModelPrices } from './spend/prices.ts'
import type { SignUp } from './admission/sign-up-mode.ts'

/** What a process may do in addition to answering calls; the operator chooses. */
export const roles = ['api', 'scheduler', 'runner', 'deliveries', 'knowledge', 'upkeep'] as const
/** One of the things that a process may do. */
export type Role = (typeof roles)[number]

/** What the operator has set and operations may read. */
export interface Settings {
  /** The outside address of the service, without a final slash. */
  publicUrl: string
  version: string
  /** Limits on requests and on what an account may hold. */
  limits: LimitTable
  quotas: QuotaTable
  /** How long things are kept that no one deletes. */
  retention: Retention
  runSeconds: RunSeconds
  /** What models cost; those that are not among them cost an unknown amount. */
  modelPrices: ModelPrices
  /** The proof of work for a Commons handle: `bits` if the operator has fixed them. */
  proofOfWork: { bits: number | undefined; ttlSeconds: number }
  /** Payment by the x402 protocol, if the operator has configured it. */
  x402: X402Terms | undefined
  /** Origins whose pages may call the doors of agents, in addition to its own. */
  browserOrigins: readonly string[]
  /** Who may get an account or a handle, and whom to ask. */
  signUp: SignUp
  signIn: SignIn
  /** The handles of the members who moderate the Commons. */
  moderators: ReadonlySet<string>
  /** Programs that the operator has registered as clients of the authorization server. */
  oauthClients: readonly RegisteredProgram[]
  /** Whether there is a Commons here. */
  hasCommons: boolean
  channelServices: ChannelServices
  /** The private key by which push services know this server, in base64url, if the operator has set one. */
  vapidKey: string | undefined
}

/** Where the services of channels are reached, without a final slash. */
export interface ChannelServices {
  slack: string
  discord: string
  telegram: string
}

/** By what mails are sent, and from whom. */
export interface MailSettings {
  server: MailServer
  /** An e-mail address. */
  from: string
}

/** An SMTP server of the operator's. */
export interface MailServer {
  host: string
  port: number
  /** Encrypted from the first byte; otherwise once both sides have agreed to it. */
  isSecure: boolean
  /** On this machine, where it need not be encrypted. */
  isHere: boolean
  login: { user: string; password: string } | null
}

/** Where traces are sent, and which. */
export interface TraceSettings {
  /** The collector's address, without the path of traces. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  service: string | undefined
  resource: Readonly<Record<string, string>>
  /** Which traces are sent; `parentbased_…` go by what the caller has decided, where it has. */
  sampler: `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`
  /** For the samplers that take one: which part of traces, from 0 to 1. */
  share: number
}

/** A program that the operator has registered. */
export interface RegisteredProgram {
  client_id: string
  client_name: string
  redirect_uris: string[]
  /** Without it, it is a public client. */
  client_secret?: string
  token_endpoint_auth_method?: 'none' | 'client_secret_basic' | 'client_secret_post'
}

/** How persons sign in. */
export interface SignIn {
  /** Whether by an e-mail address and a password. */
  passwords: boolean
  /** By whom else, in the order in which they are offered. */
  providers: readonly SignInProvider[]
}

/** Where the operator names no provider. */
export const byPassword: SignIn = { passwords: true, providers: [] }

/** A provider of OpenID Connect that the operator trusts to say who a person is. */
export interface SignInProvider {
  /** Its address, by which it describes itself. */
  issuer: string
  /** As persons know it. */
  name: string
  client_id: string
  client_secret: string | null
  /**
   * The domains of the e-mail addresses that it speaks for, in lower case: it admits no others, and these
   * wherever sign-up stands. Empty: it speaks for none.
   */
  domains: readonly string[]
  /** What is asked for in addition to `openid` and `email`. */
  scopes: readonly string[]
}

/** How long a run may be in the hands of our workers, by plan, in seconds. */
export interface RunSeconds {
  unclaimed: number
  claimed: number
}

/** Where payments by the x402 protocol go. */
export interface X402Terms {
  /** The address of the payee. */
  pay_to: string
  /** The chain, as x402 spells it, such as `base`. */
  network: string
  /** The address of the token's contract, and how many of its smallest units are one cent. */
  asset: string
  units_per_cent: number
  /** The service that verifies payments and settles them. */
  facilitator: string
  /** Signed by the payer with the payment: name and version of the token, by EIP-712. */
  extra: Record<string, unknown>
  max_timeout_seconds: number
}
