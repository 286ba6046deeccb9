import type { OperationFacts } from '#src/core/operation-facts.ts'
import { callLines } from './guides/call-lines.ts'
import { fenced, type ShownCall } from './guides/platform-calls.ts'

/** Shows requests as a block of Markdown, a line each; an operation that the catalog lacks is left out. */
export type Requests = (...shown: readonly ShownCall[]) => string

/** Shows the requests of a catalog; nothing if it lacks all of them. */
export function requestsOf(catalog: readonly OperationFacts[]): Requests {
  return (...shown) => {
    const lines = callLines(catalog, shown, 'rest')
    return lines === '' ? '' : fenced('rest', lines)
  }
}
