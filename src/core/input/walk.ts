import { Refusal, type FaultItem } from '../errors.ts'
import type { Steps } from '../turns/portions.ts'
import { composed, hasTooManyMarks, marksAtMost } from './marks.ts'
import { pointerStep } from '../text/text.ts'
import { Upload } from './upload.ts'
import { depthAtMost, heavyNodes, lessDeep, nodesAtMost } from './bounds.ts'

/** Faults that are reported one by one; a longer list helps no one. */
export const faultsAtMost = 100

/** The words of `bad_json` for a member that would reach into the prototype of an object. */
export const forbiddenName = 'A member may not be called "__proto__".'
/** The refusal of such a member. */
export function forbiddenMember(cause?: unknown): Refusal {
  return new Refusal('bad_json', forbiddenName, { cause, hint: 'Give the member another name.' })
}
/** The words of the fault `ill_formed_text`. */
export const illFormed = 'The text is not well-formed Unicode.'

/** A value that was walked once: its texts normalised, and whether something in it cannot be stored. */
export interface Walked {
  value: unknown
  /** It has a text that is not well-formed or cannot be normalised, or a number that would lose precision. */
  isFaulty: boolean
  /** It has so many members and items that each step over all of them is noticeable. */
  isHeavy: boolean
}

/** What a walk checks, and its limits. */
export interface WalkTerms {
  /** Texts are kept exactly as sent, not normalised to NFC. */
  verbatim?: boolean
  /** Characters of all texts together. */
  charactersAtMost: number
}

/**
 * Counts depth, members and characters, and normalises texts once their lengths are known to be allowed.
 * A value that needs no change is returned as it is.
 * @param depth how deep the value stands in a whole input
 * @throws Refusal `too_deep`, `payload_too_large`, `bad_json` for a member called `__proto__`
 */
export function walk(input: unknown, terms: WalkTerms, depth = 0): Walked {
  const walker = new Walker(terms)
  const value = walker.visit(input, depth)
  return { value, isFaulty: walker.isFaulty, isHeavy: walker.nodes > heavyNodes }
}

/** So many members and items, or characters of texts, are one step. */
const nodesOfStep = 256
const charactersOfStep = 65_536

/** Lists and objects of so many members and items are remembered as JSON once they are walked. */
const rememberedFrom = 1000
const walkedJson = new WeakSet<object>()

/** Whether a large value was found to be JSON by a walk in steps, so that it need not be looked through again. */
export function isWalkedJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && walkedJson.has(value)
}

/**
 * The same in steps, for a value that may be large.
 * @throws Refusal `too_deep`, `payload_too_large`, `bad_json` for a member called `__proto__`
 */
export function* walkSteps(input: unknown, terms: WalkTerms): Steps<Walked> {
  const walker = new Walker(terms)
  const value = yield* walker.steps(input, 0)
  return { value, isFaulty: walker.isFaulty, isHeavy: walker.nodes > heavyNodes }
}

class Walker {
  readonly #verbatim: boolean
  #nodesLeft = nodesAtMost
  #charactersLeft: number
  #files = 0
  /** Where the last step ended. */
  #stepped: { nodes: number; characters: number }
  isFaulty = false

  get nodes(): number {
    return nodesAtMost - this.#nodesLeft
  }

  constructor({ verbatim = false, charactersAtMost }: WalkTerms) {
    this.#verbatim = verbatim
    this.#charactersLeft = charactersAtMost
    this.#stepped = { nodes: 0, characters: charactersAtMost }
  }

  visit(value: unknown, depth: number): unknown {
    this.#node()
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') {
      if (!isKept(value)) this.isFaulty = true
      return value
    }
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Upload) return this.#upload(value)
    if (depth >= depthAtMost) {
      const message = `The input is nested more than ${depthAtMost} levels deep.`
      throw new Refusal('too_deep', message, { hint: lessDeep })
    }
    return Array.isArray(value) ? this.#list(value, depth) : this.#members(value, depth)
  }

  *steps(value: unknown, depth: number): Steps<unknown> {
    if (!isContainer(value) || depth >= depthAtMost) return this.visit(value, depth)
    const before = { nodes: this.nodes, files: this.#files }
    this.#node()
    const isList = Array.isArray(value)
    let changed: Record<string, unknown> | undefined
    for (const name of isList ? value.keys() : Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name]
      if (!isList) this.#name(String(name))
      // A generator for each leaf would take longer than the walk itself.
      const visited = isContainer(member)
        ? yield* this.steps(member, depth + 1)
        : this.visit(member, depth + 1)
      // Parsed JSON has no NaN, so values that differ were changed.
      if (visited !== member) (changed ??= copyOf(value))[name] = visited
      if (this.#isStep()) yield
    }
    const walked = changed ?? value
    const isLarge = this.nodes - before.nodes >= rememberedFrom
    if (isLarge && this.#files === before.files) walkedJson.add(walked)
    return walked
  }

  /** Whether enough was walked for one step. */
  #isStep(): boolean {
    const { nodes, characters } = this.#stepped
    const isEnough =
      this.nodes - nodes >= nodesOfStep || characters - this.#charactersLeft >= charactersOfStep
    if (isEnough) this.#stepped = { nodes: this.nodes, characters: this.#charactersLeft }
    return isEnough
  }

  #text(text: string): string {
    this.#charactersLeft -= text.length
    if (this.#charactersLeft < 0) {
      throw new Refusal('payload_too_large', 'The input is too large.')
    }
    if (!isOrderly(text)) {
      this.isFaulty = true
      return text
    }
    return this.#verbatim ? text : composed(text)
  }

  /** The bytes of a file are not text, and have a limit of their own. */
  #upload(file: Upload): Upload {
    this.#files += 1
    this.#charactersLeft -= file.filename.length
    if (!isOrderly(file.filename)) this.isFaulty = true
    return file
  }

  #list(items: unknown[], depth: number): unknown[] {
    let changed: unknown[] | undefined
    for (let i = 0; i < items.length; i++) {
      const visited = this.visit(items[i], depth + 1)
      if (visited !== items[i]) (changed ??= [...items])[i] = visited
    }
    return changed ?? items
  }

  #node(): void {
    if (--this.#nodesLeft >= 0) return
    const message = `The input has more than ${nodesAtMost} members and items.`
    throw new Refusal('too_deep', message, { hint: lessDeep })
  }

  #name(name: string): void {
    if (name === '__proto__') {
      throw forbiddenMember()
    }
    this.#charactersLeft -= name.length
    if (!isOrderly(name)) this.isFaulty = true
  }

  #members(value: object, depth: number): object {
    let changed: Record<string, unknown> | undefined
    for (const [name, member] of Object.entries(value)) {
      this.#name(name)
      const visited = this.visit(member, depth + 1)
      // Parsed JSON has no NaN, so values that differ were changed.
      if (visited !== member) (changed ??= { ...value })[name] = visited
    }
    return changed ?? value
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Upload)
}

/** A list can be changed by its positions like an object by its names. */
function copyOf(value: object): Record<string, unknown> {
  return (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
}

/** Whether a text can be stored, and normalised in time linear in its length. */
function isOrderly(text: string): boolean {
  return text.isWellFormed() && !hasTooManyMarks(text)
}

/** JSON has numbers of any size; a larger integer would change its value. */
function isKept(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** The faults of a walked value; called only if the walk found one. */
export function faultsIn(value: unknown): FaultItem[] {
  const faults: FaultItem[] = []
  const look = (one: unknown, pointer: string): void => {
    if (faults.length >= faultsAtMost) return
    if (typeof one === 'string' && !one.isWellFormed()) {
      faults.push({ pointer, message: illFormed, code: 'ill_formed_text' })
    } else if (typeof one === 'string' && hasTooManyMarks(one)) {
      const message = `More than ${marksAtMost} combining marks follow each other.`
      faults.push({ pointer, message, code: 'too_many_marks' })
    } else if (typeof one === 'number' && !isKept(one)) {
      const message = 'The number is too large to be kept as it is: send it as a text.'
      faults.push({ pointer, message, code: 'number_too_large' })
    } else if (one instanceof Upload) {
      look(one.filename, `${pointer}/filename`)
    } else if (typeof one === 'object' && one !== null) {
      for (const [name, member] of Object.entries(one)) {
        look(name, pointer)
        look(member, pointer + pointerStep(name))
      }
    }
  }
  look(value, '')
  return faults
}
