import { needOperations } from '#src/catalog/need-pages.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import { answered, isSignedOut, type Terms } from '../ask.ts'
import { acted } from '../console/acts.ts'
import { namesOfWork } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { sayingOf, waitOf } from '../fields.ts'
import { causedKinds, type Causes } from './notice-views.ts'
import { needsView, type Waiting } from './views.ts'

const atOnce = 50

/** All that waits for the person: to decide, to set, to resume, to send again. */
export function needsScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.needs
  return {
    here,
    async show(query, looking) {
      return needsView(looking, await waitingFor(looking, query), { isDone: query.has('done') })
    },
    async submit(form, looking) {
      const { retry, redeliver, resume, dismiss } = needOperations
      const answer = await acted(looking, form, [retry, redeliver, resume, dismiss])
      if (!answer) return { goTo: here }
      if (!answer.refusal) return { goTo: `${here}?done` }
      if (isSignedOut(answer.refusal)) throw answer.refusal
      const { refusal } = answer
      const waiting = await waitingFor(looking, new URLSearchParams())
      const view = needsView(looking, waiting, { problem: sayingOf(refusal) })
      return { ...view, status: refusal.status, ...waitOf(refusal) }
    },
  }
}

async function waitingFor(looking: Looking, query: URLSearchParams): Promise<Waiting> {
  const { terms, as } = looking
  const of = (list: string) => {
    const cursor = query.get(list)
    return { limit: atOnce, ...(cursor !== null && { cursor }) }
  }
  const [approvals, notices, { needs }] = await Promise.all([
    answered(terms, needOperations.approvals.list, { state: 'pending', ...of('approvals') }, as),
    answered(terms, needOperations.inbox, { open: true, ...of('notices') }, as),
    answered(terms, needOperations.overview, { named: atOnce, needs: ['paused_tasks'] }, as),
  ])
  const paused = needs.paused_tasks
  const causes = await causesOf(looking, notices.items)
  return {
    approvals: approvals.items,
    moreApprovals: approvals.next_cursor,
    paused,
    notices: notices.items,
    moreNotices: notices.next_cursor,
    causes,
    names: await namesOfWork(looking, [
      ...approvals.items,
      ...paused.first,
      ...notices.items.flatMap(({ char_id, task_id }) => (char_id ? [{ char_id, task_id }] : [])),
      ...[...causes.values()].flatMap(({ missing }) => missing),
    ]),
  }
}

/** What notices tell of, where that is not in what everyone is shown of them. */
async function causesOf(
  { terms: { store }, account }: Looking,
  notices: readonly OwnerNotice[],
): Promise<Causes> {
  const some = notices.filter(({ type }) => causedKinds.has(type))
  if (some.length === 0) return new Map()
  const own = { id: { $in: some.map(({ id }) => id) }, owner_id: account.id }
  const stored = await store.notices.find(own)
  return new Map(
    stored.map(({ id, connection_id, missing = [] }) => [id, { connection_id, missing }]),
  )
}
