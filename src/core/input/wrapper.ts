import * as z from 'zod'
import { isMap } from '../maps.ts'
import type { Operation } from '../operation.ts'
import { documentedAs } from '../schema.ts'
import { meaningsOf, wordsOfName } from '../text/synonyms.ts'
import { pointerStep } from '../text/text.ts'
import type { FaultItem } from '../errors.ts'
import type { Reading } from './lenient.ts'
import { Members } from './member-meant.ts'
import { newEffort } from './nearest.ts'

/** The document of an operation, where it is told from other members by their names alone. */
interface Wrapper {
  /** The member of the input that is the document. */
  member: string
  /** The names of its own members. */
  names: ReadonlySet<string>
  /** The other members of the input that a body may bring. */
  others: ReadonlySet<string>
}

const wrappers = new WeakMap<Operation, Wrapper | null>()

function wrapperOf(op: Operation): Wrapper | null {
  const known = wrappers.get(op)
  if (known !== undefined) return known
  const made = madeFor(op)
  wrappers.set(op, made)
  return made
}

function madeFor({ document: member, input, http }: Operation): Wrapper | null {
  const schema = member === undefined ? undefined : input.shape[member]
  if (member === undefined || schema === undefined || http.raw) return null
  const shown = documentedAs.get(schema)?.schema ?? schema
  if (!(shown instanceof z.ZodObject)) return null
  const names = new Set(Object.keys(shown.shape))
  // Such a member could be either.
  if (names.has(member)) return null
  const inHeaders = new Set(Object.keys(http.headers ?? {}))
  const others = Object.keys(input.shape).filter((name) => name !== member && !inHeaders.has(name))
  return { member, names, others: new Set(others) }
}

/** A document as it was understood, or why it could be read in two ways. */
type Unwrapped = Reading & { fault?: FaultItem }

/**
 * The input without a second wrapper: `{character: {character: {…}}}`, as a body `{character: {…}}` becomes
 * where the body is the document, also where that one has another name, as `agent`. What stands next to it, as
 * `dry_run`, are members of the input. Undefined where there is none.
 */
export function unwrapped(op: Operation, input: unknown): Unwrapped | undefined {
  if (op.document === undefined || !isMap(input)) return undefined
  const holder = input[op.document]
  const wrapper = isMap(holder) && wrapperOf(op)
  if (!wrapper) return undefined
  const { member } = wrapper
  const name = Object.hasOwn(holder, member) ? member : otherName(holder, wrapper)
  if (name === undefined) return undefined
  const { [name]: inner, ...others } = holder
  if (!isDocument(inner)) return undefined
  const understood = [{ pointer: pointerStep(member), as: 'document' as const }]
  for (const [name, value] of Object.entries(others)) {
    const isSame = !Object.hasOwn(input, name) || isEqual(input[name], value)
    if (wrapper.others.has(name) && isSame) continue
    return { value: input, understood, fault: twofold(member, name) }
  }
  return { value: { ...input, ...others, [member]: inner }, understood }
}

/** What documents hold, whose names are said for them too. */
const alsoNamed: Readonly<Record<string, string>> = { manifest: 'app' }

/** The name of the only member that is none of the input, where it is another name of the document and holds one. */
function otherName(
  holder: Readonly<Record<string, unknown>>,
  { member, names, others }: Wrapper,
): string | undefined {
  let found: string | undefined
  for (const name in holder) {
    if (others.has(name)) continue
    if (found !== undefined || names.has(name) || !isNameOf(member, name)) return undefined
    found = name
  }
  const inner = found === undefined ? undefined : holder[found]
  const isKnown = isMap(inner)
    ? Object.keys(inner).some((one) => names.has(one))
    : isDocument(inner)
  return isKnown ? found : undefined
}

/** Whether each word of a name may stand for the document. */
function isNameOf(member: string, name: string): boolean {
  const meant = [member, alsoNamed[member]]
  const words = wordsOfName(name)
  return (
    words.length > 0 &&
    words.every((word) => [word, ...meaningsOf(word)].some((one) => meant.includes(one)))
  )
}

function isDocument(value: unknown): boolean {
  return isMap(value) || (typeof value === 'string' && value.trimStart().startsWith('{'))
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function twofold(member: string, name: string): FaultItem {
  const message =
    `The document holds a document "${member}" and next to it "${name.slice(0, 100)}", so that it ` +
    'can be read in two ways: send one document.'
  return { pointer: pointerStep(member) + pointerStep(name), message, code: 'ambiguous' }
}

/** Of so many members that are none of the document's, it is asked what they were meant to be. */
const comparedAtMost = 100

/**
 * The input with its document under the right name, or with members that belong to the document put into it, where the
 * document itself is missing: flat where the door wraps. Additional members are the document's too, but for what looks
 * like another member of the input, which its schema refuses. Undefined where no member is one that the document names.
 */
export function wrapped(op: Operation, input: unknown): Reading | undefined {
  if (op.document === undefined || !isMap(input) || Object.hasOwn(input, op.document)) {
    return undefined
  }
  const wrapper = wrapperOf(op)
  if (!wrapper) return undefined
  const { member, names } = wrapper
  const understood = [{ pointer: pointerStep(member), as: 'document' as const }]
  const other = otherName(input, wrapper)
  if (other !== undefined) {
    const { [other]: value, ...rest } = input
    return { value: { ...rest, [member]: value }, understood }
  }
  const stray = Object.keys(input).filter((name) => !Object.hasOwn(op.input.shape, name))
  if (!stray.some((name) => names.has(name))) return undefined
  const misspelled = misspelledIn(stray, input, wrapper)
  const rest: Record<string, unknown> = {}
  const document: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const isOther = Object.hasOwn(op.input.shape, name) || misspelled.has(name)
    // An id may name both: what is changed, and the document of it.
    if (isOther) rest[name] = value
    if (!isOther || names.has(name)) document[name] = value
  }
  return { value: { ...rest, [member]: document }, understood }
}

/** Those that are nearer to another member of the input, as `dry_rum`: kept in a document they would do nothing. */
function misspelledIn(
  stray: readonly string[],
  input: Readonly<Record<string, unknown>>,
  { names, others }: Wrapper,
): ReadonlySet<string> {
  const effort = newEffort()
  const missing = new Members([...others].filter((name) => !Object.hasOwn(input, name)))
  const unknown = stray.filter((name) => !names.has(name)).slice(0, comparedAtMost)
  return new Set(unknown.filter((name) => missing.meant(name, effort) !== undefined))
}

/**
 * The input with members that its operation understands by another name under their own. Undefined where there are
 * none, or where two say the same: then none of them is read.
 */
export function renamed(
  { understands, input: { shape } }: Operation,
  input: unknown,
): Reading | undefined {
  if (!understands || !isMap(input)) return undefined
  const value: Record<string, unknown> = {}
  const said: Record<string, unknown> = {}
  let isTwofold = false
  for (const [name, member] of Object.entries(input)) {
    const own = Object.hasOwn(shape, name) || !Object.hasOwn(understands, name)
    const meant = own ? undefined : understands[name]?.(member)
    if (!meant) {
      value[name] = member
      continue
    }
    isTwofold ||= Object.keys(meant).some(
      (one) => Object.hasOwn(said, one) || Object.hasOwn(input, one),
    )
    Object.assign(said, meant)
  }
  const names = Object.keys(said)
  if (isTwofold || names.length === 0) return undefined
  const understood = names.map((name) => ({ pointer: pointerStep(name), as: 'member' as const }))
  return { value: { ...value, ...said }, understood }
}

/** Members in which calls hold their input. */
const inputMembers = ['arguments', 'params', 'args', 'parameters', 'payload', 'input'] as const

/**
 * The input that stands one level too low, as the arguments of a call within those of a call. Undefined where one of its
 * members is none of the input, or stands next to it too.
 */
export function unfolded({ input: { shape } }: Operation, input: unknown): Reading | undefined {
  if (!isMap(input)) return undefined
  const [member, ...more] = Object.keys(input).filter((name) => !Object.hasOwn(shape, name))
  if (member === undefined || more.length > 0 || !isInputMember(member)) return undefined
  const { [member]: inner, ...rest } = input
  if (!isMap(inner)) return undefined
  const names = Object.keys(inner)
  const isInput = names.every((name) => Object.hasOwn(shape, name) && !Object.hasOwn(rest, name))
  if (names.length === 0 || !isInput) return undefined
  return { value: { ...rest, ...inner }, understood: [{ pointer: '', as: 'document' }] }
}

function isInputMember(name: string): boolean {
  return inputMembers.some((one) => one === name)
}

/**
 * The object that a bare value was meant as, where an object is wanted and only one of its members can have the value:
 * `{"profile_visibility": "public"}` for "public", `{"tasks": […]}` for the list of them. Undefined where none can, or
 * several.
 * @param bareOf a schema without what only makes it optional
 */
export function objectMeant(
  was: unknown,
  schema: z.ZodObject,
  bareOf: (schema: z.core.$ZodType) => z.core.$ZodType | undefined,
): Record<string, unknown> | undefined {
  const members = Object.entries(schema.shape).map(([name, member]): Member => ({
    name,
    member,
    bare: bareOf(member),
  }))
  const found = meantBy(was, members)
  return found.length === 1 ? Object.fromEntries(found.map(({ name }) => [name, was])) : undefined
}

interface Member {
  name: string
  member: z.ZodType
  bare: z.core.$ZodType | undefined
}

/** Members that say what a thing is called, or what has happened. */
const telling: ReadonlySet<string> = new Set(['name', 'message'])

function meantBy(was: unknown, members: readonly Member[]): readonly Member[] {
  if (was === true) {
    const enabled = members.filter(({ name }) => name === 'enabled')
    return enabled.length > 0 ? enabled : members.filter(({ name }) => name.startsWith('requires_'))
  }
  if (Array.isArray(was)) return members.filter(({ bare }) => bare instanceof z.ZodArray)
  if (typeof was !== 'string') return []
  const choices = members.filter(
    ({ bare }) => bare instanceof z.ZodEnum && bare.options.includes(was),
  )
  if (choices.length > 0) return choices
  // What names a thing is all that it needs.
  const required = members.filter(({ member }) => !member.safeParse(undefined).success)
  return required.every(({ name }) => telling.has(name)) ? required : []
}
