import * as z from 'zod'
import { checked, type Checked } from './check.ts'
import { ruleOf } from './correction/rules.ts'
import { meantSteps, type Reading } from './lenient.ts'
import type { Understood } from './understood.ts'
import { namesKey, theOnlyPlace } from '../admission/misplaced.ts'
import { ledOn } from './led-on.ts'
import { Members } from './member-meant.ts'
import { newEffort, type Effort } from './nearest.ts'
import { isMap } from '../maps.ts'
import { documentedAs } from '../schema.ts'
import type { Steps } from '../turns/portions.ts'
import { codes, Refusal, type Code, type FaultItem } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { placesWithin, shapeOf, type Shape, type UnknownMember } from './unknown-members.ts'
import { memberOf, pointerStep, pointerTo } from '../text/text.ts'
import { faultsAtMost, faultsIn, type Walked } from './walk.ts'
import { holdsCredential, strayCredentials } from '../credentials/stray.ts'
import { renamed, unfolded, unwrapped, wrapped } from './wrapper.ts'

/** An input as its schema gives it, and how what was not sent so was understood. */
interface Valid {
  data: Record<string, unknown>
  /** As it was understood, before its schema filled in what it lacked. */
  sent: unknown
  understood: readonly Understood[]
}

const none: readonly Understood[] = []

/**
 * The input as the operation's schema gives it, with defaults. What can mean only one thing is understood
 * though it was sent otherwise; an input that is right costs nothing more for that.
 * @throws Refusal `invalid_input`, or the code that a rule of the schema names, with every fault
 */
export function* validSteps(op: Operation, walked: Walked): Steps<Valid> {
  const valid = yield* understoodSteps(op, walked)
  const stray = yield* strayCredentials(op, valid.data, faultsAtMost)
  if (stray.length > 0) throw invalid(stray.map(misplaced))
  return valid
}

/** Nothing would act on it there, and all readers of the document would see it. */
function misplaced(pointer: string): FaultItem {
  const message = `This is a credential of this service, and is not kept here. ${theOnlyPlace}`
  return { pointer, message, code: 'credential_misplaced' }
}

function* understoodSteps(op: Operation, walked: Walked): Steps<Valid> {
  if (walked.isFaulty) throw invalid(faultsIn(walked.value))
  const inner = unwrapped(op, walked.value)
  if (inner?.fault) throw invalid([inner.fault])
  const { value, understood } = inner ?? { value: walked.value, understood: none }
  const first = checked(op.input, value, faultsAtMost)
  if (first.issues === undefined) {
    return yield* withDocuments(op, { data: first.data, sent: value, understood })
  }
  const meant = wrapped(op, value) ?? renamed(op, value) ?? unfolded(op, value)
  const result = meant
    ? yield* read(op, meant, checked(op.input, meant.value, faultsAtMost))
    : yield* read(op, { value, understood }, first)
  if (result.data) return yield* withDocuments(op, result)
  const sent = isMap(value) ? value : {}
  // One that came is not what another one that came was meant to be.
  const known = Object.keys(op.input.shape).filter((name) => !Object.hasOwn(sent, name))
  const faults = faultsOf(result.issues, known, () => placesIn(op)).map((fault) =>
    ofCredential(ofText(fault, result.sent), result.sent),
  )
  throw ledOn(invalid(paired(op, faults, result.sent), result), op, result.sent)
}

/**
 * With the only member that there is not taken for the only one that is missing, if it holds what that takes. What
 * names a thing is not guessed, nor what something is ended by.
 */
function paired(op: Operation, faults: readonly FaultItem[], sent: unknown): readonly FaultItem[] {
  if (op.destructive === true || op.http.method === 'DELETE' || !isMap(sent)) return faults
  const [stray, ...strays] = faults.filter(({ code }) => code === 'unknown_member')
  const [missing, ...more] = faults.filter(
    ({ pointer, code }) => code !== 'unknown_member' && isMissing(op, pointer, sent),
  )
  if (!stray || !missing || strays.length + more.length > 0) return faults
  const [name, suggestion] = [memberOf(stray.pointer), memberOf(missing.pointer)]
  const isFit = op.input.shape[suggestion]?.safeParse(sent[name]).success === true
  if (stray.suggestion !== undefined || suggestion.endsWith('_id') || namesKey(name) || !isFit) {
    return faults
  }
  return faults.map((fault) => (fault === stray ? unknownMember('', name, suggestion) : fault))
}

/** Whether a fault is that a member of the input itself was not sent. */
function isMissing({ input }: Operation, pointer: string, sent: object): boolean {
  const name = memberOf(pointer)
  return pointer === pointerStep(name) && name in input.shape && !Object.hasOwn(sent, name)
}

/** That a text was meant as JSON, where a member is no text: it could not be read. */
function ofText(fault: FaultItem, sent: unknown): FaultItem {
  if (fault.code !== 'invalid_type' || !isMap(sent)) return fault
  const value = sent[fault.pointer.slice(1)]
  const isMeant = typeof value === 'string' && /^[{[]/.test(value) && !isJson(value)
  if (!isMeant) return fault
  const message = 'is a text with JSON that is broken: send the object itself, or mend the text'
  return { ...fault, message, code: 'bad_json_text' }
}

/** That a member which there is not holds a credential. */
function ofCredential(fault: FaultItem, sent: unknown): FaultItem {
  const { code, pointer } = fault
  if (code !== 'unknown_member' || !isMap(sent)) return fault
  return holdsCredential(sent[memberOf(pointer)]) ? misplaced(pointer) : fault
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What an operation refuses by its input itself, with what to do about it where it has no hint. */
export function withExample(cause: unknown, op: Operation, sent: unknown): unknown {
  const isOfInput = cause instanceof Refusal && cause.code === 'invalid_input'
  return isOfInput && cause.errors ? ledOn(cause, op, sent) : cause
}

type Sent = Checked<Record<string, unknown>>

/** What the schema says of an input once its texts are understood, as far as they can mean only one thing. */
function* read(
  { input, verbatim, auth }: Operation,
  { value, understood }: Reading,
  said: Sent,
): Steps<Sent & Pick<Valid, 'sent' | 'understood'>> {
  const meant =
    said.issues && (yield* meantSteps(input, value, { verbatim, isAnyones: auth === 'none' }))
  if (!meant) return { ...said, sent: value, understood }
  const result = checked(input, meant.value, faultsAtMost)
  return { ...result, sent: meant.value, understood: [...understood, ...meant.understood] }
}

/**
 * A checked input with what its documents mean that the operation itself checks: those that are merged into
 * what is stored, and manifests.
 */
function* withDocuments(op: Operation, { data, sent, understood }: Valid): Steps<Valid> {
  let valid: Valid = { data, sent, understood }
  for (const [name, member] of Object.entries(op.input.shape)) {
    const shown = member instanceof z.ZodObject && documentedAs.get(member)?.schema
    if (!shown || !Object.hasOwn(data, name)) continue
    const terms = {
      verbatim: op.verbatim,
      at: pointerStep(name),
      isAnyones: op.auth === 'none',
    }
    const meant = yield* meantSteps(shown, data[name], terms)
    if (!meant) continue
    valid = {
      sent,
      data: { ...valid.data, [name]: meant.value },
      understood: [...valid.understood, ...meant.understood],
    }
  }
  return valid
}

function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code)
}

function invalid(
  errors: readonly FaultItem[],
  { count, isCut } = { count: errors.length, isCut: false },
): Refusal {
  const [first] = errors
  // If a rule of the schema has a code of its own and nothing else is wrong, the refusal has that code.
  const named = new Set(errors.map((fault) => fault.code))
  const code = first && named.size === 1 && isCode(first.code) ? first.code : 'invalid_input'
  const member = first && memberOf(first.pointer)
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const hint = isCut ? 'The input is too large to list every fault; there may be more.' : undefined
  return new Refusal(code, `${member ? `${member}: ` : ''}${first?.message ?? ''}${more}`, {
    errors,
    ...(hint !== undefined && { hint }),
  })
}

/**
 * The issues of a schema as faults with their pointers, the first hundred of them. An unknown member gets
 * the nearest known name, as long as the search is not too much work.
 * @param known the names of the top-level members that were not sent
 * @param within where members of other names are, in the objects among those
 */
export function faultsOf(
  issues: readonly z.core.$ZodIssue[],
  known: readonly string[],
  within?: () => ReadonlyMap<string, string>,
): FaultItem[] {
  const faults: FaultItem[] = []
  const effort = newEffort()
  const top = new Members(known, within)
  const none = new Members([])
  for (const issue of issues) {
    const room = faultsAtMost - faults.length
    if (room <= 0) break
    const pointer = pointerTo(issue.path)
    if (issue.code === 'unrecognized_keys') {
      const members = issue.path.length === 0 ? top : none
      for (const key of issue.keys.slice(0, room)) {
        faults.push(unknownMember(pointer, key, members.meant(key, effort)))
      }
    } else {
      faults.push(faultOf(issue, pointer, effort))
    }
  }
  return faults
}

/** A rule of a schema says its own code, and may know what was meant. */
function faultOf(issue: z.core.$ZodIssue, pointer: string, effort: Effort): FaultItem {
  const { message } = issue
  const { code, meant } = ruleOf(issue)
  const suggestion = meant?.(effort)
  if (suggestion === undefined) return { pointer, message, code: code ?? issue.code }
  return {
    pointer,
    message: `${message}: did you mean "${suggestion}"?`,
    code: code ?? issue.code,
    suggestion,
  }
}

/** Where the members of an input are that stand in objects of it. */
function placesIn({ input }: Operation): ReadonlyMap<string, string> {
  const known = places.get(input)
  if (known) return known
  const members = Object.entries(input.shape).map(
    ([name, schema]) => [name, shapeOf(documentedAs.get(schema)?.schema ?? schema)] as const,
  )
  const made = placesWithin({ id: '', members: new Map(members), item: undefined })
  places.set(input, made)
  return made
}

const places = new WeakMap<z.ZodObject, ReadonlyMap<string, string>>()

/**
 * Refuses members that a document would keep and that nothing acts on.
 * @throws Refusal `invalid_input` with the first hundred of them, if there are any
 */
export function refuseUnknown(unknown: Iterable<UnknownMember>): void {
  const faults: FaultItem[] = []
  const effort = newEffort()
  const known = new Map<Shape, Members>()
  for (const { pointer, name, of } of unknown) {
    const holder = pointer.slice(0, pointer.lastIndexOf('/'))
    const members = known.get(of) ?? new Members([...of.members.keys()], () => placesWithin(of))
    known.set(of, members)
    faults.push(unknownMember(holder, name, members.meant(name, effort)))
    if (faults.length === faultsAtMost) break
  }
  if (faults.length > 0) throw invalid(faults)
}

function unknownMember(pointer: string, key: string, suggestion: string | undefined): FaultItem {
  if (suggestion === undefined && namesKey(key)) {
    const message = `There is no member "${key}". ${theOnlyPlace}`
    return { pointer: pointer + pointerStep(key), message, code: 'unknown_member' }
  }
  return {
    pointer: pointer + pointerStep(key),
    message: `There is no member "${key.slice(0, 100)}"${suggestion ? `: did you mean "${suggestion}"?` : '.'}`,
    code: 'unknown_member',
    ...(suggestion && { suggestion }),
  }
}

/**
 * A member that the operation validates itself, as its schema gives it.
 * @param at the pointer of the member in the input
 * @throws Refusal `invalid_input`, or the code that a rule of the schema names, with every fault
 */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> {
  const result = checked(schema, value, faultsAtMost)
  if (result.issues === undefined) return result.data
  const faults = faultsOf(result.issues, []).map((fault) => ({
    ...fault,
    pointer: at + fault.pointer,
  }))
  throw invalid(faults, result)
}
