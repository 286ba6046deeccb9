import type { OwnerNotice } from '#src/accounts/notice.ts'

/** Something that persons can be told of outside of the pages. */
interface KindOfNews {
  /** For the heading of a setting. */
  title: string
  /** How many of it, in a line. */
  counted: (many: number) => string
  /** The notices that are of this kind. */
  notices: readonly OwnerNotice['type'][]
  /** Whether mail tells of it where a person has not chosen. */
  byDefault: boolean
}

/** Everything that persons can be told of, in the order of the settings. */
export const kinds = {
  approval_waiting: {
    title: 'An approval waits for you',
    counted: (many: number) => (many === 1 ? 'An approval waits' : `${many} approvals wait`),
    notices: ['approval.requested'],
    byDefault: true,
  },
  run_failed: {
    title: 'A run failed',
    counted: (many: number) => (many === 1 ? 'A run failed' : `${many} runs failed`),
    notices: ['run.failed'],
    byDefault: true,
  },
  budget_reached: {
    title: 'A budget is nearly or all used up',
    counted: (many: number) =>
      many === 1 ? 'A budget was reached' : `Budgets were reached ${many} times`,
    notices: ['budget.warned', 'budget.used_up'],
    byDefault: false,
  },
  agent_paused: {
    title: 'A task was paused because it failed',
    counted: (many: number) => (many === 1 ? 'A task was paused' : `${many} tasks were paused`),
    notices: ['task.paused'],
    byDefault: false,
  },
} as const satisfies Record<string, KindOfNews>

/** What someone can be told of. */
export type Kind = keyof typeof kinds
// The members of the table above.
export const kindNames = Object.keys(kinds) as [Kind, ...Kind[]]

/** The kind that a notice is of; none if no one is told of it outside of the pages. */
export function kindOf(type: OwnerNotice['type']): Kind | undefined {
  return kindNames.find((kind) => kinds[kind].notices.some((one) => one === type))
}
