import { runOperations } from '#src/catalog/run-pages.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import { agentChoices, taskChoices, teamChoices } from '../console/choices.ts'
import type { ConsoleView } from '../console/frame.ts'
import { namesOfWork } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { sayingOf, waitOf, type Problems } from '../fields.ts'
import { onceIn } from '../once.ts'
import { filterIn, inputOf, queryOf, type RunFilter } from './filter.ts'
import { listView, type RetryAll } from './list-views.ts'

const atOnce = 50

/** The runs of the account: those that are looked for, and what failed to be retried together. */
export function runsScreen(terms: Terms): ConsoleScreen {
  return {
    here: terms.paths.runs(),
    async show(query, looking) {
      const filter = filterIn(query)
      const retry = query.has('retry') ? await previewOf(looking, filter) : doneIn(query)
      return shown(looking, filter, { cursor: query.get('cursor'), retry })
    },
    async submit(form, looking) {
      const filter = filterIn(form)
      if (form.get('action') !== 'retry_all') return { goTo: terms.paths.runs(queryOf(filter)) }
      // It names no run: sent from the page of one account, it must not reach the runs of another.
      if (form.get('account') !== looking.account.id) {
        const problems = { '': otherAccount }
        return { ...(await shown(looking, filter, { cursor: null, problems })), status: 409 }
      }
      const cursor = form.get('after')
      const input = { ...inputOf(filter, looking.at.zone), ...failedOnly(filter) }
      const page = { limit: 100, ...(cursor !== null && cursor !== '' && { cursor }) }
      const as = { ...looking.as, idempotencyKey: onceIn(form) }
      const answer = await told(terms, runOperations.retryAll, { ...input, ...page }, as)
      if (answer.refusal) {
        if (isSignedOut(answer.refusal)) throw answer.refusal
        const problems = { '': sayingOf(answer.refusal) }
        const view = await shown(looking, filter, { cursor: null, problems })
        return { ...view, status: answer.refusal.status, ...waitOf(answer.refusal) }
      }
      const { retries, left_out, next_cursor } = answer.value
      const done = {
        retried: String(retries.length),
        ...(left_out.length > 0 && { left: String(left_out.length) }),
        ...(next_cursor !== null && { after: next_cursor }),
      }
      return { goTo: terms.paths.runs(queryOf(filter, done)) }
    },
  }
}

const otherAccount =
  'Nothing was retried: these pages show another account by now than when you looked at its runs.'

/** Only what failed or timed out is retried together, also where the page shows more. */
function failedOnly({ status }: RunFilter) {
  const failed = ['failed', 'timed_out'] as const
  const one = failed.find((known) => known === status)
  return { status: one ? [one] : [...failed] }
}

/** What a retry of all would do. */
async function previewOf({ terms, as, at }: Looking, filter: RunFilter): Promise<RetryAll> {
  const input = { ...inputOf(filter, at.zone), ...failedOnly(filter), limit: 1, dry_run: true }
  const { matched } = await answered(terms, runOperations.retryAll, input, as)
  return { matched }
}

/** What the last one did, as the address says after it. */
function doneIn(query: URLSearchParams): RetryAll | undefined {
  const [retried, left] = [query.get('retried'), Number(query.get('left') ?? 0)]
  if (retried === null || !/^\d{1,3}$/.test(retried)) return undefined
  return {
    done: Number(retried),
    left: Number.isSafeInteger(left) ? left : 0,
    after: query.get('after') ?? undefined,
  }
}

interface Asked {
  cursor: string | null
  retry?: RetryAll | undefined
  problems?: Problems
}

async function shown(
  looking: Looking,
  filter: RunFilter,
  { cursor, retry, problems = {} }: Asked,
): Promise<ConsoleView> {
  const { terms, as, at } = looking
  const input = { ...inputOf(filter, at.zone), limit: atOnce, ...(cursor !== null && { cursor }) }
  const [found, agents, teams, tasks] = await Promise.all([
    told(terms, runOperations.list, input, as),
    agentChoices(looking),
    teamChoices(looking),
    filter.char_id === undefined ? undefined : taskChoices(looking, filter.char_id),
  ])
  if (found.refusal && !isUnknownAgent(found.refusal.code)) throw found.refusal
  const { items = [], next_cursor = null } = found.refusal ? {} : found.value
  const unknown = found.refusal && { char_id: 'The account has no such agent.' }
  return listView(looking, {
    filter,
    runs: items,
    next: next_cursor,
    isFirst: cursor === null,
    names: await namesOfWork(looking, items),
    choices: { agents, teams, tasks },
    retry,
    problems: { ...problems, ...unknown },
  })
}

function isUnknownAgent(code: string): boolean {
  return code === 'character_not_found' || code === 'forbidden'
}
