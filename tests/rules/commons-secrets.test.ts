import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { noSecrets, secretsIn } from '#src/commons/secret-scan.ts'
import { Refusal } from '#src/core/errors.ts'
import { newId, newToken } from '#src/core/ids.ts'
import { injections, refusedInjections } from '#tests/support/injections.ts'

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lower = upper.toLowerCase()
const hex = '0123456789abcdef'
const base32 = `${upper}234567`
const base36 = `0123456789${lower}`
const base62 = base36 + upper
const base64 = `${base62}+/`
const base64url = `${base62}-_`

/** Characters as if drawn by lot, the same in every run: no credential stands in this file. */
function drawn(length: number, alphabet: string, seed = 1): string {
  let text = ''
  for (let i = 0; text.length < length; i++) {
    for (const byte of createHash('sha256').update(`${seed} ${i} ${alphabet}`).digest()) {
      if (text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

function jwt(header: object, seed: number): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encoded(header)}.${encoded({ sub: 'ada', iat: seed })}.${drawn(43, base64url, seed)}`
}

const discordId = Buffer.from('123998877665544332').toString('base64').replace(/=+$/, '')

const known: [string, (seed: number) => string][] = [
  ['abode_token', () => newToken('ab')],
  ['abode_token', () => newToken('abs')],
  ['abode_token', () => newToken('cmn')],
  ['abode_token', () => newToken('act')],
  ['abode_token', () => newToken('lse')],
  ['abode_token', () => newToken('ort')],
  ['anthropic_key', (n) => `sk-ant-api03-${drawn(93, base64url, n)}AA`],
  ['anthropic_key', (n) => `sk-ant-oat01-${drawn(93, base64url, n)}AA`],
  ['openai_key', (n) => `sk-proj-${drawn(74, base64url, n)}T3BlbkFJ${drawn(74, base64url, n + 1)}`],
  ['openai_key', (n) => `sk-${drawn(20, base62, n)}T3BlbkFJ${drawn(20, base62, n + 1)}`],
  ['openai_key', (n) => `sk-${drawn(32, hex, n)}`],
  ['openrouter_key', (n) => `sk-or-v1-${drawn(64, hex, n)}`],
  ['google_key', (n) => `AIza${drawn(35, base64url, n)}`],
  ['hugging_face_token', (n) => `hf_${drawn(34, upper + lower, n)}`],
  ['groq_key', (n) => `gsk_${drawn(52, base62, n)}`],
  ['xai_key', (n) => `xai-${drawn(80, base62, n)}`],
  ['replicate_token', (n) => `r8_${drawn(37, base62, n)}`],
  ['nvidia_key', (n) => `nvapi-${drawn(64, base64url, n)}`],
  ['langsmith_key', (n) => `lsv2_pt_${drawn(32, hex, n)}_${drawn(10, hex, n)}`],
  ['aws_access_key', (n) => `AKIA${drawn(16, base32, n)}`],
  ['aws_access_key', (n) => `ASIA${drawn(16, base32, n)}`],
  ['google_oauth_secret', (n) => `GOCSPX-${drawn(28, base64url, n)}`],
  ['google_oauth_token', (n) => `ya29.${drawn(120, base64url, n)}`],
  ['digitalocean_token', (n) => `dop_v1_${drawn(64, hex, n)}`],
  ['vault_token', (n) => `hvs.${drawn(90, base64url, n)}`],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start): [string, (n: number) => string] => [
    'github_token',
    (n) => start + drawn(36, base62, n),
  ]),
  ['github_token', (n) => `github_pat_${drawn(22, base62, n)}_${drawn(59, base62, n)}`],
  ['gitlab_token', (n) => `glpat-${drawn(20, base64url, n)}`],
  ['gitlab_token', (n) => `glrt-t1_${drawn(27, base64url, n)}.01.${drawn(9, base36, n)}`],
  ['npm_token', (n) => `npm_${drawn(36, base62, n)}`],
  ['pypi_token', (n) => `pypi-AgEIcHlwaS5vcmc${drawn(150, base64url, n)}`],
  ['slack_token', (n) => `xoxb-${drawn(12, '0123456789', n)}-${drawn(24, base62, n)}`],
  [
    'slack_token',
    (n) => `xapp-1-A0${drawn(9, base36, n).toUpperCase()}-5318008531-${drawn(64, hex, n)}`,
  ],
  ['telegram_token', (n) => `8675309421:AA${drawn(33, base64url, n)}`],
  ['discord_token', (n) => `${discordId}.${drawn(6, base64url, n)}.${drawn(38, base64url, n)}`],
  ['twilio_key', (n) => `SK${drawn(32, hex, n)}`],
  ['sendgrid_key', (n) => `SG.${drawn(22, base64url, n)}.${drawn(43, base64url, n)}`],
  ['stripe_key', (n) => `sk_live_${drawn(24, base62, n)}`],
  ['stripe_key', (n) => `sk_test_${drawn(99, base62, n)}`],
  ['stripe_key', (n) => `rk_live_${drawn(24, base62, n)}`],
  ['webhook_secret', (n) => `whsec_${drawn(32, base64, n)}`],
  ['shopify_token', (n) => `shpat_${drawn(32, hex, n)}`],
  ['signed_token', (n) => jwt({ alg: 'HS256', typ: 'JWT' }, n)],
  ['signed_token', (n) => jwt({ typ: 'JWT', kid: 'k', alg: 'EdDSA' }, n)],
]

const kindsIn = (text: string) => secretsIn(text).map(({ kind }) => kind)

describe('credentials of known forms', () => {
  const around: [string, string][] = [
    ['', ''],
    ['My key is ', '.'],
    ['`', '`'],
    ['{"key":"', '"}'],
    ['https://api.example.com/v1?key=', '&page=2'],
    ['line\\n', '\\nline'],
    ['第一、', '。'],
    ['- ', '\n- next'],
  ]
  it.each(known)('finds %s, wherever it stands', (kind, make) => {
    for (const [i, [before, after]] of around.entries()) {
      const text = before + make(i) + after
      const [found, ...others] = secretsIn(text)
      expect(found, text).toMatchObject({ kind })
      expect(others).toEqual([])
      expect(text.slice(0, found?.at)).toMatch(/(?:^|[^A-Za-z0-9]|\\n|\d{10}:)$/)
    }
  })

  it.each(known)('misses hardly one of %s', (_, make) => {
    const missed = Array.from({ length: 200 }, (__, i) => make(i)).filter(
      (text) => secretsIn(text).length === 0,
    )
    expect(missed.length).toBeLessThanOrEqual(2)
  })

  it.each(known.filter(([kind]) => kind !== 'discord_token'))(
    'takes no %s for one that has lost its end, or is written in one letter',
    (_, make) => {
      const text = make(1)
      const start = text.slice(0, 8)
      expect(kindsIn(`${start}…`)).toEqual([])
      expect(kindsIn(`${start}...`)).toEqual([])
      expect(kindsIn(start + 'x'.repeat(text.length - 8))).toEqual([])
    },
  )

  it('finds each of several, in their order and at their places', () => {
    const [github, stripe, hugging] = [drawn(36, base62, 2), drawn(24, base62), drawn(34, upper)]
    const text = `🦊 ghp_${github}\nand sk_live_${stripe} and hf_${hugging}`
    const found = secretsIn(text)
    expect(found.map(({ at }) => at)).toEqual([
      3,
      text.indexOf('and ') + 4,
      text.lastIndexOf(' ') + 1,
    ])
  })

  it('names at most twenty', () => {
    const text = Array.from({ length: 50 }, (_, i) => `ghp_${drawn(36, base62, i)}`).join(' ')
    expect(secretsIn(text)).toHaveLength(20)
  })
})

const { privateKey } = generateKeyPairSync('ed25519')
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
const longPem = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${drawn(64, base64)}\n${drawn(64, base64, 2)}\n`

describe('credentials in their surroundings', () => {
  it.each<[string, string, string]>([
    ['a key in PEM', pem, 'private_key'],
    ['a key in PEM in JSON', JSON.stringify({ key: pem }), 'private_key'],
    ['a key with headers', longPem, 'private_key'],
    ['a key in a quotation', longPem.replaceAll('\n', '\n> '), 'private_key'],
    [
      'a service account',
      JSON.stringify({ type: 'service_account', private_key: pem }),
      'google_service_account',
    ],
    ['a bearer', `curl -H "Authorization: Bearer ${drawn(40, base62)}"`, 'bearer_token'],
    ['a bearer in small letters', `bearer ${drawn(32, hex)}`, 'bearer_token'],
    [
      'a login in a header',
      `Authorization: Basic ${Buffer.from('ada:9vK!2mQx').toString('base64')}`,
      'basic_login',
    ],
    ['a password in an address', 'postgres://app:9vK2mQx@db.corp.io:5432/x', 'password_in_address'],
    ['a password without a user', 'redis://:p8Zk20ffW@cache.corp.io/0', 'password_in_address'],
    [
      'the address of a Slack hook',
      `https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/${drawn(24, base62)}`,
      'webhook_address',
    ],
    [
      'the address of a Discord hook',
      `https://discord.com/api/webhooks/123998877665544332/${drawn(68, base64url)}`,
      'webhook_address',
    ],
    ['a secret in .env', `OPENAI_BASE=x\nDJANGO_SECRET_KEY=${drawn(50, base62)}\n`, 'secret'],
    ['the secret of AWS', `aws_secret_access_key = ${drawn(40, base64)}`, 'secret'],
    ['a key in JSON', `{"apiKey": "${drawn(32, hex)}"}`, 'secret'],
    ['a key in JSON in JSON', `{\\"api_key\\": \\"${drawn(32, hex)}\\"}`, 'secret'],
    ['a key in YAML', `client-secret: '${drawn(40, base62)}'`, 'secret'],
    ['a key in Ruby', `api_key => "${drawn(24, base62)}"`, 'secret'],
    ['a key in Go', `apiKey := "${drawn(24, base62)}"`, 'secret'],
    ['a key in Markdown', `**API key:** \`${drawn(24, base62)}\``, 'secret'],
    ['a key in a header', `X-Api-Key: ${drawn(32, base36)}`, 'secret'],
    ['a key of a storage account', `AccountName=a;AccountKey=${drawn(86, base64)}==;`, 'secret'],
    ['a password in .env', 'DB_PASSWORD=9vK!2mQx', 'password'],
    ['a password in a sentence', 'The password: Tr0ub4dor&3.', 'password'],
    ['a password in code', `const password = 'kY7#pl0Zz'`, 'password'],
    ['a password in a form', 'user=ada&password=kY7pl0ZzQ1&go=1', 'password'],
    ['a numbered password', 'PGPASSWORD_2=kY7pl0ZzQ1', 'password'],
  ])('finds %s', (_, text, kind) => {
    expect(kindsIn(text)).toEqual([kind])
    expect(kindsIn(`Look:\n\n${text}\n\nWhy?`)).toEqual([kind])
  })
})

describe('what is no credential', () => {
  const token = newToken('ab')
  const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  it.each<[string, string]>([
    ['placeholders', 'sk-... sk-ant-api03-... ghp_xxxxxxxx <token> YOUR_KEY ${API_KEY} $TOKEN'],
    [
      'placeholders of full length',
      `ghp_${'x'.repeat(36)} sk-${'0'.repeat(48)} AKIA${'X'.repeat(16)}`,
    ],
    [
      'a spelled placeholder',
      'sk-your-own-api-key-goes-here-please hf_yourTokenYourTokenYourTokenYourTo',
    ],
    ['the examples of AWS', 'AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['its secret, named', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['the alphabet', `ghp_0123456789${lower} api_key=0123456789abcdef0123456789abcdef`],
    ['our own token with a typo', token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
    ['the beginning of our own token', `${token.slice(0, 12)}… ${token.slice(0, 12)}...`],
    ['a mask of our own token', `ab_****${token.slice(-4)} key: ab_…${token.slice(-4)}`],
    ['our own ids', ['run', 'msg', 'evt', 'key', 'tsk'].map((x) => newId(x as 'run')).join(' ')],
    ['our own id behind a name', `secret: ${newId('key')}, "token": "${newId('run')}"`],
    ['a UUID', `${uuid} token: ${uuid} SECRET=${uuid}`],
    ['a commit', 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8'],
    ['hashes', `sha256:${drawn(64, hex)} md5 ${drawn(32, hex)} sha512-${drawn(86, base64)}==`],
    [
      'a hash of a password',
      `password_hash: ${drawn(64, hex)} password: $2b$12$${drawn(53, base62)}`,
    ],
    ['a picture', `![x](data:image/png;base64,${drawn(20_000, base64)}==)`],
    [
      'a certificate',
      `-----BEGIN CERTIFICATE-----\n${drawn(64, base64)}\n-----END CERTIFICATE-----`,
    ],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${drawn(64, base64)}\n`],
    ['a key that is left out', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
    ['a key that is shortened', '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq…\n'],
    ['a key of one letter', `-----BEGIN PRIVATE KEY-----\n${'x'.repeat(64)}\n`],
    ['a public key of SSH', `ssh-ed25519 ${drawn(68, base64)} ada@example.com`],
    ['a publishable key', `pk_live_${drawn(24, base62)} publicKey: "${drawn(40, base62)}"`],
    ['the account of Twilio', `AC${drawn(32, hex)}`],
    ['an unsigned token', `${jwt({ alg: 'none' }, 1)} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.`],
    ['two parts of a token', jwt({ alg: 'HS256' }, 1).split('.').slice(0, 2).join('.')],
    ['the page of a list', `next_page_token=${drawn(40, base62)} nextCursor: ${drawn(40, base62)}`],
    ['a token against forgery', `csrf_token: "${drawn(40, base62)}"`],
    ['a key of idempotency', `Idempotency-Key: ${drawn(32, hex)}`],
    ['reading a secret', 'token = process.env.API_TOKEN; password = os.environ["DB_PASSWORD_1"]'],
    ['reading it from a member', 'secret: config.auth.secret2, api_key=settings.OPENAI_API_KEY'],
    ['asking for it', 'password = getpass.getpass(prompt1), token: readFile("t0ken.txt")'],
    ['a template', 'password: {{ .Values.db.password1 }} token=${{ secrets.TOKEN_1 }} pwd=%PASS1%'],
    [
      'types',
      'password: string, token: Uint8Array, key: ed25519.Ed25519PrivateKey, secret?: Buffer',
    ],
    ['a schema', 'password: z.string().min(8).max(128), secret = models.CharField(max_length=64)'],
    ['words', 'password: required-at-least-8-characters, secret: base64url-encoded-32-bytes'],
    [
      'a sentence',
      'About the token: it expires. The secret: practise, 10000 hours. Key: patience.',
    ],
    ['a comparison', `if (password == "kY7pl0ZzQ1" || token != 'kY7pl0ZzQ1kY7pl0ZzQ1') x >= y`],
    [
      'usual passwords',
      'password=password123 DB_PASSWORD=changeme PGPASSWORD=postgres1 pass: S3cr3t!',
    ],
    ['a usual password in base64', 'password: cGFzc3dvcmQxMjM='],
    [
      'where a secret is kept',
      'secret: op://vault/item1/Fi3ld api_key=vault:v1:8SDd3WHDOjf7mq69Cy',
    ],
    ['an ARN', 'secret: arn:aws:secretsmanager:us-east-1:999988887777:secret:prod/db-AbCdEf'],
    ['a path', 'private_key: ./keys/id_ed25519 secret=/run/secrets/db2-Pa55 token: a/b2/c3/d4/e5'],
    ['counts', 'max_tokens: 4096 token: 128000 pass: 12 secret=1234567890123456'],
    ['a date', 'password: 2026-01-01T00:00:00.000Z token: 2026-01-01'],
    [
      'a login to the own machine',
      'postgres://app:9vK2mQx@localhost:5432/x http://a:b8Zk20ff@127.0.0.1',
    ],
    [
      'a usual login',
      'postgres://user:password@db.corp.io postgres://postgres:postgres@db mysql://root:root@db',
    ],
    ['a login to be filled in', 'https://user:${PASSWORD}@host https://user:<password>@corp.io'],
    [
      'addresses with ports and at signs',
      'http://a.io:8080/@x ssh://git@h.io:22/x https://m.io/@a:b@c',
    ],
    [
      'the word bearer',
      'Bearer authentication-is-used-here-always. A bearer of news: bearer <token>',
    ],
    ['the sample login', 'Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['basic words', 'Basic understanding1234 of Authorization: Basic dXNlcjpwYXNz'],
    ['the samples of a specification', '"access_token":"2YotnFZFEjr1zCsicMWpAA"'],
    ['code', 'getElementsByClassName_ofAllThings, sk_test_function_name, npm_config_registry_url'],
    ['packages', 'npm_package_dependencies_typescript_version hf_transfer_enable_everywhere_now'],
    ['a colon and no more', 'password:'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(kindsIn(text)).toEqual([])
  })

  test.each([...injections, ...refusedInjections])('$name', ({ text }) => {
    expect(kindsIn(text)).toEqual([])
  })
})

/** Milliseconds of the processor, the best of five: a busy machine makes only the others slow. */
function cpuMsOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

describe('the time that it takes', () => {
  const filled = (part: string) => part.repeat(Math.ceil(50_000 / part.length)).slice(0, 50_000)
  const shortened = known.map(([kind, make]): [string, string] => [kind, make(1).slice(0, -1)])
  const worst: [string, string][] = [
    ...known.map(([kind, make]): [string, string] => [`${kind}, whole`, make(1)]),
    ...shortened,
    ...shortened.map(([kind, text]): [string, string] => [`${kind} with blanks`, `${text} `]),
    ...known.map(([kind, make]): [string, string] => [`begun ${kind}`, make(1).slice(0, 4)]),
    ...['M', 'eyJ', '-eyJ', '.eyJ', 'eyJaaaaaaaaaaaaaaaaa.', 'SG.', 'hvs.', 'AA', ':AA', '1:AA']
      .concat(['a', '_', '-', '=', ':', '://', '://a:', '://a:b', '://:aaaaaa@', 'https://h:'])
      .concat(['password:', 'password: ', 'password="', 'password=a1B', 'api_key=', 'secret:=\\"'])
      .concat([
        '-----BEGIN ',
        '-----BEGIN PRIVATE KEY-----',
        'PRIVATE KEY',
        'Bearer ',
        'bearer aaaaa',
      ])
      .concat([
        'Authorization: Basic ',
        'Basic a',
        'BASIC',
        ' ',
        '\t',
        '"',
        '`',
        '*',
        'key ',
        'a key:',
      ])
      .concat([
        'https://hooks.slack.com/services/',
        'https://discord.com/api/webhooks/',
        '&a=',
        '\\n',
      ])
      .map((part): [string, string] => [JSON.stringify(part), part]),
  ]

  it('grows no faster than the text, for any text', () => {
    const slow = worst
      .map(([name, part]): [string, number] => [name, cpuMsOf(() => secretsIn(filled(part)))])
      .filter(([, ms]) => ms > 50)
    expect(slow).toEqual([])
  })

  it('is short for a long run that begins like a credential', () => {
    const starts = ['sk-ant-api03-', 'glpat-', 'eyJ', 'xoxb-', 'password=', '://u:', 'Bearer ']
    const slow = starts
      .map((start): [string, number] => [
        start,
        cpuMsOf(() => secretsIn(start + 'aB3-'.repeat(12_500))),
      ])
      .filter(([, ms]) => ms > 50)
    expect(slow).toEqual([])
  })
})

describe('refusing', () => {
  const secret = `ghp_${drawn(36, base62, 7)}`

  it('passes texts without credentials, and members that are not there', () => {
    noSecrets({ '/title': 'How?', '/body': 'So.', '/notes': null, '/environment': undefined })
    noSecrets({})
  })

  it('says where and what, and nothing of the credential', () => {
    const texts = { '/title': `a ${secret}`, '/body': 'fine', '/tags/0': `DB_PASSWORD=9vK!2mQx` }
    let refusal: unknown
    try {
      noSecrets(texts)
    } catch (error) {
      refusal = error
    }
    if (!(refusal instanceof Refusal)) throw new Error('It was not refused.')
    expect(refusal.toObject('req_1')).toEqual({
      detail: 'The text holds a credential, so nothing was kept.',
      code: 'secret_detected',
      errors: [
        {
          pointer: '/title',
          message: 'holds what looks like a credential (github_token) at character 3',
          code: 'secret_detected',
        },
        {
          pointer: '/tags/0',
          message: 'holds what looks like a credential (password) at character 13',
          code: 'secret_detected',
        },
      ],
      hint: expect.stringContaining('revoke it'),
      request_id: 'req_1',
    })
    expect(refusal.status).toBe(422)
    const said = JSON.stringify(refusal.toObject('')) + String(refusal.stack)
    for (const part of [secret, secret.slice(0, 8), secret.slice(-6), '9vK!2mQx']) {
      expect(said).not.toContain(part)
    }
  })
})
