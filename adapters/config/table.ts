import { roles } from '#src/core/settings.ts'
import { signUpModes } from '#src/core/admission/sign-up-mode.ts'
import { moderators, trusts } from './commons.ts'
import { quotas, rateLimits } from './limits.ts'
import { contact, host, mongodbUri, network, origin, webAddress } from './network.ts'
import { modelPrices } from './model-prices.ts'
import { mailAddress, smtpServer } from './mail.ts'
import { backups } from './backup.ts'
import { operating } from './operator.ts'
import { tracing } from './traces.ts'
import { oauthClients } from './oauth-clients.ts'
import { prices, stripeAddress, stripeKey, stripeWebhookSecret, x402Terms } from './payments.ts'
import { retention } from './retention.ts'
import { runSeconds } from './run-seconds.ts'
import { always, maybe, some } from './kinds.ts'
import { signIn } from './sign-in.ts'
import {
  bytesOrOff,
  countOrAuto,
  distinct,
  folder,
  headerText,
  listOf,
  masterKey,
  modelOf,
  oneOf,
  onOrOff,
  programOrOff,
  vapidKey,
  wholeNumber,
} from './values.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

const work = distinct(listOf(oneOf(roles)), (role) => role)
const chatProviders = ['openai', 'anthropic', 'openai-compatible']
const embeddingProviders = ['openai', 'openai-compatible']

/** Every setting by the name of its environment variable. */
export const table = {
  PORT: always(wholeNumber(0, 65_535), {
    default: '8080',
    unit: 'port',
    meaning: 'Where to listen; 0 takes any free port.',
  }),
  HOST: always(host, {
    default: '127.0.0.1',
    unit: 'address',
    meaning: 'The address or name to listen on; `0.0.0.0` or `::` is every network.',
  }),
  PUBLIC_URL: maybe(webAddress, {
    default: 'http://HOST:PORT',
    unit: 'URL',
    meaning: 'Where others reach the server. Every link that it gives begins with it.',
  }),
  DATA_DIR: always(folder, {
    default: './data',
    unit: 'folder',
    meaning: 'Where the embedded store and the generated master key lie.',
  }),
  MONGODB_URI: maybe(mongodbUri, {
    default: 'none',
    unit: 'URI',
    meaning: 'Keeps everything in this MongoDB instead of the embedded store.',
    isSecret: true,
  }),
  ABODE_MASTER_KEY: maybe(masterKey, {
    default: 'a file in DATA_DIR',
    unit: '32 bytes, hex or base64',
    meaning: 'Every key of the server derives from it. Required with `MONGODB_URI`.',
    isSecret: true,
  }),
  ABODE_WORK: always(work, {
    default: roles.join(','),
    unit: 'list',
    meaning: 'What this process does.',
  }),
  ABODE_PROCESSES: always(countOrAuto(64), {
    default: '1',
    unit: 'processes, or `auto`',
    meaning:
      'How many processes answer at one port, and one more has the other roles; `auto` is one a core.',
  }),
  ABODE_RUNNER_CONCURRENCY: always(wholeNumber(1, 1000), {
    default: '64',
    unit: 'runs',
    meaning: 'Runs that this process works on at a time.',
  }),
  ABODE_RUN_SECONDS: always(runSeconds, {
    default: '600',
    unit: 'seconds, or plan=seconds pairs',
    meaning:
      'How long a run may be in the hands of the server; the plans are `claimed` and `unclaimed`.',
  }),
  ABODE_TRUSTED_PROXIES: some(listOf(network), {
    default: 'none',
    unit: 'list of addresses and networks',
    meaning: 'Proxies whose `X-Forwarded-For` is believed.',
  }),
  ABODE_OUTBOUND_ALLOW: some(listOf(origin), {
    default: 'none',
    unit: 'list of origins',
    meaning: 'Origins that may be called although they lead to private addresses.',
  }),
  ABODE_BROWSER_ORIGINS: some(listOf(origin), {
    default: 'none',
    unit: 'list of origins',
    meaning: 'Origins whose pages may call `/mcp` and `/a2a/`, in addition to its own.',
  }),
  ABODE_RATE_LIMITS: always(rateLimits, {
    default: 'default',
    unit: 'table, `off`, or name=count/seconds pairs',
    meaning:
      'Use `public` on the open internet. Pairs change the default, or the table named first.',
  }),
  ABODE_QUOTAS: always(quotas, {
    default: 'default',
    unit: '`off`, or name=number pairs',
    meaning:
      'What an account may hold, claimed or not. `paid_calls_hour`: calls of models on your key in an hour.',
  }),
  ABODE_RETENTION: always(retention, {
    default: 'default',
    unit: '`off`, or name=days and runs_…=runs/days pairs',
    meaning: 'How long runs, events, messages, orders and unclaimed accounts are kept.',
  }),
  ABODE_DISK_RESERVE: maybe(bytesOrOff, {
    default: '5 % of the disk, 1 GiB at most',
    unit: 'bytes, or `off`',
    meaning: 'How much of the disk stays free of what unclaimed accounts and strangers write.',
  }),
  ABODE_POW_BITS: maybe(wholeNumber(1, 32), {
    default: '20, and 18 to 24 by the rate of sign-ups',
    unit: 'bits',
    meaning: 'Fixes the proof of work for a Commons handle.',
  }),
  ABODE_POW_TTL_SECONDS: always(wholeNumber(1, 86_400), {
    default: '600',
    unit: 'seconds',
    meaning: 'How long a challenge for the proof of work is valid.',
  }),
  ABODE_COMMONS_TRUST: some(trusts, {
    default: 'none',
    unit: 'operation=level pairs',
    meaning: 'Changes the trust level (0 to 4) that operations of the Commons need.',
  }),
  ABODE_MODERATORS: some(moderators, {
    default: 'none',
    unit: 'list of handles',
    meaning:
      'Members of the Commons who moderate it. A handle that no one has yet is given to no one.',
  }),
  ABODE_OAUTH_CLIENTS: some(oauthClients, {
    default: 'none',
    unit: 'JSON list',
    meaning:
      'Programs that ask persons for access and need not register: client_id, client_name, redirect_uris, client_secret.',
    isSecret: true,
  }),
  ABODE_SIGN_UP: always(oneOf(signUpModes), {
    default: 'open',
    unit: signUpModes.join(', '),
    meaning:
      'Who may get an account or a Commons handle: anyone, anyone with an invitation (`npm run invite`), or no one.',
  }),
  ABODE_SIGN_IN: maybe(signIn, {
    default: 'by password alone',
    unit: 'JSON list or object',
    meaning:
      'OpenID Connect providers by which persons sign in: issuer, client_id, client_secret, name, domains, scopes; as `{"passwords": false, "providers": […]}` the only way.',
    isSecret: true,
  }),
  ABODE_SMTP_URL: maybe(smtpServer, {
    default: 'none',
    unit: 'smtp:// or smtps:// URL',
    meaning:
      'The mail server, by which addresses are verified and passwords reset; needs the next one too.',
    isSecret: true,
  }),
  ABODE_MAIL_FROM: maybe(mailAddress, {
    default: 'none',
    unit: 'e-mail address',
    meaning: 'From whom mails come.',
  }),
  ABODE_VAPID_PRIVATE_KEY: maybe(vapidKey, {
    default: 'made once',
    unit: 'base64url',
    meaning: 'The key by which push services know the server.',
    isSecret: true,
  }),
  ABODE_SLACK_URL: always(webAddress, {
    default: 'https://slack.com',
    unit: 'URL',
    meaning: 'Where the web API of Slack is reached, for channels of agents.',
  }),
  ABODE_DISCORD_URL: always(webAddress, {
    default: 'https://discord.com',
    unit: 'URL',
    meaning: 'Where the API of Discord is reached.',
  }),
  ABODE_TELEGRAM_URL: always(webAddress, {
    default: 'https://api.telegram.org',
    unit: 'URL',
    meaning: 'Where the Bot API of Telegram is reached.',
  }),
  ABODE_COMMONS: always(onOrOff, {
    default: 'on',
    unit: 'off, on',
    meaning: 'Whether there is a Commons: its paths, doors, pages and tools.',
  }),
  ABODE_CONTACT: maybe(contact, {
    default: 'none',
    unit: 'e-mail address or URL',
    meaning:
      'Whom to ask for what `ABODE_SIGN_UP`, `ABODE_COMMONS` or moderation refuses; shown in the hint.',
  }),
  ABODE_DEFAULT_MODEL: maybe(modelOf(chatProviders), {
    default: 'none',
    unit: 'provider/model',
    meaning: 'The model of agents that name none.',
  }),
  ABODE_EMBEDDING_MODEL: maybe(modelOf(embeddingProviders), {
    default: 'none',
    unit: 'provider/model',
    meaning: 'Adds search by meaning to the search by words.',
  }),
  ABODE_X402: maybe(x402Terms, {
    default: 'none',
    unit: 'JSON object',
    meaning: 'Takes payments by the x402 protocol too: where they go, in which token.',
    isSecret: true,
  }),
  ABODE_WARM_UP: always(onOrOff, {
    default: 'on',
    unit: 'off, on',
    meaning: 'Loads after the start what first requests would wait for.',
  }),
  ABODE_LOG_LEVEL: always(oneOf(logLevels), {
    default: 'info',
    unit: logLevels.join(', '),
    meaning: 'The least important lines that are still written.',
  }),
  ...operating,
  ...backups,
  ...tracing,
  ABODE_SHELL_RUNTIME: always(onOrOff, {
    default: 'off',
    unit: 'off, on',
    meaning: 'Lets tasks run shell commands, contained by bubblewrap, which must be installed.',
  }),
  ABODE_CONTAINER_RUNTIME: always(programOrOff, {
    default: 'off',
    unit: 'off, or a path',
    meaning: 'The program that runs the containers of tasks.',
  }),
  ABODE_MODEL_PRICES: maybe(modelPrices, {
    default: 'those that are shipped',
    unit: 'JSON object, or the path of a file with it',
    meaning: 'What models cost, by which the cost of runs is counted.',
  }),
  ABODE_PRICES: maybe(prices, {
    default: 'a set for test mode',
    unit: 'JSON array',
    meaning: 'The prices of the test payment provider, and by them its currency.',
  }),
  OPENAI_API_KEY: maybe(headerText, {
    default: 'none',
    unit: 'text',
    meaning: 'Makes OpenAI a provider of models.',
    isSecret: true,
  }),
  OPENAI_BASE_URL: always(webAddress, {
    default: 'https://api.openai.com/v1',
    unit: 'URL',
    meaning: 'Where the API of OpenAI, or one compatible with it, is.',
  }),
  ANTHROPIC_API_KEY: maybe(headerText, {
    default: 'none',
    unit: 'text',
    meaning: 'Makes Anthropic a provider of models.',
    isSecret: true,
  }),
  STRIPE_SECRET_KEY: maybe(stripeKey, {
    default: 'none',
    unit: 'text',
    meaning: 'Takes payments by Stripe instead of the test provider; needs the next one too.',
    isSecret: true,
  }),
  STRIPE_WEBHOOK_SECRET: maybe(stripeWebhookSecret, {
    default: 'none',
    unit: 'text',
    meaning: 'Verifies what Stripe reports.',
    isSecret: true,
  }),
  STRIPE_API_BASE: always(stripeAddress, {
    default: 'https://api.stripe.com',
    unit: 'URL',
    meaning: 'Where the API of Stripe is.',
  }),
}
