import * as z from 'zod'
import { Answer } from '../answer.ts'
import { refuse, type FaultItem } from '../errors.ts'
import { setMember } from './json-steps.ts'
import { namesIn, namesInText } from './names-in-text.ts'
import { nearest, newEffort } from './nearest.ts'
import { isMap } from '../maps.ts'
import { freeMaps } from '../schema-parts.ts'

/** How an operation whose answer may be large can be asked for less of it. */
export interface Slim {
  /** The members that `view: "summary"` shows; of a list, those of each item. */
  summary: readonly string[]
}

/** The members of the input by which a caller asks for less. */
export const slimInput = {
  view: z.enum(['summary']).optional(),
  fields: namesInText(z.array(z.string().max(500)).max(50)).optional(),
}

/** What is shown of an answer: the named members, without their nulls. */
export type Shown = ReadonlySet<string>

/** Values of callers, whose nulls are theirs. */
const free: ReadonlySet<string> = new Set([...freeMaps, 'input', 'output', 'artifacts', 'caller'])

/** What is known of an operation here. */
interface Slimmed {
  output: z.ZodObject
  slim?: Slim
}

/**
 * The input without what asks for less, and what is to be shown: of both members, the fields say it.
 * @throws Refusal `invalid_input` for a field that the answer does not have, with the nearest
 */
export function shownOf(
  op: Slimmed,
  { view, fields, ...valid }: Record<string, unknown>,
): { valid: Record<string, unknown>; shown?: Shown } {
  // The schema has checked them.
  const named = (fields as readonly string[] | undefined)?.flatMap(namesIn)
  if (named) checkFields(op, named)
  const shown = named ?? (view === 'summary' ? op.slim?.summary : undefined)
  return shown ? { valid, shown: new Set(shown) } : { valid }
}

function checkFields(op: Slimmed, named: readonly string[]): void {
  const known = membersOf(op)
  const effort = newEffort()
  const errors = named.flatMap((name, i): FaultItem[] => {
    if (known.includes(name) || name.startsWith('x-')) return []
    const suggestion = nearest(name, known, effort)
    const hint = suggestion ? `: did you mean "${suggestion}"?` : '.'
    const message = `The answer has no member "${name.slice(0, 100)}"${hint}`
    return [
      {
        pointer: `/fields/${i}`,
        message,
        code: 'unknown_member',
        ...(suggestion && { suggestion }),
      },
    ]
  })
  const [first] = errors
  if (!first) return
  refuse('invalid_input', `fields: ${first.message}`, {
    errors: errors.slice(0, 100),
    hint: `It has ${known.join(', ')}.`,
  })
}

/** The members of what is shown: of a list, of its items. */
function membersOf({ output }: Slimmed): string[] {
  const { items } = output.shape
  const one = items instanceof z.ZodArray ? items.element : output
  return one instanceof z.ZodObject ? Object.keys(one.shape) : []
}

/** The answer with the shown members alone; of a list, with those of its items. */
export function slimmed(op: Slimmed, answer: Answer, shown: Shown | undefined): Answer {
  if (!shown || answer.refused || answer.events) return answer
  const value: unknown = JSON.parse(answer.text)
  if (!isMap(value)) return answer
  const { items } = value
  const isList = 'items' in op.output.shape && Array.isArray(items)
  const slim = isList
    ? { ...value, items: items.map((item: unknown) => partOf(item, shown)) }
    : partOf(value, shown)
  return new Answer(JSON.stringify(slim), answer)
}

function partOf(value: unknown, shown: ReadonlySet<string>): unknown {
  return isMap(value) ? withoutNulls(value, shown) : value
}

/** A list of many large items is read here: no list of entries is made for any of them. */
function withoutNulls(value: unknown, shown?: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => withoutNulls(inner))
  if (!isMap(value)) return value
  const left: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const inner = value[name]
    if (inner === null || (shown && !shown.has(name))) continue
    setMember(left, name, free.has(name) ? inner : withoutNulls(inner))
  }
  return left
}
