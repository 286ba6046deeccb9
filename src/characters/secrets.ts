import type { Ports } from '#src/core/context.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import { opened } from './secret-shelf.ts'

/** What stands where a secret stood. */
const mask = '[secret]'
/** Shorter values are not looked for: they would be found where nobody wrote them. */
const shortestScrubbed = 6

type Needed = Pick<Ports, 'store' | 'sealer'>
type Selecting = Pick<StoredTask, 'char_id' | 'selected_secrets'>

/**
 * What one reading of a task was given. Whoever scrubs what came of the work has to know the very
 * values that the work had, also when they were changed meanwhile.
 */
const given = new WeakMap<Selecting, Promise<Record<string, string>>>()

/**
 * The values of the secrets that a task selects, by name; those that the agent does not have are
 * left out. The same task object is given the same values again.
 * @throws Unavailable
 */
export function secretsFor(ports: Needed, task: Selecting): Promise<Record<string, string>> {
  if (task.selected_secrets.length === 0) return Promise.resolve({})
  const known = given.get(task)
  if (known) return known
  const values = open(ports, task)
  given.set(task, values)
  values.catch(() => given.delete(task))
  return values
}

async function open(
  { store, sealer }: Needed,
  { char_id, selected_secrets }: Selecting,
): Promise<Record<string, string>> {
  const shelf = await store.secrets.get(char_id)
  return shelf ? opened(shelf, selected_secrets, sealer) : {}
}

const none: readonly string[] = []

/** Secrets of its agent's settings that a run was given, by the reading of its task. */
const settingsGiven = new WeakMap<Selecting, readonly string[]>()

/** Notes what a run sends to the tool servers of its agent, for whoever scrubs what comes of it. */
export function noteSettingsGiven(task: Selecting, values: readonly string[]): void {
  if (values.length > 0) settingsGiven.set(task, values)
}

/** What was noted so of a task that was read for a run. */
export function givenSettings(task: Selecting): readonly string[] {
  return settingsGiven.get(task) ?? none
}

const tokens = /(?:abs?|cmn|act|lse|ort)_[0-9A-Za-z]{38}/g
const tokenLength = 42

/** Cleans a text of what must not be kept. */
export interface Scrub {
  (text: string): string
  /** The longest that it takes out, in characters: a text that is cut must not be cut inside. */
  readonly longest: number
  /** The longest that holds a blank or the end of a line. */
  readonly longestSpaced: number
}

/**
 * Replaces every occurrence of these values with `[secret]`, also JSON-escaped, URL-encoded or in
 * base64, and everything in the form of a token of ours. Values under 6 characters are left.
 */
export function scrubber(values: Iterable<string>): Scrub {
  // Headers and lines lose the blanks around them.
  const all = [...values].flatMap((value) => [value, value.trim()])
  const long = all.filter((value) => value.length >= shortestScrubbed)
  // The longest first: a value that is part of another must not break it up.
  const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  const scrub = (text: string): string => {
    let clean = text
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, mask)
    return clean.includes('_') ? clean.replaceAll(tokens, mask) : clean
  }
  return Object.assign(scrub, {
    longest: Math.max(tokenLength, forms[0]?.length ?? 0),
    longestSpaced: forms.find((form) => /[ \n]/.test(form))?.length ?? 0,
  })
}

/** The same JSON value, of the same form, with every text in it cleaned, names of members too. */
export function scrubbedValue<T>(value: T, scrub: (text: string) => string): T {
  // Texts become texts, lists lists and maps maps, so that the form stays.
  return cleaned(value, scrub) as T
}

function cleaned(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cleaned(item, scrub))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [scrub(name), cleaned(member, scrub)]),
  )
}

/** How a value may stand in a text. */
function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1)
  const percent = [
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
  ]
  return [
    value,
    escaped,
    escaped.replaceAll('/', '\\/'),
    // In JSON that quotes JSON as a text, as who answers with what it was sent does.
    JSON.stringify(escaped).slice(1, -1),
    escaped.replaceAll(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    ...percent,
    ...percent.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase())),
    ...base64FormsOf(value),
  ]
}

/**
 * In base64 a value looks different at each of three offsets, as in `user:value` of Basic
 * authorization; the letters that its neighbours share are left out.
 */
function base64FormsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const whole = text.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + bytes.length) * 8) / 6),
    )
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
