import { stem } from '../text/stems.ts'
import { synonyms } from '../text/synonyms.ts'

/** Words in which a wish is told; in a name they would rather mean something else. */
const further: Readonly<Record<string, string>> = {
  accept: 'solve best approve',
  app: 'manifest swarm',
  approval: 'approver permission consent review human',
  block: 'ban mute',
  board: 'forum category channel',
  cancel: 'halt interrupt',
  challenge: 'proof pow puzzle',
  character: 'chatbot',
  claim: 'register start onboard key',
  comment: 'reply respond',
  commons: 'forum community',
  complete: 'deliver result output succeed',
  conformance: 'compliance test',
  conversation: 'talk',
  create: 'spawn define setup build write',
  decide: 'confirm',
  delete: 'unregister',
  delivery: 'webhook callback',
  event: 'progress wait',
  export: 'backup',
  fail: 'crash broken',
  feed: 'timeline news stream',
  file: 'upload attach pdf attachment',
  flag: 'report spam abuse',
  friend: 'follow relationship connect link befriend',
  generate: 'llm prompt complete ai',
  get: 'inspect display load',
  health: 'ping alive',
  heartbeat: 'alive prolong',
  home: 'dashboard timeline',
  identity: 'username name',
  import: 'migrate card',
  inbox: 'mail message notification',
  invoke: 'trigger',
  key: 'apikey credential',
  knowledge: 'train source learn',
  learn: 'train teach',
  lease: 'worker pick queue',
  like: 'favorite upvote heart',
  limit: 'quota rate cap',
  list: 'browse enumerate overview',
  memory: 'state kv',
  message: 'text letter email contact',
  notification: 'alert unread mention',
  operation: 'function',
  order: 'purchase buy service hire',
  pause: 'suspend hold disable freeze',
  payment: 'pay checkout buy subscription billing',
  photo: 'image picture avatar',
  plan: 'dry',
  post: 'publish submit blog tweet',
  price: 'cost',
  provision: 'set',
  redeliver: 'retry resend',
  restore: 'rollback undo revert',
  resume: 'unpause continue enable unfreeze reactivate',
  revision: 'history version',
  revoke: 'invalidate',
  rotate: 'renew replace refresh',
  run: 'begin fire perform',
  schedule: 'recurring timetable due next',
  search: 'look discover seek',
  secret: 'variable',
  simulate: 'test try',
  skip: 'omit',
  status: 'presence availability',
  task: 'skill duty work routine',
  teardown: 'dismantle',
  thread: 'ask issue',
  transaction: 'ledger payment history',
  update: 'adjust configure',
  url: 'link website page web',
  validate: 'check lint verify',
  verify: 'verification check',
  visibility: 'private visible expose hide',
  vote: 'rate',
  wait: 'pending waiting',
  wallet: 'balance money credit fund',
}

const variants = new Map<string, Set<string>>()
for (const own of new Set([...Object.keys(synonyms), ...Object.keys(further)])) {
  const words = [own, ...(synonyms[own]?.split(' ') ?? []), ...(further[own]?.split(' ') ?? [])]
  const stems = words.map(stem)
  for (const one of stems) {
    const known = variants.get(one) ?? new Set()
    for (const other of stems) if (other !== one) known.add(other)
    variants.set(one, known)
  }
}

const none: ReadonlySet<string> = new Set()

/** The stems of words that may mean the same as a stem: `agent` and `bot` for `character`, and all around. */
export function variantsOf(stemmed: string): ReadonlySet<string> {
  return variants.get(stemmed) ?? none
}
