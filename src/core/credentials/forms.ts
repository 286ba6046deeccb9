import { isToken, type TokenPrefix } from '../ids.ts'
import { isRandom } from './random.ts'

/** A form of credential with a prefix of its own. */
export interface Form {
  kind: string
  /** Its prefixes; longer ones are tried first. */
  starts: readonly string[]
  /** The pattern after the prefix; sticky, every repetition bounded. */
  rest: RegExp
  /** Whether a match is a credential; `rest` is the text after the prefix. */
  isReal: (rest: string, start: string, before: string) => boolean
  /** No character that could be part of a longer name may stand before it. */
  isAlone?: true
}

function form(kind: string, starts: readonly string[], rest: RegExp): Form {
  return { kind, starts, rest, isReal: isRandom }
}

function isOurs(rest: string, start: string): boolean {
  const prefixes: Readonly<Record<string, TokenPrefix>> = {
    ab_: 'ab',
    abs_: 'abs',
    cmn_: 'cmn',
    act_: 'act',
    lse_: 'lse',
    ort_: 'ort',
    abt_: 'abt',
    abr_: 'abr',
    abm_: 'abm',
  }
  const prefix = prefixes[start]
  return prefix !== undefined && isToken(start + rest, prefix)
}

/** A header that names its signature algorithm. A token with the algorithm "none" gives no access. */
function isSignedToken(rest: string): boolean {
  const [header = '', , signature = ''] = rest.split('.')
  const text = Buffer.from(`eyJ${header}`, 'base64url').toString('latin1')
  return /"alg"\s*:\s*"(?!none)[A-Za-z0-9]{2,10}"/i.test(text) && isRandom(signature)
}

/** The first part of a Discord token is the number of its bot, in base64. */
function isDiscord(rest: string, start: string): boolean {
  const [id = ''] = (start + rest).split('.')
  return /^\d{17,20}$/.test(Buffer.from(id, 'base64').toString('latin1'))
}

const ours: Form = {
  kind: 'abode_token',
  starts: ['ab_', 'abs_', 'cmn_', 'act_', 'lse_', 'ort_', 'abt_', 'abr_', 'abm_'],
  rest: /[0-9A-Za-z]{38}(?![0-9A-Za-z])/y,
  isReal: isOurs,
}

const models: readonly Form[] = [
  form('anthropic_key', ['sk-ant-'], /[a-z]{3,8}[0-9]{2}-[\w-]{20,255}/y),
  form('openai_key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], /[\w-]{32,255}/y),
  form('openai_key', ['sk-'], /[A-Za-z0-9]{32,128}(?![\w-])/y),
  form('openrouter_key', ['sk-or-'], /v\d-[0-9a-f]{48,64}/y),
  form('google_key', ['AIza'], /[\w-]{35}(?![\w-])/y),
  form('hugging_face_token', ['hf_', 'api_org_'], /[A-Za-z0-9]{34,40}(?![A-Za-z0-9])/y),
  form('groq_key', ['gsk_'], /[A-Za-z0-9]{40,64}/y),
  form('xai_key', ['xai-'], /[A-Za-z0-9_]{60,100}/y),
  form('perplexity_key', ['pplx-'], /[A-Za-z0-9]{40,64}/y),
  form('replicate_token', ['r8_'], /[A-Za-z0-9]{30,40}/y),
  form('nvidia_key', ['nvapi-'], /[\w-]{50,80}/y),
  form('cerebras_key', ['csk-'], /[a-z0-9]{40,60}/y),
  form('together_key', ['tgp_v1_'], /[\w-]{40,50}/y),
  form('pinecone_key', ['pcsk_'], /[A-Za-z0-9_]{40,90}/y),
  form('langsmith_key', ['lsv2_'], /(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/y),
  form('langfuse_key', ['sk-lf-'], /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/y),
  form('tavily_key', ['tvly-'], /(?:dev-|prod-)?[A-Za-z0-9]{30,40}/y),
  form('firecrawl_key', ['fc-'], /[0-9a-f]{32}(?![0-9a-z])/y),
  form('e2b_key', ['e2b_'], /[0-9a-f]{40}(?![0-9a-z])/y),
  form('elevenlabs_key', ['sk_'], /[0-9a-f]{48}(?![0-9a-z])/y),
]

const clouds: readonly Form[] = [
  form('aws_access_key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /[A-Z2-7]{16}(?![A-Za-z0-9])/y),
  form('aws_bedrock_key', ['ABSK'], /[A-Za-z0-9+/]{100,255}={0,2}/y),
  form('google_oauth_secret', ['GOCSPX-'], /[\w-]{28}(?![\w-])/y),
  form('google_oauth_token', ['ya29.'], /[\w-]{30,255}/y),
  form('digitalocean_token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /[0-9a-f]{64}/y),
  form('databricks_token', ['dapi'], /[0-9a-f]{32}(?![0-9a-z])/y),
  form('supabase_key', ['sbp_', 'sb_secret_'], /[\w-]{31,60}/y),
  form('planetscale_token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], /[\w-]{32,64}/y),
  form('vault_token', ['hvs.', 'hvb.'], /[\w-]{24,200}/y),
  form('doppler_token', ['dp.pt.', 'dp.st.', 'dp.ct.'], /[A-Za-z0-9._-]{40,60}/y),
  form('pulumi_token', ['pul-'], /[0-9a-f]{40}(?![0-9a-z])/y),
  form('tailscale_key', ['tskey-'], /[a-z]{3,12}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,64}/y),
  form('age_key', ['AGE-SECRET-KEY-1'], /[0-9A-Z]{58}/y),
]

const code: readonly Form[] = [
  form('github_token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /[A-Za-z0-9]{36,255}/y),
  form('github_token', ['github_pat_'], /[A-Za-z0-9]{22}_[A-Za-z0-9]{40,80}/y),
  form(
    'gitlab_token',
    ['pat', 'dt', 'rt', 'cbt', 'ptt', 'ft', 'imt', 'agent', 'soat', 'oas'].map((x) => `gl${x}-`),
    /(?:t\d_)?[\w-]{20,140}/y,
  ),
  form('gitlab_token', ['GR1348941'], /[\w-]{20}(?![\w-])/y),
  form('npm_token', ['npm_'], /[A-Za-z0-9]{36}(?![A-Za-z0-9])/y),
  form('pypi_token', ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'], /[\w-]{50,255}/y),
  form('rubygems_key', ['rubygems_'], /[0-9a-f]{48}/y),
  form('crates_io_token', ['cio'], /[A-Za-z0-9]{32}(?![A-Za-z0-9])/y),
  form('docker_token', ['dckr_pat_', 'dckr_oat_'], /[\w-]{27,40}/y),
  form('sentry_token', ['sntryu_'], /[0-9a-f]{64}/y),
  form('sentry_token', ['sntrys_eyJ'], /[\w+/=-]{60,255}/y),
  form('grafana_token', ['glsa_'], /[A-Za-z0-9]{32}_[0-9a-f]{8}/y),
  form('new_relic_key', ['NRAK-'], /[A-Z0-9]{27}(?![A-Z0-9])/y),
  form('postman_key', ['PMAK-'], /[0-9a-f]{24}-[0-9a-f]{34}/y),
  form('linear_key', ['lin_api_'], /[A-Za-z0-9]{32,48}/y),
  form('notion_token', ['ntn_'], /[A-Za-z0-9]{40,50}/y),
  form('figma_token', ['figd_'], /[\w-]{38,44}/y),
  form('atlassian_token', ['ATATT3'], /[\w=-]{60,255}/y),
]

const messaging: readonly Form[] = [
  form(
    'slack_token',
    ['a', 'b', 'e', 'o', 'p', 'r', 's'].map((x) => `xox${x}-`),
    /[A-Za-z0-9-]{24,255}/y,
  ),
  form('slack_token', ['xapp-'], /\d-[A-Z0-9]{8,14}-\d{8,16}-[0-9a-f]{40,80}/y),
  {
    kind: 'telegram_token',
    starts: ['AA'],
    rest: /[\w-]{33}(?![\w-])/y,
    isReal: (rest, _, before) => /(?<!\d)\d{8,10}:$/.test(before) && isRandom(rest),
  },
  {
    kind: 'discord_token',
    starts: ['M', 'N', 'O'],
    rest: /[A-Za-z0-9_-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40}/y,
    isReal: isDiscord,
    isAlone: true,
  },
  form('twilio_key', ['SK'], /[0-9a-f]{32}(?![0-9A-Za-z])/y),
  form('sendgrid_key', ['SG.'], /[\w-]{22}\.[\w-]{43}(?![\w-])/y),
  form('mailgun_key', ['key-'], /[0-9a-f]{32}(?![0-9A-Za-z])/y),
  form('resend_key', ['re_'], /[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])/y),
]

const payments: readonly Form[] = [
  form('stripe_key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], /[A-Za-z0-9]{16,200}/y),
  form('webhook_secret', ['whsec_'], /[A-Za-z0-9+/]{24,100}={0,2}/y),
  form('shopify_token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], /[0-9a-f]{32}/y),
  form('square_token', ['sq0csp-', 'sq0atp-'], /[\w-]{22,60}/y),
]

const signed: Form = {
  kind: 'signed_token',
  starts: ['eyJ'],
  rest: /[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{20,1000}/y,
  isReal: isSignedToken,
  isAlone: true,
}

/** Every form that is known by its prefix. */
export const forms: readonly Form[] = [
  ours,
  ...models,
  ...clouds,
  ...code,
  ...messaging,
  ...payments,
  signed,
]
