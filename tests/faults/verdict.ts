/** What was measured, by name; a name ends in its unit where it has one. */
export type Figures = Readonly<Record<string, number>>

/** What a figure is to be. A figure that was not measured, or is no number, misses every goal. */
export interface Goal {
  figure: string
  atMost?: number
  atLeast?: number
}

export interface Judged extends Goal {
  value: number | undefined
  verdict: 'met' | 'missed'
}

/** What each goal came to. */
export function judge(goals: readonly Goal[], figures: Figures): Judged[] {
  return goals.map((goal) => {
    const value = figures[goal.figure]
    return { ...goal, value, verdict: isMet(goal, value) ? 'met' : 'missed' }
  })
}

function isMet({ atMost, atLeast }: Goal, value: number | undefined): boolean {
  if (value === undefined || Number.isNaN(value)) return false
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity)
}

/** A goal in words, such as `at most 0`. */
export function goalText({ atMost, atLeast }: Goal): string {
  if (atMost !== undefined && atMost === atLeast) return `exactly ${atMost}`
  const parts = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ]
  return parts.join(', ')
}

/** Nothing of a name may be left. */
export const none = (figure: string): Goal => ({ figure, atMost: 0 })
/** At most so much of it. */
export const most = (figure: string, atMost: number): Goal => ({ figure, atMost })
/** At least so much of it. */
export const least = (figure: string, atLeast: number): Goal => ({ figure, atLeast })

/** One scenario on one store, and what it came to. */
export interface Outcome {
  name: string
  store: string
  seconds: number
  judged: readonly Judged[]
  /** All that was measured, also what has no goal. */
  figures: Figures
  /** Why it was not played. */
  skipped?: string
  /** Why it could not be played to its end. */
  fault?: string
}

/** Whether it failed: it was cut short, or a goal was missed. What was skipped has not. */
export function hasFailed({ fault, judged }: Outcome): boolean {
  return fault !== undefined || judged.some(({ verdict }) => verdict === 'missed')
}

/** An outcome as rows of a Markdown table, one for each figure. */
export function rowsOf({ name, store, figures, judged, skipped, fault }: Outcome): string[] {
  const row = (...cells: string[]): string => `| ${[name, store, ...cells].join(' | ')} |`
  if (skipped !== undefined) return [row('', '', '', `skipped: ${skipped}`)]
  const goals = new Map(judged.map((one) => [one.figure, one]))
  const measured = Object.entries(figures).map(([figure, value]) => {
    const goal = goals.get(figure)
    return row(figure, rounded(value), goal ? goalText(goal) : '', goal?.verdict ?? '')
  })
  const missing = judged
    .filter(({ value }) => value === undefined)
    .map((goal) => row(goal.figure, 'not measured', goalText(goal), goal.verdict))
  const broken = fault === undefined ? [] : [row('', '', '', `failed: ${fault.split('\n')[0]}`)]
  return [...measured, ...missing, ...broken]
}

export const head = [
  '| Scenario | Store | Figure | Measured | Goal | |',
  '|---|---|---|---|---|---|',
]

function rounded(value: number): string {
  return (Math.abs(value) < 10 ? Math.round(value * 100) / 100 : Math.round(value)).toLocaleString(
    'en',
  )
}
