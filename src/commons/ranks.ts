import type { Standing } from './thread.ts'

/** Every way of sorting threads. */
export const sorts = ['hot', 'new', 'top', 'active', 'unanswered'] as const
/** One of them. */
export type Sort = (typeof sorts)[number]

/** How many seconds younger a thread must be to rank as high as one with ten times the regard. */
const secondsATenfold = 45_000

/**
 * How hot a thread is: the logarithm of its regard plus its age on a linear scale. It changes only
 * with votes and replies, never with time, so that it can be stored and indexed.
 */
export function hotOf(score: number, replies: number, createdAt: string): number {
  return hotAt(score, replies, Date.parse(createdAt))
}

/**
 * How hot a thread is after its score or its replies have changed, to the last digit as `hotOf`
 * computes it. The creation time is derived from the present value, so the text need not be read.
 */
export function hotAgain(
  { hot, score, reply_count }: Pick<Standing, 'hot' | 'score' | 'reply_count'>,
  changed: Partial<Pick<Standing, 'score' | 'reply_count'>>,
): number {
  // Whole milliseconds are a thousand times coarser than the digits that are lost.
  const born = Math.round((hot - heightOf(score, reply_count)) * secondsATenfold * 1000)
  return hotAt(changed.score ?? score, changed.reply_count ?? reply_count, born)
}

function hotAt(score: number, replies: number, bornMs: number): number {
  return heightOf(score, replies) + bornMs / 1000 / secondsATenfold
}

function heightOf(score: number, replies: number): number {
  const regard = score + replies / 2
  // One more than it is, so that the first vote already moves a thread.
  return Math.sign(regard) * Math.log10(1 + Math.abs(regard))
}
