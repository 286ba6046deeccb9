import type { SearchQuery } from '#src/ports/search.ts'
import type { Reply, Verifications } from '../reply.ts'
import type { Standing } from '../thread.ts'

/** How many terms a query has: its words and its phrases. */
export function termsOf({ words, phrases }: SearchQuery): number {
  return words.length + phrases.length
}

/** How well it matches, in fixed words: no member's text is repeated. */
export function matchReasons(
  query: SearchQuery,
  { matched, isNear }: { matched: readonly string[]; isNear?: boolean },
): string[] {
  const meaning = isNear === true ? ['close in meaning'] : []
  const terms = termsOf(query)
  if (terms === 0 || (isNear === true && matched.length === 0)) return meaning
  if (matched.length >= terms) {
    return [terms === 1 ? 'the word matches' : 'every word matches', ...meaning]
  }
  return [`${matched.length} of ${terms} words match`, ...meaning]
}

/** What speaks for it, apart from its words. */
export function provenReasons(
  standing: Pick<Standing, 'state' | 'reply_count'>,
  answer: Reply | undefined,
): string[] {
  if (answer) {
    return [
      ...(answer.accepted ? ['accepted by the asker'] : []),
      ...verified(answer.verifications),
    ]
  }
  if (standing.state === 'answered') return ['has an accepted answer']
  if (standing.reply_count === 0) return ['has no reply yet']
  return [standing.reply_count === 1 ? 'has one reply' : `has ${standing.reply_count} replies`]
}

function verified({ works, partial, fails, unsafe }: Verifications): string[] {
  if (works + partial + fails + unsafe === 0) return []
  const counts = Object.entries({ works, partial, fails, unsafe })
    .filter(([, count]) => count > 0)
    .map(([result, count]) => `${result} ${count}`)
  return [`verified by others: ${counts.join(', ')}`]
}
