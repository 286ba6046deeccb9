import { defaultRetention } from '#adapters/config/retention.ts'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addressOf, ConfigFaults, readConfig, settings } from '#adapters/config/read.ts'
import { defaultLimits, defaultQuotas, publicLimits } from '#adapters/config/limits.ts'

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults
    throw error
  }
  return []
}

const hexKey = '00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF'
const vapidKey = `${'A'.repeat(42)}E`

describe('an empty environment', () => {
  test('gives every default', () => {
    const config = readConfig({ PATH: '/bin', PORT: undefined, abode_port: '1' })
    expect(config).toEqual({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: undefined,
      dataDir: resolve('data'),
      mongodbUri: undefined,
      masterKey: undefined,
      work: ['api', 'scheduler', 'runner', 'deliveries', 'knowledge', 'upkeep'],
      processes: 1,
      runnerConcurrency: 64,
      trustedProxies: [],
      outboundAllow: [],
      browserOrigins: [],
      rateLimits: defaultLimits,
      quotas: defaultQuotas,
      diskReserve: undefined,
      retention: defaultRetention,
      runSeconds: { unclaimed: 600, claimed: 600 },
      powBits: undefined,
      powTtlSeconds: 600,
      commonsTrust: new Map(),
      moderators: new Set(),
      oauthClients: [],
      signUp: 'open',
      signIn: { passwords: true, providers: [] },
      mail: undefined,
      channelServices: {
        slack: 'https://slack.com',
        discord: 'https://discord.com',
        telegram: 'https://api.telegram.org',
      },
      hasCommons: true,
      contact: undefined,
      defaultModel: undefined,
      embeddingModel: undefined,
      x402: undefined,
      warmUp: true,
      logLevel: 'info',
      metrics: false,
      metricsToken: undefined,
      logRequests: false,
      drainSeconds: 0,
      graceSeconds: 5,
      admin: undefined,
      backup: { to: undefined, hours: 24, keep: 7 },
      bucketAccess: { region: 'us-east-1', endpoint: undefined, keys: undefined },
      traces: undefined,
      shellRuntime: false,
      containerRuntime: undefined,
      modelPrices: undefined,
      prices: undefined,
      openai: { apiKey: undefined, baseUrl: 'https://api.openai.com/v1' },
      anthropic: { apiKey: undefined },
      stripe: {
        secretKey: undefined,
        webhookSecret: undefined,
        apiBase: 'https://api.stripe.com',
      },
    })
  })

  test('without a limit for all claims together', () => {
    expect(Object.keys(readConfig({}).rateLimits)).not.toContain('agent_claim_all')
  })
})

test.each<[string, string, string, unknown]>([
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65_535],
  ['HOST', '::', 'host', '::'],
  ['HOST', 'abode.internal', 'host', 'abode.internal'],
  ['PUBLIC_URL', 'https://abode.example/', 'publicUrl', 'https://abode.example'],
  ['PUBLIC_URL', 'https://example.org/abode/', 'publicUrl', 'https://example.org/abode'],
  ['DATA_DIR', '/var/lib/abode', 'dataDir', '/var/lib/abode'],
  ['DATA_DIR', 'here', 'dataDir', resolve('here')],
  ['ABODE_MASTER_KEY', hexKey, 'masterKey', Buffer.from(hexKey, 'hex')],
  ['ABODE_WORK', 'api,upkeep', 'work', ['api', 'upkeep']],
  ['ABODE_PROCESSES', '64', 'processes', 64],
  ['ABODE_PROCESSES', 'auto', 'processes', Math.min(availableParallelism(), 64)],
  ['ABODE_RUNNER_CONCURRENCY', '1', 'runnerConcurrency', 1],
  ['ABODE_POW_BITS', '8', 'powBits', 8],
  ['ABODE_POW_TTL_SECONDS', '60', 'powTtlSeconds', 60],
  ['ABODE_WARM_UP', 'off', 'warmUp', false],
  ['ABODE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
  ['ABODE_METRICS', 'on', 'metrics', true],
  ['ABODE_METRICS_TOKEN', 's3cret', 'metricsToken', 's3cret'],
  ['ABODE_SHELL_RUNTIME', 'on', 'shellRuntime', true],
  ['ABODE_CONTAINER_RUNTIME', 'off', 'containerRuntime', undefined],
  ['ABODE_CONTAINER_RUNTIME', '/opt/run', 'containerRuntime', '/opt/run'],
  [
    'ABODE_TRUSTED_PROXIES',
    '10.0.0.0/8,192.168.1.1,fd00::/8,::1',
    'trustedProxies',
    ['10.0.0.0/8', '192.168.1.1/32', 'fd00::/8', '::1/128'],
  ],
  [
    'ABODE_OUTBOUND_ALLOW',
    'http://localhost:11434,https://Intra.example:443/',
    'outboundAllow',
    ['http://localhost:11434', 'https://intra.example'],
  ],
  [
    'ABODE_COMMONS_TRUST',
    'commons.votes.put=2,commons.threads.create=0',
    'commonsTrust',
    new Map([
      ['commons.votes.put', 2],
      ['commons.threads.create', 0],
    ]),
  ],
  [
    'ABODE_DEFAULT_MODEL',
    'openai-compatible/org/model:8b',
    'defaultModel',
    { provider: 'openai-compatible', model: 'org/model:8b' },
  ],
  [
    'ABODE_MODERATORS',
    'quiet-otter-1f09ac,@ada',
    'moderators',
    new Set(['quiet-otter-1f09ac', 'ada']),
  ],
  [
    'ABODE_OAUTH_CLIENTS',
    '[{"client_id":"desk","client_name":"Desk","redirect_uris":["https://desk.example/back"]}]',
    'oauthClients',
    [{ client_id: 'desk', client_name: 'Desk', redirect_uris: ['https://desk.example/back'] }],
  ],
  ['ABODE_SIGN_UP', 'invited', 'signUp', 'invited'],
  ['ABODE_SIGN_UP', 'closed', 'signUp', 'closed'],
  ['ABODE_COMMONS', 'off', 'hasCommons', false],
  ['ABODE_CONTACT', 'ops@example.org', 'contact', 'ops@example.org'],
  ['ABODE_VAPID_PRIVATE_KEY', vapidKey, 'vapidKey', vapidKey],
  ['ABODE_CONTACT', 'mailto:ops@example.org', 'contact', 'mailto:ops@example.org'],
  [
    'ABODE_CONTACT',
    'https://example.org/ask?for=key#form',
    'contact',
    'https://example.org/ask?for=key#form',
  ],
  ['ABODE_EMBEDDING_MODEL', 'openai/e', 'embeddingModel', { provider: 'openai', model: 'e' }],
])('%s=%s is read', (name, text, member, value) => {
  expect(readConfig({ [name]: text })).toMatchObject({ [member]: value })
})

test('a master key may be base64 in both alphabets', () => {
  const key = Buffer.from(hexKey, 'hex')
  for (const text of [key.toString('base64'), key.toString('base64url')]) {
    expect(readConfig({ ABODE_MASTER_KEY: text }).masterKey).toEqual(key)
  }
})

describe('rate limits', () => {
  test('are a table by name, or none at all', () => {
    expect(readConfig({ ABODE_RATE_LIMITS: 'default' }).rateLimits).toEqual(defaultLimits)
    expect(readConfig({ ABODE_RATE_LIMITS: 'public' }).rateLimits).toEqual(publicLimits)
    expect(readConfig({ ABODE_RATE_LIMITS: 'off' }).rateLimits).toEqual({})
    expect(publicLimits.agent_claim).toEqual({ count: 5, seconds: 3600 })
    expect(publicLimits.agent_claim_all).toEqual({ count: 100, seconds: 3600 })
  })

  test('change one by one, on top of the default or of the table named first', () => {
    const { writes: _, ...others } = defaultLimits
    const text = 'agent_claim=5/3600,writes=off'
    const agent_claim = { count: 5, seconds: 3600 }
    expect(readConfig({ ABODE_RATE_LIMITS: text }).rateLimits).toEqual({ ...others, agent_claim })
    const votes = { count: 1, seconds: 1 }
    const onPublic = readConfig({ ABODE_RATE_LIMITS: 'public,votes=1/1' }).rateLimits
    expect(onPublic).toEqual({ ...publicLimits, votes })
    expect(publicLimits.votes).not.toEqual(votes)
  })
})

describe('quotas', () => {
  test('leave newcomers no paid calls on the open internet, unless the operator names a number', () => {
    const on = (ABODE_RATE_LIMITS: string, ABODE_QUOTAS?: string) =>
      readConfig({ ABODE_RATE_LIMITS, ...(ABODE_QUOTAS && { ABODE_QUOTAS }) }).quotas
    const { unclaimed, claimed } = on('public,votes=off')
    expect(unclaimed).toEqual({ ...defaultQuotas.unclaimed, paid_calls_hour: 0 })
    expect(claimed).toEqual(defaultQuotas.claimed)
    expect(on('default').unclaimed.paid_calls_hour).toBe(60)
    expect(on('public', 'agents=3,paid_calls_hour=7').unclaimed.paid_calls_hour).toBe(7)
    expect(on('public', 'off').unclaimed.paid_calls_hour).toBe(Infinity)
  })

  test('hold for unclaimed and claimed accounts alike when they are set', () => {
    const { quotas } = readConfig({ ABODE_QUOTAS: 'agents=3,stored_bytes=off' })
    const set = { agents: 3, stored_bytes: Infinity }
    expect(quotas.unclaimed).toEqual({ ...defaultQuotas.unclaimed, ...set })
    expect(quotas.claimed).toEqual({ ...defaultQuotas.claimed, ...set })
    expect(readConfig({ ABODE_QUOTAS: 'default' }).quotas).toEqual(defaultQuotas)
  })

  test('may all be off', () => {
    const { quotas } = readConfig({ ABODE_QUOTAS: 'off' })
    expect(Object.keys(quotas.claimed)).toEqual(Object.keys(defaultQuotas.claimed))
    expect(new Set(Object.values({ ...quotas.claimed, ...quotas.unclaimed }))).toEqual(
      new Set([Infinity]),
    )
  })
})

test.each([
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536"'],
  ['PORT', ' 80', 'PORT must be a whole number from 0 to 65535, not " 80"'],
  ['PORT', '', 'PORT is empty; leave it out for the default (8080)'],
  ['PORT', '1e3', /^PORT must be a whole number/],
  ['HOST', '[::1]', /^HOST must be a host name or an IP address/],
  ['HOST', '127.0.0', /^HOST must be/],
  ['HOST', 'http://x', /^HOST must be/],
  ['PUBLIC_URL', 'abode.example', /^PUBLIC_URL must be an absolute http or https address/],
  ['PUBLIC_URL', 'https://x/?a=1', /query/],
  ['PUBLIC_URL', 'https://x/#a', /fragment/],
  ['PUBLIC_URL', 'ftp://x/', /http or https/],
  ['PUBLIC_URL', 'https://a:b@x/', /^PUBLIC_URL must be[^:]*$/],
  ['MONGODB_URI', 'postgres://u:hush@h/', /^MONGODB_URI must begin with mongodb:\/\/ or[^@]*host$/],
  ['ABODE_VAPID_PRIVATE_KEY', 'A'.repeat(43), /^ABODE_VAPID_PRIVATE_KEY must be a [^A]*base64url$/],
  ['ABODE_VAPID_PRIVATE_KEY', `${vapidKey}A`, /^ABODE_VAPID_PRIVATE_KEY must be a .*base64url$/],
  ['ABODE_MASTER_KEY', 'hush', /^ABODE_MASTER_KEY must be 32 bytes.*base64$/],
  ['ABODE_MASTER_KEY', hexKey.slice(2), /^ABODE_MASTER_KEY must be 32 bytes.*base64$/],
  ['ABODE_MASTER_KEY', 'hush'.repeat(11), /^ABODE_MASTER_KEY must be 32 bytes.*base64$/],
  ['ABODE_WORK', 'api, runner', /^ABODE_WORK must be one of api, .*, not " runner"$/],
  ['ABODE_WORK', 'api,api', 'ABODE_WORK must name each only once, not "api"'],
  ['ABODE_RUNNER_CONCURRENCY', '0', /from 1 to 1000, not "0"$/],
  ['ABODE_PROCESSES', '0', 'ABODE_PROCESSES must be auto or a whole number from 1 to 64, not "0"'],
  ['ABODE_PROCESSES', '65', /from 1 to 64, not "65"$/],
  ['ABODE_PROCESSES', 'all', /must be auto or a whole number/],
  ['ABODE_TRUSTED_PROXIES', '10.0.0.0/33', /^ABODE_TRUSTED_PROXIES must be IP .*, not "10.0/],
  ['ABODE_TRUSTED_PROXIES', '127.1', /not "127.1"$/],
  ['ABODE_TRUSTED_PROXIES', '10', /not "10"$/],
  ['ABODE_TRUSTED_PROXIES', '10.0.0.1,', /not ""$/],
  ['ABODE_TRUSTED_PROXIES', '1.2.3.4/8/9', /not "1.2.3.4\/8\/9"$/],
  ['ABODE_OUTBOUND_ALLOW', 'http://x/path', /^ABODE_OUTBOUND_ALLOW must be origins .*path"$/],
  ['ABODE_OUTBOUND_ALLOW', 'x:80', /not "x:80"$/],
  ['ABODE_RATE_LIMITS', 'publik', /must be default, public or off, or .*, not "publik"$/],
  ['ABODE_RATE_LIMITS', 'off,votes=1/1', /not "off"$/],
  ['ABODE_RATE_LIMITS', 'default,', /not "default,"$/],
  ['ABODE_RATE_LIMITS', 'vote=1/1', /must be one of agent_claim, .*, not "vote"$/],
  ['ABODE_RATE_LIMITS', 'votes=5', /votes must be count\/seconds or off, not "votes=5"$/],
  ['ABODE_RATE_LIMITS', 'votes=0/60', /votes must be a whole number from 1/],
  ['ABODE_RATE_LIMITS', 'votes=1/60/2', /count\/seconds/],
  [
    'ABODE_RATE_LIMITS',
    'votes=1/1,votes=2/1',
    'ABODE_RATE_LIMITS must name each only once, not "votes"',
  ],
  ['ABODE_DISK_RESERVE', '1GB', /must be a whole number from 1/],
  ['ABODE_RUN_SECONDS', '0', /must be a whole number from 1 to 86400/],
  ['ABODE_RUN_SECONDS', 'paid=60', /must be one of unclaimed, claimed/],
  ['ABODE_RUN_SECONDS', 'claimed', /plan=seconds/],
  ['ABODE_RUN_SECONDS', 'claimed=90000', /claimed must be a whole number/],
  ['ABODE_RETENTION', 'runs=3', /must be one of events, messages/],
  ['ABODE_RETENTION', 'messages=0', /messages must be a whole number from 1/],
  ['ABODE_QUOTAS', 'agents', /must be default or off, or name=number/],
  ['ABODE_QUOTAS', 'agents=-1', /agents must be a whole number from 0/],
  ['ABODE_POW_BITS', '33', /from 1 to 32/],
  ['ABODE_COMMONS_TRUST', 'commons.votes.put=5', /^ABODE_COMMONS_TRUST must be pairs/],
  ['ABODE_COMMONS_TRUST', 'commons.a=1,commons.a=2', /only once/],
  [
    'ABODE_MODERATORS',
    'Ada',
    'ABODE_MODERATORS must be handles of the Commons between commas, not "Ada"',
  ],
  ['ABODE_MODERATORS', 'ada,', /must be handles of the Commons between commas, not ""$/],
  ['ABODE_MODERATORS', 'ada,@ada', /must name each only once, not "ada"$/],
  ['ABODE_DEFAULT_MODEL', 'gpt', /must be provider\/model with one of openai, anthropic/],
  ['ABODE_DEFAULT_MODEL', 'openai/', /not "openai\/"$/],
  ['ABODE_EMBEDDING_MODEL', 'anthropic/x', /with one of openai, openai-compatible as/],
  ['ABODE_LOG_LEVEL', 'INFO', /must be one of debug, info, warn, error, silent, not "INFO"$/],
  [
    'ABODE_CONTAINER_RUNTIME',
    'on',
    'ABODE_CONTAINER_RUNTIME must be off or the absolute path of a program, not "on"',
  ],
  ['ABODE_METRICS', 'yes', 'ABODE_METRICS must be one of off, on, not "yes"'],
  [
    'ABODE_METRICS_TOKEN',
    'hush hush',
    /ABODE_METRICS_TOKEN must be printable ASCII without spaces$/,
  ],
  ['ABODE_PROT', '1', /^ABODE_PROT is not a setting/],
  ['ABODE_WROK', 'api', 'ABODE_WROK is not a setting; did you mean ABODE_WORK?'],
  ['ABODE_OUTBOUND', 'hush', /^ABODE_OUTBOUND is not a setting[^h]*$/],
])('%s=%j is a fault of one line', (name, text, line) => {
  const faults = faultsOf({ [name]: text })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(line)
  expect(faults.join()).not.toMatch(/hush|\n/)
})

test('a value of any length is cut in its fault', () => {
  const [fault = ''] = faultsOf({ PORT: '9'.repeat(100_000) })
  expect(fault.length).toBeLessThan(200)
})

test('every fault is told, not only the first, and each item of a list has its own', () => {
  const env = { PORT: 'x', ABODE_METRICS: '1', ABODE_WORK: 'api,cook,bake', ABODE_X: '1' }
  expect(faultsOf(env).map((fault) => fault.split(' ')[0])).toEqual([
    'ABODE_X',
    'PORT',
    'ABODE_WORK',
    'ABODE_WORK',
    'ABODE_METRICS',
  ])
  expect(new ConfigFaults(faultsOf(env)).message.split('\n')).toHaveLength(5)
})

test('a shared database needs a master key of its own', () => {
  const MONGODB_URI = 'mongodb://user:hush@127.0.0.1/?directConnection=true'
  expect(faultsOf({ MONGODB_URI })).toEqual([
    'ABODE_MASTER_KEY must be set when MONGODB_URI is: all processes share it',
  ])
  expect(readConfig({ MONGODB_URI, ABODE_MASTER_KEY: hexKey }).mongodbUri).toBe(MONGODB_URI)
  expect(faultsOf({ MONGODB_URI, ABODE_MASTER_KEY: 'x' })).toHaveLength(1)
})

test('the name that only the tests read is let pass', () => {
  expect(faultsOf({ ABODE_SKIP_MONGODB: '1' })).toEqual([])
})

test('the table of settings says all of each, once', () => {
  expect(settings).toHaveLength(69)
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
  const texts = settings.flatMap((setting) => [setting.default, setting.unit, setting.meaning])
  expect(texts.filter((text) => text.trim() === '' || text.includes('|'))).toEqual([])
})

test('the address of a server puts IPv6 into brackets', () => {
  expect(addressOf('127.0.0.1', 80)).toBe('http://127.0.0.1:80')
  expect(addressOf('::1', 8080)).toBe('http://[::1]:8080')
})
