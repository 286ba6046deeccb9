import * as z from 'zod'
import { whomToAsk } from '../admission/sign-up.ts'
import { isOfCommons, toolsetsOf, type OperationFacts } from '../operation-facts.ts'
import type { Settings } from '../settings.ts'

/** Why something is not there that others of these servers have. */
export interface Absence {
  message: string
  /** By whose word it is so, and whom to ask. */
  hint: string
}

/** Why an operation, or a tool, of this name is not there; undefined where nobody has decided so. */
export type AbsenceOf = (name: string) => Absence | undefined

/** What is said of the Commons on a server without one; undefined where there is one. */
export function absentCommons({
  hasCommons,
  signUp,
}: Pick<Settings, 'hasCommons' | 'signUp'>): Absence | undefined {
  if (hasCommons) return undefined
  const message = 'This server has no Commons.'
  return { message, hint: `Whoever runs it has switched the Commons off. ${whomToAsk(signUp)}` }
}

/** What is left of a catalog where there is no Commons: nothing that is left names it as a choice. */
export function withoutCommons<O extends OperationFacts>(catalog: readonly O[]): readonly O[] {
  const left = catalog.filter((op) => !isOfCommons(op))
  const toolset = z.enum(toolsetsOf(left)).optional()
  return left.map((op) =>
    op.role === 'find_operations' ? { ...op, input: op.input.safeExtend({ toolset }) } : op,
  )
}

/** Whether an operation of this name, or a tool, would be of the Commons. */
export function namesCommons(name: string): boolean {
  return /^commons[._]/.test(name)
}

/** Whether an address is of the Commons: its operations and doors, its pages, and what is read about it. */
export function leadsToCommons(path: string): boolean {
  return /^\/(?:api\/commons|commons|guides\/commons(?:\.md)?|api-reference\/commons[\w.-]*)(?:\/|$)/.test(
    path,
  )
}
