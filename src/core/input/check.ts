import * as z from 'zod'
import { issueWords } from '../words/issue.ts'
import { atOnce, type Steps } from '../turns/portions.ts'
import { depthAtMost } from './bounds.ts'
import { boundLists } from './bound-lists.ts'
import { Upload } from './upload.ts'

/** Of an input with more members and items than this, only the first fault is reported. */
const fullyCheckedNodes = 5000

/** The value that a schema gives, or what is wrong with it. */
export type Checked<T> =
  | { data: T; issues?: undefined }
  | {
      data?: undefined
      /** The first of them. */
      issues: readonly z.core.$ZodIssue[]
      /** How many there are in all. */
      count: number
      /** Whether there may be more: a large value is not checked beyond its first fault. */
      isCut: boolean
    }

/** A schema whose largest list is checked item by item. */
export interface Split {
  /** For the whole value, without the items of that list: it takes any. */
  schema: z.ZodType
  /** Where the list is. */
  list: readonly string[]
  item: z.ZodType | Split
}

/**
 * The value as the schema gives it. The work is bounded however many faults there are: the largest input
 * can be wrong at 200,000 places, and wording faults takes a hundred times as long as finding them.
 * @param issuesAtMost how many faults are worded
 * @param nodesAtMost every fault is looked for up to so many members and items
 */
export function checked<S extends z.ZodType>(
  schema: S,
  value: unknown,
  issuesAtMost: number,
  nodesAtMost = fullyCheckedNodes,
): Checked<z.output<S>> {
  // If nothing is wrong, the value is the schema's output.
  return atOnce(checkedSteps<z.output<S>>(schema, value, issuesAtMost, nodesAtMost))
}

/** The same in steps, one for each item of the list of a `Split`. */
export function* checkedSteps<T>(
  schema: z.ZodType | Split,
  value: unknown,
  issuesAtMost: number,
  nodesAtMost: number,
): Steps<Checked<T>> {
  const first = yield* payloadSteps(schema, value, true)
  // The caller names what the schema gives.
  if (first.issues.length === 0) return { data: first.value as T }
  const isCut = !hasAtMost(value, nodesAtMost)
  const { issues } = isCut ? first : yield* payloadSteps(schema, value, false)
  const config = z.config()
  const worded = issues
    .slice(0, issuesAtMost)
    .map((issue) => z.core.util.finalizeIssue(issue, { error: issueWords }, config))
  return { issues: worded, count: issues.reduce((sum, issue) => sum + weightOf(issue), 0), isCut }
}

function* payloadSteps(
  schema: z.ZodType | Split,
  value: unknown,
  abortEarly: boolean,
): Steps<z.core.ParsePayload> {
  if (!('list' in schema)) return issuesOf(boundLists(schema), value, abortEarly)
  const whole = issuesOf(boundLists(schema.schema), value, abortEarly)
  if (abortEarly && whole.issues.length > 0) return whole
  const [sent, list] = [listAt(value, schema.list), listAt(whole.value, schema.list)]
  // A list that is too long is given back as it was sent.
  if (!list || !sent || list === sent) return whole
  for (const [i, item] of list.entries()) {
    yield
    const part = yield* payloadSteps(schema.item, item, abortEarly)
    list[i] = part.value
    for (const issue of part.issues) {
      whole.issues.push({ ...issue, path: [...schema.list, i, ...(issue.path ?? [])] })
    }
    if (abortEarly && whole.issues.length > 0) break
  }
  return whole
}

function listAt(value: unknown, path: readonly string[]): unknown[] | undefined {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return Array.isArray(at) ? at : undefined
}

function issuesOf(schema: z.ZodType, value: unknown, abortEarly: boolean): z.core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, { async: false, abortEarly })
  if (result instanceof Promise) throw new Error('a schema of an operation is never asynchronous')
  return result
}

/** Each unknown member counts as one fault. */
function weightOf(issue: z.core.$ZodRawIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1
}

/**
 * Whether a value has at most so many members and items; stops counting there. A file is one, and so is what
 * stands deeper than anything may.
 */
export function hasAtMost(value: unknown, most: number): boolean {
  let left = most
  const count = (one: unknown, depth: number): boolean => {
    if (--left < 0) return false
    // To a loop over members each byte of a file would be one.
    if (typeof one !== 'object' || one === null || one instanceof Upload) return true
    if (depth > depthAtMost) return true
    if (Array.isArray(one)) return one.length <= left && one.every((item) => count(item, depth + 1))
    for (const name in one) {
      // Parsed JSON has own members only.
      if (!count((one as Record<string, unknown>)[name], depth + 1)) return false
    }
    return true
  }
  return count(value, 0)
}
