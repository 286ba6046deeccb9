import { meaningsOf, wordsOfName } from '../text/synonyms.ts'
import { nearest, type Effort } from './nearest.ts'

/** The steps to members within objects, with points between them, by their names. */
type Within = () => ReadonlyMap<string, string> | undefined

interface Member {
  name: string
  words: readonly string[]
}

/** Names of other services for members here, which have none of the same words. */
const elsewhere: Readonly<Record<string, string>> = {
  agent_name: 'char_id',
  as: 'as_char_id',
  claim_token: 'token',
  count: 'limit',
  display_name: 'name',
  expression: 'cron',
  from: 'char_id',
  handle: 'as_char_id',
  is_public: 'profile_visibility',
  isPublic: 'profile_visibility',
  link: 'url',
  max_results: 'limit',
  nonce: 'counter',
  ns: 'namespace',
  page_size: 'limit',
  patch: 'character',
  pattern: 'cron',
  per_page: 'limit',
  public: 'profile_visibility',
  reason: 'error',
  schedule: 'cron',
  scope: 'scope_char_id',
  subject: 'title',
  question: 'q',
  task_name: 'task_id',
  to_char_id: 'to',
  top_k: 'limit',
  tz: 'timezone',
  version: 'revision',
}

/** What is meant where its own place is taken: who calls is named, and so is whom. */
const instead: Readonly<Record<string, readonly string[]>> = {
  agent: ['scope_char_id'],
  agent_id: ['handle'],
  char_id: ['handle'],
  character_id: ['handle'],
  from: ['friend_id'],
  name: ['char_id', 'task_id', 'app_id'],
  type: ['format', 'kind'],
}

/** Whether a name of other services is one for this member. */
export function standsFor(sent: string, member: string): boolean {
  return Object.hasOwn(elsewhere, sent) && elsewhere[sent] === member
}

/** Words of other services for choices here, so certain that they may be shown where something is changed. */
const otherChoices: Readonly<Record<string, string>> = {
  accept: 'approve',
  accepted: 'approve',
  chat: 'message',
  crontab: 'cron',
  declined: 'reject',
  decline: 'reject',
  denied: 'reject',
  deny: 'reject',
  hidden: 'private',
  http: 'webhook',
  interval: 'cron',
  no: 'reject',
  schedule: 'cron',
  scheduled: 'cron',
  timer: 'cron',
  yes: 'approve',
}

/** The choice that a word stands for in any case of its letters, or a switch; undefined where it is not certain. */
export function choiceMeant(sent: unknown, choices: readonly string[]): string | undefined {
  if (typeof sent === 'boolean') {
    return choices.includes('private')
      ? choices.find((one) => one === levelOf[`${sent}`])
      : undefined
  }
  if (typeof sent !== 'string') return undefined
  const word = sent.toLowerCase()
  const meant = Object.hasOwn(otherChoices, word) ? otherChoices[word] : word
  return choices.find((one) => one === meant)
}

/** What a switch says where a level is chosen. */
const levelOf = { true: 'public', false: 'private' }

/** Names of members, with what is known of their words; made when the first unknown member asks. */
export class Members {
  readonly #names: Iterable<string>
  readonly #within: Within
  #read: readonly Member[] | undefined

  /** @param within where members of other names are, in the objects of this one */
  constructor(names: Iterable<string>, within: Within = () => undefined) {
    this.#names = names
    this.#within = within
  }

  /**
   * The member that a name stands for that none has: the one that is spelled in another way, that is the same in
   * other words, that has it in its object, or that is nearest by its letters; for a bare "id" or "token", the first that is one.
   */
  meant(sent: string, effort: Effort): string | undefined {
    this.#read ??= [...this.#names].map((name) => ({ name, words: wordsOfName(name) }))
    const sought = wordsOfName(sent)
    const others = this.#read.filter(({ name }) => name !== sent)
    const found =
      others.find(({ words }) => isSame(sought, words, isEqual)) ??
      others.find(({ name }) => standsFor(sent, name)) ??
      others.find(({ words }) => isSame(sought, words, mayMean)) ??
      (isBare(sent)
        ? others.find(({ name }) => name.endsWith(`_${sent.toLowerCase()}`))
        : undefined)
    return (
      (found ?? longer(sought, others))?.name ??
      others.find(({ name }) => Object.hasOwn(instead, sent) && instead[sent]?.includes(name))
        ?.name ??
      this.#within()?.get(sent) ??
      nearest(sent, this.#names, effort)
    )
  }
}

/**
 * The only member whose name says the same and one word more, as "task_id" for "task": in the same words, or else
 * in others; or the only one that begins so, as "root_run_id" for "root".
 */
function longer(sought: readonly string[], others: readonly Member[]): Member | undefined {
  if (sought.length === 0) return undefined
  for (const isMeant of [isEqual, mayMean]) {
    const found = others.filter(
      ({ words }) =>
        words.length === sought.length + 1 &&
        sought.every((one) => words.some((word) => isMeant(one, word))),
    )
    if (found.length > 0) return found.length === 1 ? found[0] : undefined
  }
  const [first, ...more] = sought
  const begun = others.filter(({ words }) => words.length === 3 && words[0] === first)
  return more.length === 0 && begun.length === 1 ? begun[0] : undefined
}

/** Whether a name says what something is, and not of what. */
function isBare(name: string): boolean {
  return /^(?:id|token)$/i.test(name)
}

/** Whether two names have the same words, in any order. */
function isSame(
  sought: readonly string[],
  words: readonly string[],
  isMeant: (a: string, b: string) => boolean,
): boolean {
  return (
    sought.length > 0 &&
    sought.length === words.length &&
    sought.every((one) => words.some((word) => isMeant(one, word)))
  )
}

function isEqual(one: string, other: string): boolean {
  return one === other
}

function mayMean(one: string, other: string): boolean {
  if (one === other) return true
  const meanings = [one, ...meaningsOf(one)]
  return meanings.includes(other) || meaningsOf(other).some((meaning) => meanings.includes(meaning))
}
