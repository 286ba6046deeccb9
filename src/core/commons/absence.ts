import * as z from 'zod'
import { whomToAsk } from '../admission/sign-up.ts'
import { isOfCommons, toolsetsOf, type OperationFacts } from '../operation-facts.ts'
import type { Settings } from '../settings.ts'

/** Why something is missing here that other servers have. */
export interface Absence {
  message: string
  /** Who decided so, and whom to ask. */
  hint: string
}

/** Why an operation or a tool of this name is missing; undefined if no one decided that. */
export type AbsenceOf = (name: string) => Absence | undefined

/** What callers are told about the Commons on a server without one; undefined if there is one. */
export function absentCommons({
  hasCommons,
  signUp,
}: Pick<Settings, 'hasCommons' | 'signUp'>): Absence | undefined {
  if (hasCommons) return undefined
  const message = 'This server has no Commons.'
  return { message, hint: `The operator has switched the Commons off. ${whomToAsk(signUp)}` }
}

/** A catalog without the Commons: no operation that is left offers it as a choice. */
export function withoutCommons<O extends OperationFacts>(catalog: readonly O[]): readonly O[] {
  const left = catalog.filter((op) => !isOfCommons(op))
  const toolset = z.enum(toolsetsOf(left)).optional()
  return left.map((op) =>
    op.role === 'find_operations' ? { ...op, input: op.input.safeExtend({ toolset }) } : op,
  )
}

/** Why an operation is missing on a server with these settings. */
export function absenceOf(settings: Pick<Settings, 'hasCommons' | 'signUp'>): AbsenceOf {
  return (name) => (namesCommons(name) ? absentCommons(settings) : undefined)
}

/** Whether an operation, a tool or an address of this name would belong to the Commons. */
export function namesCommons(name: string): boolean {
  return /^(?:[a-z]{3,6} \/api\/)?commons[._/-]/i.test(name.trimStart())
}

/** Whether a path belongs to the Commons: its operations, doors, pages and documents. */
export function leadsToCommons(path: string): boolean {
  return /^\/(?:api\/commons|commons|guides\/commons(?:\.md)?|api-reference\/commons[\w.-]*)(?:\/|$)/.test(
    path,
  )
}
