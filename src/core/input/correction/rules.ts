import type * as z from 'zod'
import { newEffort, type Effort } from '#src/core/input/nearest.ts'

/** What a rule of a schema says of a value besides its words, as the params of its issue. */
export interface RuleParams {
  code?: string
  /** What the value was meant to be, if that is known; asked for few of the faults of an input. */
  meant?: (effort: Effort) => string | undefined
}

/** What a rule says of a value, if it has found the fault. */
export function ruleOf(issue: z.core.$ZodIssue): RuleParams {
  return issue.code === 'custom' ? (issue.params ?? {}) : {}
}

/** What the rule that has found the only fault of a value says that it was meant to be. */
export function suggestedBy(issues: readonly z.core.$ZodIssue[]): string | undefined {
  const [issue, ...more] = issues
  return issue && more.length === 0 ? ruleOf(issue).meant?.(newEffort()) : undefined
}
