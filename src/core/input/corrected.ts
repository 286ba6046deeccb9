import * as z from 'zod'
import type { FaultItem } from '../errors.ts'
import { isMap } from '../maps.ts'
import { changesNothing } from '../operation-facts.ts'
import type { Operation } from '../operation.ts'
import { namesKey } from '../admission/misplaced.ts'
import { pointerStep, stepOf } from '../text/text.ts'
import {
  asText,
  bareOf,
  below,
  choicesOf,
  inOtherForm,
  isOptional,
  placeAt,
  withinBounds,
  type Place,
} from './correction/place.ts'
import { suggestedBy } from './correction/rules.ts'
import { choiceMeant, Members, standsFor } from './member-meant.ts'
import { nearest, newEffort } from './nearest.ts'
import { isSecret, mayBePlaceheld } from './shown-secrets.ts'
import { objectMeant } from './wrapper.ts'

/** A call that is longer would hide what is wrong. */
const charactersAtMost = 500

type Facts = Pick<
  Operation,
  'name' | 'example' | 'input' | 'http' | 'reads' | 'marks' | 'destructive'
>

/**
 * The caller's own input put right, to be shown in a hint: what has another name under its right one, what is wrong
 * as the one value that it can have been meant to be, or else as the example has it, and what is missing from the
 * example. Undefined where that would do something else than was asked for, show a secret, or be long.
 * @param sent as the faults point into it
 */
export function corrected(
  op: Facts,
  sent: unknown,
  faults: readonly FaultItem[],
): Record<string, unknown> | undefined {
  const put = new Correction(op, faults).of(isMap(sent) ? sent : {})
  if (put === undefined || JSON.stringify(put).length > charactersAtMost) return undefined
  return op.input.safeParse(put).success ? put : undefined
}

/** It has no value: the call as it was meant is not known. */
const unknown = Symbol('unknown')
/** It is left out. */
const nothing = Symbol('nothing')

class Correction {
  readonly #op: Facts
  readonly #faults: ReadonlyMap<string, FaultItem>
  #left = charactersAtMost
  readonly #isRead: boolean
  #isKnown = true

  constructor(op: Facts, faults: readonly FaultItem[]) {
    this.#op = op
    this.#faults = new Map(faults.map((fault) => [fault.pointer, fault]))
    this.#isRead = changesNothing(op)
  }

  of(sent: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
    const { input, example } = this.#op
    const made = this.#map(sent, { at: '', name: '', schema: input, example })
    return this.#isKnown && this.#left >= 0 ? made : undefined
  }

  #value(was: unknown, place: Place): unknown {
    const fault = this.#faults.get(place.at)
    if (fault) return this.#instead(was, place, fault)
    // A list of one may be sent as that one.
    const isOne = !Array.isArray(was) && this.#faults.has(`${place.at}/0`)
    return this.#copied(isOne ? [was] : was, place)
  }

  /** Bounded: of a long input no more is looked at than would be shown. */
  #copied(was: unknown, place: Place): unknown {
    if (isSecret(this.#op.name, place, was)) return this.#placeholder(place)
    this.#left -= typeof was === 'string' ? was.length : 1
    if (this.#left < 0) return unknown
    if (Array.isArray(was)) {
      const items = was
        .slice(0, charactersAtMost)
        .map((one: unknown, i) => this.#value(one, { ...place, ...below(place, i) }))
      if (items.includes(unknown)) return unknown
      const kept = items.filter((one) => one !== nothing)
      return kept.length === 0 && items.length > 0 ? nothing : kept
    }
    if (!isMap(was)) return was
    return this.#map(inOtherForm(was, place) ?? was, place)
  }

  #map(was: Readonly<Record<string, unknown>>, place: Place): Record<string, unknown> {
    const made: Record<string, unknown> = {}
    const deeper: [steps: string[], value: unknown][] = []
    const missing = this.#missing(was, place.at)
    const sentAs = new Map(missing.map((steps) => [steps, sentInstead(steps, was, place)]))
    const moved = new Set(sentAs.values())
    for (const [name, value] of Object.entries(was)) {
      if (this.#left < 0) break
      if (moved.has(name)) continue
      const fault = this.#faults.get(place.at + pointerStep(name))
      if (fault?.code === 'unknown_member') {
        const moved = this.#renamed(was, place, fault, name)
        if (moved && moved[0].length > 1) deeper.push(moved)
        else if (moved) put(made, ...moved)
      } else put(made, [name], this.#kept(this.#value(value, below(place, name))))
    }
    for (const [steps, value] of deeper) put(made, steps, value)
    for (const steps of missing) {
      if (this.#isGiven(place.at, steps)) continue
      const name = sentAs.get(steps)
      const to = steps.reduce<Place>((at, step) => below(at, step), place)
      const value =
        name === undefined
          ? this.#required(to)
          : this.#carried(was[name], place.at + pointerStep(name), to)
      put(made, steps, this.#kept(value))
    }
    return made
  }

  /** The steps from here to what is missing of a member that was not sent. */
  #missing(was: Readonly<Record<string, unknown>>, at: string): string[][] {
    return [...this.#faults.values()].flatMap(({ pointer, code }) => {
      if (code === 'unknown_member' || !pointer.startsWith(`${at}/`)) return []
      const steps = pointer
        .slice(at.length + 1)
        .split('/')
        .map(stepOf)
      return Object.hasOwn(was, steps[0] ?? '') ? [] : [steps]
    })
  }

  /** Whether something that was sent under another name is what is missing. */
  #isGiven(at: string, [name]: readonly string[]): boolean {
    return [...this.#faults.values()].some(
      ({ pointer, suggestion }) =>
        suggestion?.split('.')[0] === name && pointer.slice(0, pointer.lastIndexOf('/')) === at,
    )
  }

  /** A member that there is not, as the steps to where it belongs; undefined where it has no place. */
  #renamed(
    was: Readonly<Record<string, unknown>>,
    place: Place,
    { suggestion }: FaultItem,
    name: string,
  ): [steps: string[], value: unknown] | undefined {
    const steps = suggestion?.split('.') ?? []
    if (suggestion === undefined || holds(was, steps)) {
      // To leave it out may make it another call, unless that changes nothing.
      if (!this.#isRead && !namesKey(name)) this.#isKnown = false
      return undefined
    }
    const from = place.at + pointerStep(name)
    const to = steps.reduce<Place>((at, step) => below(at, step), place)
    return [steps, this.#kept(this.#carried(was[name], from, to))]
  }

  /** What was sent at another place, unless it is wrong at the right one. */
  #carried(was: unknown, from: string, place: Place): unknown {
    const value = this.#copied(was, { ...place, at: from })
    const result = value === unknown || !place.schema ? undefined : z.safeParse(place.schema, value)
    return result?.error ? (suggestedBy(result.error.issues) ?? this.#meant(was, place)) : value
  }

  #instead(was: unknown, place: Place, { code, suggestion }: FaultItem): unknown {
    if (suggestion !== undefined && code !== 'unknown_member') return suggestion
    return this.#meant(was, place)
  }

  /** The one value that a wrong one can have been meant to be, or that of the example. */
  #meant(was: unknown, place: Place): unknown {
    const choices = choicesOf(place.schema)
    const meant = choices && this.#choice(was, choices)
    if (meant !== undefined) return meant
    // To choose for a switch may be the opposite.
    if (typeof was === 'boolean' && choices) return this.#isRead ? nothing : unknown
    const held = this.#held(was, place)
    if (held !== unknown) return held
    const isShown = !isSecret(this.#op.name, place, was)
    const near =
      withinBounds(place.schema, was) ?? (isShown ? asText(place.schema, was) : undefined)
    if (near !== undefined) return near
    // An example in its place would be kept as one.
    if (!isShown && !this.#isRead) return this.#placeholder(place)
    // What may be left out of a read makes it no other one, as what the example looks for would.
    const isItem = /\/\d+$/.test(place.at)
    const mayLack = this.#isRead && (isItem || !place.schema || isOptional(place.schema))
    return mayLack ? nothing : this.#required(place)
  }

  /** A bare value in the object, or in the list of one, that is wanted there. */
  #held(was: unknown, place: Place): unknown {
    const bare = bareOf(place.schema)
    if (bare instanceof z.ZodArray) {
      if (Array.isArray(was)) return unknown
      const item = below(place, 0)
      const choices = choicesOf(item.schema)
      const one = choices ? (this.#choice(was, choices) ?? unknown) : this.#held(was, item)
      return one === unknown ? unknown : [one]
    }
    if (!(bare instanceof z.ZodObject)) return unknown
    const made =
      inOtherForm(was, place) ?? objectMeant(was, bare, bareOf) ?? asInExample(was, bare, place)
    return made ? this.#copied(made, place) : unknown
  }

  /** By its letters alone where something is changed: what is only like it in meaning may be more than was meant. */
  #choice(was: unknown, choices: readonly string[]): string | undefined {
    const certain = choiceMeant(was, choices)
    if (typeof was !== 'string') return certain
    if (certain !== undefined || !this.#isRead) return certain ?? nearest(was, choices)
    const word = was.toLowerCase()
    const alike = choices.filter((one) => word.startsWith(one) || one.startsWith(word))
    return alike.length === 1 ? alike[0] : new Members(choices).meant(was, newEffort())
  }

  /** What the example has: an id of it may be that of something which the caller has. */
  #required({ at, name, example }: Place): unknown {
    const certain = this.#faults.get(at)?.suggestion
    if (certain !== undefined) return certain
    const isOfAnother = this.#op.destructive === true || this.#op.http.method === 'DELETE'
    if (example === undefined || (isOfAnother && name.endsWith('_id'))) return unknown
    return example
  }

  #placeholder({ name, example }: Place): unknown {
    return mayBePlaceheld(name) && typeof example === 'string' ? example : unknown
  }

  #kept(value: unknown): unknown {
    if (value === unknown) this.#isKnown = false
    return value
  }
}

/** The members of the object that is wanted at a place; undefined where none is. */
export function membersAt(op: Facts, pointer: string): readonly string[] | undefined {
  const bare = bareOf(placeAt(op, pointer).schema)
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : undefined
}

/**
 * The name under which a member that is missing one level down was sent here, where none has that name: its own, or one
 * that stands for it.
 */
function sentInstead(steps: readonly string[], was: object, place: Place): string | undefined {
  if (steps.length < 2) return undefined
  const wanted = steps.at(-1) ?? ''
  return Object.keys(was)
    .slice(0, charactersAtMost)
    .find(
      (name) =>
        (name === wanted || standsFor(name, wanted)) && below(place, name).schema === undefined,
    )
}

/** Whether something was sent at these steps, or what holds no members before the last of them. */
function holds(was: unknown, steps: readonly string[]): boolean {
  const [name, ...rest] = steps
  if (name === undefined || !isMap(was)) return was !== undefined && was !== null
  return Object.hasOwn(was, name) && holds(was[name], rest)
}

/** The only member that the example has of an object, with a text that came in its place. */
function asInExample(was: unknown, bare: z.ZodObject, { example }: Place): object | undefined {
  const [name, ...more] = isMap(example) ? Object.keys(example) : []
  if (typeof was !== 'string' || name === undefined || more.length > 0) return undefined
  const made = { [name]: was }
  return bare.safeParse(made).success ? made : undefined
}

function put(made: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [name = '', ...rest] = steps
  if (value === nothing || value === unknown) return
  if (rest.length === 0) {
    made[name] = value
    return
  }
  const inner = made[name]
  // It may be that of the example.
  const holder = isMap(inner) ? { ...inner } : {}
  made[name] = holder
  put(holder, rest, value)
}
