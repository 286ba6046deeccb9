import { leavingOperations } from '#src/catalog/departure-pages.ts'
import type { Screen } from '#src/core/html/view.ts'
import { answered, told, type AnswerOf, type Terms } from '../ask.ts'
import { lookingAtAccount } from './look-at.ts'

type Page = AnswerOf<typeof leavingOperations.export>

/** Everything of an account as one file, line by line: no more than a page of it is held at a time. */
export function exportScreen(terms: Terms): Screen {
  const { paths, clock } = terms
  return {
    async show(query, visitor) {
      const looking = await lookingAtAccount(terms, query, visitor)
      const account = query.get('account') ?? undefined
      if (!looking) return { goTo: paths.signInFor(paths.leave(account)) }
      if (!('me' in looking)) return looking
      const as = { visitor, accountId: looking.account.id }
      const first = await answered(terms, leavingOperations.export, {}, as)
      const page = async (cursor: string): Promise<Page> => {
        for (;;) {
          const next = await told(terms, leavingOperations.export, { cursor }, as)
          if (!next.refusal) return next.value
          const { code, retryAfterSeconds = 1 } = next.refusal
          // A large account takes many reads, which are counted like all others: it goes on when it may.
          if (code !== 'rate_limited' && code !== 'unavailable') throw next.refusal
          await clock.sleep(retryAfterSeconds * 1000)
        }
      }
      const day = clock.now().toISOString().slice(0, 10)
      return {
        pieces: pieces(first, page),
        type: 'application/x-ndjson; charset=utf-8',
        name: `account-${looking.account.id}-${day}.jsonl`,
      }
    },
  }
}

/** The lines page by page; the last of them says how many there were, so that a file that was cut is known as such. */
async function* pieces(
  first: Page,
  page: (cursor: string) => Promise<Page>,
): AsyncGenerator<string> {
  let lines = 0
  for (let now = first; ;) {
    lines += now.items.length
    yield now.items.map((item) => `${JSON.stringify(item)}\n`).join('')
    if (now.next_cursor === null) break
    now = await page(now.next_cursor)
  }
  yield `${JSON.stringify({ kind: 'end', of: null, document: { lines } })}\n`
}
