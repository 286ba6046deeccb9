import { hash } from 'node:crypto'
import { largestJitterSeconds } from '../reliability.ts'

/**
 * By how many seconds a task's fires at minute 0 are delayed: 0 to the task's maximum. It depends on
 * the task's key alone, so every machine and every start computes the same.
 * @param taskKey `char_id/task_id`
 */
export function jitterSeconds(taskKey: string, atMost: number): number {
  const largest = Math.min(atMost, largestJitterSeconds)
  if (largest <= 0) return 0
  return hash('sha256', taskKey, 'buffer').readUIntBE(0, 6) % (largest + 1)
}
