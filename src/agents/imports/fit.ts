import type * as z from 'zod'
import { CharacterInput } from '../character.ts'
import { Refusal } from '#src/core/errors.ts'
import { isMap } from '#src/core/maps.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { tasksAtMost } from '../heart.ts'
import { textOf } from './sort-members.ts'
import { cutWords } from './plain-name.ts'

type Members = Record<string, unknown>
type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** What was changed to make a document valid. */
export interface Fitted {
  input: CharacterInput
  /** Values that had no place, by pointer. */
  strays: Map<string, unknown>
  /** What was changed in its place. */
  changed: { pointer: string; message: string }[]
}

/** Each round fixes all issues of the schema; some appear only once the others are fixed. */
const roundsAtMost = 12

/**
 * Makes a nearly valid document an agent: numbers spelled as texts become numbers, a single text
 * becomes a list, and values that fit nowhere are removed. A task that would act otherwise than it
 * says is removed as a whole; so is `visibility`.
 * @param raw an unshared copy; it is changed
 * @throws Refusal `invalid_input`
 */
export function fitted(raw: Members): Fitted {
  const strays = new Map<string, unknown>()
  const changed: Fitted['changed'] = []
  cutTasks(raw, strays)
  for (let round = 0; round < roundsAtMost; round++) {
    const result = CharacterInput.safeParse(raw)
    if (result.success) return { input: result.data, strays, changed }
    const units: Path[] = []
    for (const issue of result.error.issues) {
      const mended = mend(raw, issue)
      if (mended === undefined) units.push(unitOf(issue.path))
      else changed.push({ pointer: pointerTo(issue.path), message: mended })
    }
    for (const unit of fromTheLast(units)) takeOut(raw, unit, strays)
  }
  throw nothingFit()
}

function nothingFit(): Refusal {
  return new Refusal('invalid_input', 'The file holds nothing that can be made an agent of.')
}

function cutTasks(raw: Members, strays: Map<string, unknown>): void {
  const tasks = isMap(raw.heart) ? raw.heart.tasks : undefined
  if (!Array.isArray(tasks)) return
  for (const [i, task] of tasks.splice(tasksAtMost).entries()) {
    strays.set(`/heart/tasks/${tasksAtMost + i}`, task)
  }
}

/** What was done about an issue, in words; undefined if nothing helps. */
function mend(raw: Members, issue: Issue): string | undefined {
  const { path } = issue
  const holder = holderOf(raw, path)
  const name = path.at(-1)
  if (!holder || name === undefined) return undefined
  const isOfTask = path[0] === 'heart' && path[1] === 'tasks'
  if (isOfTask && path.length === 4 && name === 'task_id') {
    holder[name] = null
    return 'The id could not be kept: the task has a new one.'
  }
  if (!Object.hasOwn(holder, name)) return undefined
  const value = holder[name]
  if (value === null && issue.code === 'invalid_type') {
    Reflect.deleteProperty(holder, name)
    return isMap(holder) && !isRequired(name) ? 'It was null.' : undefined
  }
  const other = converted(value, issue)
  if (other === undefined) return undefined
  holder[name] = other.value
  return other.message
}

/** Members that their holder requires: leaving them out fixes nothing. */
function isRequired(name: PropertyKey): boolean {
  return name === 'name' || name === 'type' || name === 'event' || name === 'action'
}

interface Conversion {
  value: unknown
  message: string
}

function converted(value: unknown, issue: Issue): Conversion | undefined {
  if (issue.code === 'too_big' || issue.code === 'too_small') return clamped(value, issue)
  if (issue.code !== 'invalid_type') return cut(value, issue)
  const { expected } = issue
  if (expected === 'array' && (typeof value === 'string' || typeof value === 'number')) {
    return { value: [String(value)], message: 'It was not a list.' }
  }
  if (expected === 'string') {
    if (typeof value === 'number' || typeof value === 'boolean') {
      return { value: String(value), message: 'It was not a text.' }
    }
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
    return isList ? { value: textOf(value), message: 'It was a list of texts.' } : undefined
  }
  if ((expected === 'number' || expected === 'int') && typeof value === 'string') {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    return Number.isFinite(number) ? { value: number, message: 'It was not a number.' } : undefined
  }
  if (expected === 'boolean' && typeof value === 'string') {
    const known: Readonly<Record<string, boolean>> = { true: true, false: false }
    const meant = known[value.trim().toLowerCase()]
    return meant === undefined ? undefined : { value: meant, message: 'It was a text.' }
  }
  return undefined
}

function clamped(
  value: unknown,
  issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall,
): Conversion | undefined {
  // A price is not rounded: the nearest price is a different price.
  if (typeof value !== 'number' || issue.path.at(-1) === 'price_cents') return undefined
  const bound = Number(issue.code === 'too_big' ? issue.maximum : issue.minimum)
  return { value: bound, message: `It was ${value}, and ${bound} is the nearest valid value.` }
}

/** Texts whose length a rule of the schema bounds: the prompt of a photo. */
function cut(value: unknown, issue: Issue): Conversion | undefined {
  const isLong = issue.code === 'custom' && issue.params?.code === 'too_big'
  if (!isLong || typeof value !== 'string') return undefined
  const most = Number(/\d+/.exec(issue.message)?.[0])
  const short = Array.from(value).slice(0, most).join('')
  return { value: short, message: cutWords(most) }
}

/** The whole that is removed with an invalid part of it, so that the rest keeps its meaning. */
function unitOf(path: Path): Path {
  const [first, second] = path
  if (first === 'visibility') return path.slice(0, 1)
  if (first === 'heart' && second === 'tasks' && path.length > 3) {
    const isPart = path[3] === 'triggers' || path[3] === 'tools'
    return path.slice(0, isPart && path.length > 4 ? 5 : 3)
  }
  if (first === 'brain' && (second === 'mcps' || second === 'plugins' || second === 'hooks')) {
    return path.slice(0, 3)
  }
  if (first === 'control' && second === 'channels') return path.slice(0, 3)
  // Photos and their metadata are parallel lists.
  if (first === 'appearance' && second === 'photo_meta') return path.slice(0, 2)
  return path
}

/** Each once, later items of a list before earlier ones, and inner values before outer ones. */
function fromTheLast(units: readonly Path[]): Path[] {
  const once = [...new Map(units.map((unit) => [pointerTo(unit), unit])).values()]
  return once.sort((a, b) => compared(b, a))
}

function compared(a: Path, b: Path): number {
  for (const [i, step] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    if (step === other) continue
    if (typeof step === 'number' && typeof other === 'number') return step - other
    return String(step) < String(other) ? -1 : 1
  }
  return a.length - b.length
}

function takeOut(raw: Members, unit: Path, strays: Map<string, unknown>): void {
  const holder = holderOf(raw, unit)
  const name = unit.at(-1)
  if (!holder || name === undefined) throw nothingFit()
  strays.set(freePointer(unit, strays), holder[name] ?? null)
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else Reflect.deleteProperty(holder, name)
}

/** Items move up when one is removed: each removed value keeps its original pointer. */
function freePointer(unit: Path, strays: ReadonlyMap<string, unknown>): string {
  const pointer = pointerTo(unit)
  let free = pointer
  for (let i = 2; strays.has(free); i++) free = `${pointer} (${i})`
  return free
}

function holderOf(raw: Members, path: Path): Record<PropertyKey, unknown> | undefined {
  let holder: unknown = raw
  for (const step of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) {
      return undefined
    }
    // An object or a list that has this as its own member.
    holder = (holder as Record<PropertyKey, unknown>)[step]
  }
  return typeof holder === 'object' && holder !== null
    ? (holder as Record<PropertyKey, unknown>)
    : undefined
}
