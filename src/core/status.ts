import type { Answer } from './answer.ts'
import type { Outcome } from './door.ts'
import type { OperationFacts } from './operation-facts.ts'

/** The HTTP status of an answer: what REST sends, and what other doors would. */
export function statusOfAnswer({ http }: Pick<OperationFacts, 'http'>, answer: Answer): number {
  if (answer.pending) return 202
  return answer.preview || answer.events ? 200 : (http.status ?? 200)
}

/** The HTTP status of a call, answered or refused. */
export function statusOf(operation: Pick<OperationFacts, 'http'>, outcome: Outcome): number {
  return outcome.refusal ? outcome.refusal.status : statusOfAnswer(operation, outcome.answer)
}
