/**
 * Words of this service, each with those by which others call the same thing. They stand as they are written in
 * names: in the singular, in lower case.
 */
export const synonyms: Readonly<Record<string, string>> = {
  account: 'me user profile whoami self',
  action: 'function',
  app: 'application team crew bundle project',
  approval: 'approve reject deny sign_off gate',
  body: 'text content message markdown',
  cancel: 'abort stop kill terminate end',
  character: 'agent bot assistant persona char',
  claim: 'signup join enroll',
  clone: 'copy duplicate fork',
  complete: 'finish done submit resolve',
  completed: 'done finished succeeded success successful ok',
  conversation: 'chat dm',
  create: 'add new make register insert post',
  decide: 'approve reject deny decision',
  decision: 'approve reject verdict vote answer decide',
  delete: 'remove destroy drop erase',
  event: 'stream log follow watch',
  export: 'download dump',
  fail: 'error failed',
  failed: 'error errored failure broken',
  friend: 'connection contact edge to',
  get: 'read show fetch view describe retrieve detail status info recall',
  handle: 'username nickname',
  heartbeat: 'keepalive ping beat renew extend',
  hook: 'webhook',
  identity: 'handle member profile user',
  import: 'upload',
  input: 'prompt message text payload arg argument data question',
  invoke: 'call execute',
  item: 'document doc entry',
  key: 'token',
  knowledge: 'document doc file rag',
  learn: 'ingest index crawl',
  lease: 'claim acquire poll dequeue take next pull checkout work',
  list: 'all index',
  log: 'history',
  manifest: 'spec blueprint definition yaml',
  memory: 'remember recall note store',
  message: 'msg chat dm mail inbox',
  name: 'title label',
  operation: 'tool method endpoint capability',
  output: 'result response answer',
  plan: 'diff preview',
  post: 'create',
  preview: 'next upcoming',
  provision: 'deploy install launch create apply',
  put: 'set store save write',
  q: 'query search text keyword',
  queued: 'pending waiting open',
  query: 'search find text keyword',
  remove: 'delete unfriend drop',
  reply: 'comment answer response respond',
  request: 'ask invite add create',
  revoke: 'delete remove disable',
  rollback: 'undo revert',
  run: 'execute start trigger launch invoke dispatch execution job',
  running: 'progress active working started executing',
  schedule: 'cron timer calendar',
  search: 'find query lookup',
  secret: 'credential env password',
  send: 'post write deliver create',
  task: 'job step',
  teardown: 'delete remove destroy uninstall undeploy',
  thread: 'topic question discussion post',
  to: 'recipient receiver target',
  update: 'edit modify change set patch replace put rename',
  value: 'content data',
  verify: 'confirm test',
  visibility: 'publish share public privacy',
  vote: 'upvote downvote',
}

const meanings: ReadonlyMap<string, readonly string[]> = turned()

/** By the words of others, those of this service that may be meant. */
function turned(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [own, others] of Object.entries(synonyms)) {
    for (const other of others.split(' ')) {
      const known = found.get(other)
      if (known) known.push(own)
      else found.set(other, [own])
    }
  }
  return found
}

/** The words of this service that a word of others may stand for, in the singular. */
export function meaningsOf(word: string): readonly string[] {
  return meanings.get(word) ?? []
}

/** The words of others for a word of this service, in the singular. */
export function synonymsOf(word: string): readonly string[] {
  return Object.hasOwn(synonyms, word) ? (synonyms[word] ?? '').split(' ') : []
}

/** Words that say what is done with a thing of any kind, which tell less than the name of the thing. */
const generic: ReadonlySet<string> = new Set(['create', 'delete', 'get', 'list', 'put', 'update'])

/** Whether a word, or one that it may stand for, is said of things of every kind. */
export function isGeneric(word: string): boolean {
  return generic.has(word) || meaningsOf(word).some((meaning) => generic.has(meaning))
}

/** Whether a word is about reading. */
export function isReading(word: string): boolean {
  return reading.has(word) || meaningsOf(word).some((meaning) => reading.has(meaning))
}

const reading: ReadonlySet<string> = new Set(['event', 'export', 'get', 'list', 'log', 'search'])

/** A word in the singular, as the table has it. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 2 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const charactersAtMost = 200
const wordsAtMost = 12
/** They tell nothing of what is meant. */
const empty = new Set([
  'a',
  'an',
  'the',
  'my',
  'of',
  'for',
  'in',
  'on',
  'by',
  'api',
  'abode',
  'v1',
  'v2',
])

/** The words of a name or a path in any spelling, in the singular, each once; what is long is cut. */
export function wordsOfName(name: string): string[] {
  const spread = name
    .slice(0, charactersAtMost)
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
  const words = (spread.match(/[a-z0-9]+/g) ?? []).map(singular)
  return [...new Set(words)].filter((word) => !empty.has(word)).slice(0, wordsAtMost)
}
