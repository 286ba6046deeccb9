import { nearest } from '../input/nearest.ts'
import { toolName, type OperationFacts } from '../operation-facts.ts'
import { isReading, wordsOfName } from '../text/synonyms.ts'
import { Meant, soughtBy, type Likeness, type Sought } from './meant.ts'
import { addressIn, namedOperation } from './named-operation.ts'
import { otherNamesOf } from './other-names.ts'
import { ranked } from './rank.ts'
import { call } from './reference.ts'
import { endOf, isVerb, listed, plainVerbs, usual, verbs } from './verbs.ts'

type Facts = OperationFacts

/** How well a name has to fit for there to be no doubt, and for it to be worth naming. */
const fits = { well: 0.75, atAll: 0.45 }
/** What a door offers itself is the likelier meaning. */
const ownBonus = 0.1
const methodBonus = 0.05
/** A name that says nothing of reading is rather meant to do something. */
const kindBonus = 0.03
/** What most callers need is. */
const coreBonus = 0.03
const lackMalus = 0.1
/** Nor does a name that says nothing of it mean to end something: no fit is as good. */
const endMalus = 2
const charactersAtMost = 200
const segmentsAtMost = 12
/** A name has no more words between blanks; a wish that is told has. */
const wordsOfNameAtMost = 3

/** Things that hold others, in whose addresses these stand; in the singular, as words of names are. */
const holders = ['character', 'common']

const signposts = new WeakMap<readonly Facts[], Signpost>()

/** That of a catalog which offers all of its operations, made once. */
export function signpostOf(catalog: readonly Facts[]): Signpost {
  const known = signposts.get(catalog)
  if (known) return known
  const made = new Signpost(catalog)
  signposts.set(catalog, made)
  return made
}

/** Leads callers who name something that is not there to what they most likely meant. */
export class Signpost {
  readonly #catalog: readonly Facts[]
  readonly #own: ReadonlySet<string>
  #made: Meant<Facts> | undefined
  #exact: ReadonlyMap<string, Facts> | undefined
  #others: ReadonlySet<string> | undefined

  /** @param own those of the catalog that the door itself offers */
  constructor(catalog: readonly Facts[], own: readonly Facts[] = catalog) {
    this.#catalog = catalog
    this.#own = new Set(own.map(({ name }) => name))
  }

  /**
   * The operation that a name stands for that none has: by its words, then by its letters. An address is read
   * as one, and a wish in a sentence by what it is about, as the search reads it.
   */
  operationMeant(sent: string): Facts | undefined {
    const name = sent.slice(0, charactersAtMost).trim()
    const address = addressIn(name)
    if (address) return this.#atAddress(address.method, address.path)?.likely.of
    if (name.split(/\s+/).length > wordsOfNameAtMost) return this.#wished(name)
    // Every object has members of such names: they are tried, and mean nothing.
    if (name in {}) return undefined
    const said = wordsOfName(name)
    const exact = this.#named.get(keyOf(said))
    if (exact && this.#own.has(exact.name)) return exact
    const likely = this.#meant.find(name, (op) => this.#inFavour(op, said))
    const isWell = likely !== undefined && likely.fit >= fits.well
    // What the door offers itself, before what another one calls so.
    if (exact && !(isWell && this.#own.has(likely.of.name))) return exact
    if (isWell) return likely.of
    const alike = this.#alike(name, said)
    return alike ?? (likely && likely.fit >= fits.atAll ? likely.of : undefined)
  }

  /** What is spelled like a name: words that are known are not misspelled, so it has these. */
  #alike(name: string, said: readonly string[]): Facts | undefined {
    const known = said.filter((word) => this.#meant.knows(word))
    const likely = [...this.#byTool].filter(([tool, op]) => {
      const words = wordsOfName(tool)
      return !this.#endsUnsaid(op, said) && known.every((word) => words.includes(word))
    })
    const spelled = nearest(
      toolName({ name }),
      likely.map(([tool]) => tool),
    )
    return spelled === undefined ? undefined : this.#byTool.get(spelled)
  }

  /** The operation of this very name, in the form of any door of agents, that another door offers. */
  offeredElsewhere(name: string): Facts | undefined {
    const op = namedOperation(this.#catalog, name)
    return op && !op.restOnly && !this.#own.has(op.name) ? op : undefined
  }

  #inFavour(op: Facts, said: readonly string[]): number {
    const { name, http, toolsets } = op
    const isOfKind = (http.method === 'GET') === said.some(isReading)
    const isCore = toolsets.includes('core')
    const bonus = (this.#own.has(name) ? ownBonus : 0) + (isOfKind ? kindBonus : 0)
    return bonus + (isCore ? coreBonus : 0) - (this.#endsUnsaid(op, said) ? endMalus : 0)
  }

  /** Whether an operation ends something, and none of the words says so, not even a misspelled one. */
  #endsUnsaid({ name }: Facts, said: readonly string[]): boolean {
    const end = endOf(name)
    if (end === undefined) return false
    return !said.some(
      (word) =>
        soughtBy(word).has(end) || (!this.#meant.knows(word) && nearest(word, [end]) !== undefined),
    )
  }

  #wished(text: string): Facts | undefined {
    const found = ranked(this.#catalog, text)
    return (found.find(({ op }) => this.#own.has(op.name)) ?? found[0])?.op
  }

  /**
   * The call that a request for an address stands for at which nothing is, as a reference, with what of the
   * address can be said in it.
   * @param isSure only a call of which there is no doubt
   */
  callMeant(method: string, path: string, isSure: boolean): string | undefined {
    const found = this.#atAddress(method, path)
    if (!found || (isSure && found.likely.fit < fits.well)) return undefined
    const { likely, values } = found
    const { name, http } = likely.of
    const steps = http.path.split('/')
    const members = steps.flatMap((step, i) =>
      step.startsWith('{')
        ? [[step.slice(1, -1), valueUnder(steps[i - 1] ?? '', values)] as const]
        : [],
    )
    const areSaid = members.every(([, value]) => value !== undefined)
    return areSaid ? call(name, Object.fromEntries(members)) : call(name)
  }

  /**
   * The call of a documented path, by this method if it has one, as a reference with what the address has in the
   * places of its parameters; undefined for a path of no operation.
   */
  callAt(method: string, documented: string, path: string): string | undefined {
    const there = this.#catalog.filter(({ http }) => http.path === documented)
    const op = there.find(({ http }) => http.method === usual[method]) ?? there[0]
    if (!op) return undefined
    const sent = path.split('/')
    const parts = documented.split('/').map((part, i) => [part, sent[i] ?? ''] as const)
    const values = parts.flatMap(([part, value]) =>
      part.startsWith('{') && value !== '' ? [[part.slice(1, -1), plain(value)] as const] : [],
    )
    return call(op.name, Object.fromEntries(values))
  }

  /** What a request for an address is likely to mean, and what stands in it where ids stand in others. */
  #atAddress(
    method: string,
    path: string,
  ): { likely: Likeness<Facts>; values: Value[] } | undefined {
    const { words, sought, values } = this.#read(method, path)
    if (sought.length === 0) return undefined
    const exact = this.#exactly(method, words, values.length)
    if (exact) return { likely: { of: exact, fit: 1 }, values }
    const likely = this.#meant.find(sought, ({ name, http }) => {
      const isOfKind = (http.method === 'GET') === (usual[method] === 'GET')
      const end = endOf(name)
      if (end !== undefined && !sought.some((one) => one.has(end))) return -endMalus
      const bonus = (http.method === usual[method] ? methodBonus : 0) + (isOfKind ? kindBonus : 0)
      // Of two that fit, the one whose ids were sent.
      return http.path.split('{').length - 1 > values.length ? bonus - lackMalus : bonus
    })
    return likely && likely.fit >= fits.atAll ? { likely, values } : undefined
  }

  /** The operation that an address names as such: with what its method says, or by its words alone. */
  #exactly(method: string, words: readonly string[], ids: number): Facts | undefined {
    // What holds a thing stands in addresses, not in names.
    const bare = words.filter((word) => !holders.some((holder) => soughtBy(word).has(holder)))
    for (const said of bare.length > 0 ? [words, bare] : [words]) {
      for (const verb of plainVerbs[method] ?? []) {
        const found = this.#named.get(keyOf([...said, verb]))
        // What is read by an id is not meant where none was sent.
        const isMeant = method !== 'GET' || ids > 0 || !found?.http.path.includes('{')
        if (found && isMeant) return found
      }
      const found = this.#named.get(keyOf(said))
      const isOfKind =
        method === 'DELETE' || method === 'GET' ? found?.http.method === method : true
      if (found && isOfKind && endOf(found.name) === undefined) return found
    }
    return undefined
  }

  /** What an address says, and what stands where ids stand in others. */
  #read(method: string, path: string): { words: string[]; sought: Sought[]; values: Value[] } {
    const words: string[] = []
    const values: Value[] = []
    let holder: readonly string[] = []
    const segments = path.slice(0, charactersAtMost).split('/').filter(Boolean)
    let isItem = false
    for (const segment of segments.slice(0, segmentsAtMost)) {
      const said = wordsOfName(segment)
      if (said.length === 0) continue
      isItem = !said.every((word) => this.#meant.knows(word) || this.#otherWords.has(word))
      if (isItem) values.push({ value: plain(segment), holder })
      else words.push(...said)
      holder = isItem ? [] : said
    }
    const verb = method === 'GET' && !isItem ? listed : verbs[method]
    const isSaid = words.length > 1 && isVerb(words.at(-1) ?? '')
    if (words.length === 0) return { words, sought: [], values }
    const sought = [...new Set(words)].map(soughtBy)
    return { words, sought: verb && !isSaid ? [...sought, verb] : sought, values }
  }

  get #meant(): Meant<Facts> {
    return (this.#made ??= new Meant(this.#catalog.flatMap(namesOf)))
  }

  /** Operations by the words of each of their names. */
  get #named(): ReadonlyMap<string, Facts> {
    return (this.#exact ??= new Map(
      this.#catalog
        .flatMap((op) => [op.name, ...otherNamesOf(op.name)].map((name) => [name, op] as const))
        .map(([name, op]) => [keyOf(wordsOfName(name)), op] as const)
        .toReversed(),
    ))
  }

  get #otherWords(): ReadonlySet<string> {
    return (this.#others ??= new Set(
      this.#catalog.flatMap(({ name }) => otherNamesOf(name)).flatMap(wordsOfName),
    ))
  }

  get #byTool(): ReadonlyMap<string, Facts> {
    const own = this.#catalog.filter(({ name }) => this.#own.has(name))
    return new Map(own.map((op) => [toolName(op), op]))
  }
}

/** The name of an operation and its aliases, each with what may be said of it too. */
function namesOf(op: Facts): (readonly [op: Facts, name: string, also: string])[] {
  const path = op.http.path.replaceAll(/\{\w+\}/g, '')
  const others = (op.aliases ?? []).map((alias) => [op, alias, `${op.name} ${path}`] as const)
  return [[op, op.name, path], ...others]
}

/** The same for the same words in any order. */
function keyOf(words: readonly string[]): string {
  return words.toSorted().join(' ')
}

/** What stands in an address where ids stand in others, and the words of the step before it. */
interface Value {
  value: string
  holder: readonly string[]
}

/** The value that stands after a step which means this one: an id of one thing is none of another. */
function valueUnder(step: string, values: readonly Value[]): string | undefined {
  // The last word is the thing; those before it tell of which kind.
  const thing = wordsOfName(step).at(-1)
  return values.find(
    ({ holder }) => thing !== undefined && holder.some((said) => soughtBy(said).has(thing)),
  )?.value
}

/** A segment of an address as it was meant. */
function plain(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
