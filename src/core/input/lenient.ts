import type * as z from 'zod'
import { isMap } from '../maps.ts'
import { pointerTo } from '../text/text.ts'
import { heavyCharacters } from './bounds.ts'
import { JsonScan } from './json-scan.ts'
import type { Understood } from './understood.ts'
import { walk } from './walk.ts'

/** An input as it was understood. */
export interface Reading {
  value: unknown
  understood: readonly Understood[]
}

/** What is left to read of the texts of one input that are JSON, in characters. */
export interface JsonRoom {
  left: number
}

/** Reading more at once would hold up the event loop. */
const jsonCharactersAtMost = 4 * heavyCharacters

/** The room for the JSON in the texts of one input. */
export function jsonRoom(): JsonRoom {
  return { left: jsonCharactersAtMost }
}

/**
 * The value with each text replaced that stands where the schema wants a number, a switch, an object or a
 * list, and that can mean only one; undefined if there is none.
 * @param issues what the schema has against the value
 * @param verbatim texts inside of JSON are kept as they are, not normalised
 * @throws Refusal `too_deep`, `bad_json` for JSON in a text that is over the bounds of a body
 */
export function converted(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  room: JsonRoom,
  verbatim = false,
): Reading | undefined {
  const understood: Understood[] = []
  let whole = value
  for (const issue of issues) {
    if (issue.code !== 'invalid_type') continue
    const text = at(whole, issue.path)
    if (typeof text !== 'string') continue
    const as = formOf(issue.expected)
    const read = as && readAs(text, as, { room, verbatim, depth: issue.path.length })
    if (as === undefined || read === undefined) continue
    whole = replaced(whole, issue.path, read)
    understood.push({ pointer: pointerTo(issue.path), as })
  }
  return understood.length > 0 ? { value: whole, understood } : undefined
}

type Form = Exclude<Understood['as'], 'document'>

const forms: Readonly<Record<string, Form>> = {
  number: 'number',
  int: 'number',
  boolean: 'boolean',
  object: 'object',
  record: 'object',
  array: 'array',
}

function formOf(expected: string): Form | undefined {
  return Object.hasOwn(forms, expected) ? forms[expected] : undefined
}

interface Terms {
  room: JsonRoom
  verbatim: boolean
  /** How deep the text stands in the input. */
  depth: number
}

function readAs(text: string, as: Form, terms: Terms): unknown {
  if (as === 'number') return numberIn(text)
  if (as === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  return jsonIn(text, as === 'array', terms)
}

const digitsAtMost = 17
// No sign but a minus, no zeros in front, no exponent: these are written by no one who means a number alone.
const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

function numberIn(text: string): number | undefined {
  if (text.length > digitsAtMost || !numeral.test(text)) return undefined
  const value = Number(text)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value
}

/** The bounds of a body hold for the JSON in a text, too. */
function jsonIn(text: string, isList: boolean, terms: Terms): unknown {
  const { room, verbatim, depth } = terms
  if (!text.trimStart().startsWith(isList ? '[' : '{') || text.length > room.left) return undefined
  room.left -= text.length
  new JsonScan().add(Buffer.from(text))
  const value = parsedJson(text)
  if (isList ? !Array.isArray(value) : !isMap(value)) return undefined
  const walked = walk(value, { verbatim, charactersAtMost: text.length }, depth)
  return walked.isFaulty ? undefined : walked.value
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    // An object or a list that has this member itself.
    found = (found as Record<PropertyKey, unknown>)[step]
  }
  return found
}

/** A copy, as far as it differs: what was sent stays as it is. */
function replaced(value: unknown, [step, ...rest]: readonly PropertyKey[], by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value)) {
    return value.with(Number(step), replaced(value[Number(step)], rest, by))
  }
  // `at` has found the path.
  const holder = value as Record<PropertyKey, unknown>
  return { ...holder, [step]: replaced(holder[step], rest, by) }
}
