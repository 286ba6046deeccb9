import * as z from 'zod'
import { isMap } from '../maps.ts'
import { pointerStep } from '../text/text.ts'
import { atOnce, type Steps } from '../turns/portions.ts'
import { Refusal } from '../errors.ts'
import { heavyCharacters, jsonTextAtMost } from './bounds.ts'
import { JsonScan } from './json-scan.ts'
import { isNamesInText, namesIn } from './names-in-text.ts'
import type { Understood } from './understood.ts'
import { walk } from './walk.ts'

/** An input as it was understood. */
export interface Reading {
  value: unknown
  understood: readonly Understood[]
}

/** JSON in all texts of an input together, and of one that anyone may send. */
const jsonAtMost = { all: 4 * heavyCharacters, anyone: jsonTextAtMost }
/** So many are told one by one; of the others only how many there are. */
const toldAtMost = 100
/** From so many characters on, reading the JSON in texts has steps of its own. */
const charactersInStep = 16_384
/** Members and items that are looked at in one step. */
const nodesInStep = 256

type Form = Exclude<Understood['as'], 'document' | 'member' | 'more'>

/** What a schema wants where a text may stand instead. */
interface Wanted {
  as?: Form | undefined
  /** The only values, where there are few. */
  only?: ReadonlySet<unknown> | undefined
  members?: ReadonlyMap<string, Wanted> | undefined
  /** Of the items of a list, and of the values of a map. */
  each?: Wanted | undefined
  /** A list of names, which may come as one text with commas between them. */
  isText?: true
}

const known = new WeakMap<z.core.$ZodType, Wanted | null>()

/** Undefined where a schema wants texts alone, or more than one form: no text can mean only one thing there. */
function wantedBy(schema: z.core.$ZodType): Wanted | undefined {
  const kept = known.get(schema)
  if (kept !== undefined) return kept ?? undefined
  const made = formsOf(schema)
  known.set(schema, made ?? null)
  return made
}

function formsOf(schema: z.core.$ZodType): Wanted | undefined {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  ) {
    return wantedBy(schema.unwrap())
  }
  // What is prepared first, is wanted as what comes out.
  if (schema instanceof z.ZodPipe) return wantedBy(schema.out)
  if (schema instanceof z.ZodNumber) return { as: 'number' }
  if (schema instanceof z.ZodBoolean) return { as: 'boolean' }
  if (schema instanceof z.ZodLiteral) return literal(schema.values)
  if (schema instanceof z.ZodArray) {
    const isText = isNamesInText(schema)
    return { as: 'array', each: wantedBy(schema.element), ...(isText && { isText }) }
  }
  if (schema instanceof z.ZodRecord) return { as: 'object', each: wantedBy(schema.valueType) }
  if (!(schema instanceof z.ZodObject)) return undefined
  const members = Object.entries(schema.shape).flatMap(([name, member]) => {
    const wanted = wantedBy(member)
    return wanted ? [[name, wanted] as const] : []
  })
  return { as: 'object', ...(members.length > 0 && { members: new Map(members) }) }
}

function literal(only: ReadonlySet<unknown>): Wanted | undefined {
  const all = [...only]
  const as = (['number', 'boolean'] as const).find((type) =>
    all.every((one) => typeof one === type),
  )
  return as && { as, only }
}

interface Terms {
  verbatim?: boolean | undefined
  at?: string
  depth?: number
  isAnyones?: boolean
}

/**
 * The value with each text replaced that stands where the schema wants a number, a switch, an object or a
 * list, and that can mean only one; undefined if there is none. A few hundred members in a step.
 * @param verbatim texts inside of JSON are kept as they are, not normalised
 * @param at the pointer of the value, where it is a member of the input
 * @param depth how deep it stands there
 * @param isAnyones the input may come from anyone, and less of it is read
 * @throws Refusal `invalid_input` for a text of JSON that is too long to be read, `too_deep`, `bad_json` for one
 *   that is over the bounds of a body
 */
export function* meantSteps(
  schema: z.core.$ZodType,
  value: unknown,
  { verbatim = false, at = '', depth = at === '' ? 0 : 1, isAnyones = false }: Terms = {},
): Steps<Reading | undefined> {
  const wanted = wantedBy(schema)
  if (!wanted) return undefined
  const reader = new Reader(verbatim, isAnyones ? jsonAtMost.anyone : jsonAtMost.all)
  const meant = yield* reader.read(wanted, value, { at, depth })
  return meant === value ? undefined : { value: meant, understood: reader.told }
}

const anyObject = z.looseObject({})

/**
 * The object in a text of JSON, where a whole input came as a text; undefined if there is none.
 * @param at the pointer of the text
 * @throws Refusal `invalid_input` for JSON that is too long to be read, `too_deep`, `bad_json` for JSON that is over
 *   the bounds of a body
 */
export function textObject(
  text: string,
  { verbatim = false, at }: { verbatim?: boolean | undefined; at: string },
): object | undefined {
  const value = atOnce(meantSteps(anyObject, text, { verbatim, at, depth: 0 }))?.value
  return isMap(value) ? value : undefined
}

/** Where a value stands in the whole: its pointer, and how deep. */
interface Place {
  at: string
  depth: number
}

class Reader {
  readonly #verbatim: boolean
  readonly #understood: Understood[] = []
  #count = 0
  #nodes = 0
  /** Of texts that were read since the last step that was theirs alone. */
  #characters = 0
  /** What is left to read of the texts that are JSON, in characters. */
  #room: number

  constructor(verbatim: boolean, room: number) {
    this.#verbatim = verbatim
    this.#room = room
  }

  get told(): readonly Understood[] {
    const count = this.#count - this.#understood.length
    return count > 0 ? [...this.#understood, { pointer: '', as: 'more', count }] : this.#understood
  }

  *read(wanted: Wanted, sent: unknown, place: Place): Steps<unknown> {
    if (++this.#nodes % nodesInStep === 0) yield
    const value = typeof sent === 'string' ? yield* this.#text(wanted, sent, place) : sent
    if (Array.isArray(value)) {
      return wanted.as === 'array' && wanted.each
        ? yield* this.#items(wanted.each, value, place)
        : value
    }
    if (wanted.as !== 'object' || !isMap(value)) return value
    if (wanted.members) return yield* this.#members(wanted.members, value, place)
    return wanted.each ? yield* this.#entries(wanted.each, value, place) : value
  }

  *#text({ as, only, isText }: Wanted, text: string, place: Place): Steps<unknown> {
    const { at: pointer } = place
    const isJson = as === 'array' || as === 'object'
    const sent = isJson ? yield* this.#json(text, as === 'array', place) : as && scalarIn(text, as)
    const read = sent === undefined && isText ? namesIn(text) : sent
    if (as === undefined || read === undefined || only?.has(read) === false) return text
    this.#count += 1
    if (this.#understood.length < toldAtMost) this.#understood.push({ pointer, as })
    return read
  }

  *#items(wanted: Wanted, items: readonly unknown[], { at, depth }: Place): Steps<unknown> {
    let changed: unknown[] | undefined
    for (const [i, item] of items.entries()) {
      const meant = yield* this.read(wanted, item, { at: `${at}/${i}`, depth: depth + 1 })
      if (meant !== item) (changed ??= [...items])[i] = meant
    }
    return changed ?? items
  }

  *#members(
    wanted: ReadonlyMap<string, Wanted>,
    value: Readonly<Record<string, unknown>>,
    place: Place,
  ): Steps<unknown> {
    let changed: Record<string, unknown> | undefined
    for (const [name, of] of wanted) {
      if (!Object.hasOwn(value, name)) continue
      const meant = yield* this.read(of, value[name], inside(place, name))
      if (meant !== value[name]) (changed ??= { ...value })[name] = meant
    }
    return changed ?? value
  }

  *#entries(
    wanted: Wanted,
    value: Readonly<Record<string, unknown>>,
    place: Place,
  ): Steps<unknown> {
    let changed: Record<string, unknown> | undefined
    for (const [name, entry] of Object.entries(value)) {
      const meant = yield* this.read(wanted, entry, inside(place, name))
      if (meant !== entry) (changed ??= { ...value })[name] = meant
    }
    return changed ?? value
  }

  /** The bounds of a body hold for the JSON in a text, too. */
  *#json(text: string, isList: boolean, { at, depth }: Place): Steps<unknown> {
    const beginning = text.slice(0, jsonTextAtMost).trimStart()
    if (!beginning.startsWith(isList ? '[' : '{')) return undefined
    if (text.length > jsonTextAtMost) throw tooLong(at, 'The text')
    if (text.length > this.#room) throw tooLong(at, 'With the texts before it, the text')
    this.#room -= text.length
    this.#characters += text.length
    const isLong = this.#characters > charactersInStep
    if (isLong) this.#characters = 0
    if (isLong) yield
    new JsonScan().add(Buffer.from(text))
    if (isLong) yield
    const value = parsedJson(text)
    if (isList ? !Array.isArray(value) : !isMap(value)) return undefined
    if (isLong) yield
    const verbatim = this.#verbatim
    const walked = walk(value, { verbatim, charactersAtMost: text.length }, depth)
    return walked.isFaulty ? undefined : walked.value
  }
}

function tooLong(pointer: string, what: string): Refusal {
  const message = `${what} is too long for JSON to be read in it.`
  return new Refusal('invalid_input', message, {
    errors: [{ pointer, message, code: 'too_long' }],
    hint:
      'Send the list or the object itself, not its JSON as a text: in a text up to ' +
      `${jsonTextAtMost} characters of it are understood.`,
  })
}

function inside({ at, depth }: Place, name: string): Place {
  return { at: at + pointerStep(name), depth: depth + 1 }
}

function scalarIn(text: string, as: 'number' | 'boolean'): unknown {
  if (as === 'number') return numberIn(text)
  return text === 'true' ? true : text === 'false' ? false : undefined
}

const digitsAtMost = 17
// No sign but a minus, no zeros in front, no exponent: these are written by no one who means a number alone.
const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

function numberIn(text: string): number | undefined {
  if (text.length > digitsAtMost || !numeral.test(text)) return undefined
  const value = Number(text)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
