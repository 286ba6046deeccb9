import { pageOperations } from '#src/catalog/pages.ts'
import { runOperations } from '#src/catalog/run-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import { approvalFor, type PersonsApproval } from '#src/runs/approvals/for-person.ts'
import type { Run } from '#src/runs/run.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { namesOfWork } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { problemsOf, sayingOf, waitOf } from '../fields.ts'
import { editBytesAtMost, editIn } from './approval-edit.ts'
import { approvalView, type ApprovalForm, type ShownApproval } from './approval-views.ts'

/** For a note of 2,000 characters, each of which may take 12 bytes, a changed input, and a sign-in in between. */
const formBytesAtMost = 32_768 + editBytesAtMost

const notSeen = 'There is no such approval for you to see.'
/** Also for a person who held an account that is asked while they looked at the page. */
const notDecided =
  'There is no such approval for you to decide, so nothing was decided. It is for an owner or an approver of an account that is asked now.'

/** The page of an approval: what is asked, and for whom it asks the form to decide it. */
export function approvalScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.approval(id)
  const refused = async (looking: Looking, refusal: Refusal, form: ApprovalForm) => {
    if (isSignedOut(refusal)) throw refusal
    const one = await shownTo(looking, id)
    if (!one) return absent(notDecided)
    const problems = problemsIn(refusal)
    const view = approvalView(looking, one, { ...form, problems }, refusal.status)
    return { ...view, ...waitOf(refusal) }
  }
  return {
    here,
    formBytesAtMost,
    isOfPerson: true,
    async show(query, looking, typed) {
      const one = await shownTo(looking, id)
      if (!one) return absent(notSeen)
      const form = typed ? sentIn(typed, one) : {}
      return approvalView(looking, one, { ...form, isDone: query.has('done') })
    },
    async submit(form, looking) {
      const one = await shownTo(looking, id)
      if (!one) return absent(notDecided)
      const decision = form.get('action')
      if (decision !== 'approve' && decision !== 'reject') return { goTo: here }
      const sent = sentIn(form, one)
      const edit = decision === 'approve' ? editIn(sent.edit, one.shown) : {}
      if ('problem' in edit) {
        const problems = { input: `${edit.problem} Nothing was decided.` }
        return approvalView(looking, one, { ...sent, problems }, 422)
      }
      const input = { approval_id: id, decision, ...ballotOf(sent), ...edit } as const
      const as = { visitor: looking.visitor, accountId: one.accountId }
      const { refusal } = await told(terms, pageOperations.approvals.decide, input, as)
      if (refusal) return refused(looking, refusal, sent)
      return { goTo: `${here}?done` }
    },
  }
}

function absent(words: string): ConsoleView {
  return {
    status: 404,
    title: 'There is nothing here',
    main: html`<p>${words}</p>`,
    place: 'needs',
  }
}

/** The approval as the person may see it through any of their accounts; undefined where they may not. */
async function shownTo(looking: Looking, id: string): Promise<ShownApproval | undefined> {
  const { terms, me, visitor } = looking
  const seen = await approvalFor(terms.store, me.person.id, id)
  if (!seen) return undefined
  const as = { visitor, accountId: seen.accountId }
  const { approvals } = pageOperations
  const shown = await answered(terms, approvals.get, { approval_id: id }, as)
  const { char_id, task_id, approvers } = shown
  const isOwn = seen.approval.owner_id === seen.accountId
  const [chain, stored] = await Promise.all([
    isOwn ? chainOf(looking, seen) : [],
    isOwn ? terms.store.tasks.get(taskKey(char_id, task_id)) : undefined,
  ])
  const task = stored?.owner_id === seen.accountId ? stored : undefined
  const others = [...approvers, ...seen.voters, task?.output_sharing?.target_agent_id ?? '']
  const known = await namesOfWork({ terms, account: { id: seen.accountId } }, [
    shown,
    ...chain,
    ...others.map((one) => ({ char_id: one })),
  ])
  return { ...seen, shown, chain, task, known }
}

const stepsBefore = 8

/** The run that waits, with those that led to it, each started by the one before. */
async function chainOf({ terms, visitor }: Looking, seen: PersonsApproval): Promise<Run[]> {
  const as = { visitor, accountId: seen.accountId }
  const chain: Run[] = []
  let next: string | null = seen.approval.run_id
  while (next !== null && chain.length <= stepsBefore) {
    const answer: Awaited<ReturnType<typeof readRun>> = await readRun(next)
    if (answer.refusal) break
    chain.push(answer.value)
    next = answer.value.parent_run_id
  }
  return chain

  function readRun(run_id: string) {
    return told(terms, runOperations.get, { run_id }, as)
  }
}

/** What a form holds besides its answer. */
function sentIn(form: URLSearchParams, { voters, shown }: ShownApproval) {
  // Of persons each has one vote, as whichever agent is free.
  const first = shown.require_person ? undefined : voters[0]
  return {
    reason: form.get('reason')?.trim() ?? '',
    as: form.get('as') ?? first,
    edit: { input: form.get('input'), form: form.get('form') },
  }
}

function ballotOf({ reason, as }: Pick<ApprovalForm, 'reason' | 'as'>) {
  return { ...(reason !== '' && { reason }), ...(as !== undefined && { as_char_id: as }) }
}

function problemsIn(refusal: Refusal): NonNullable<ApprovalForm['problems']> {
  const { code, kind } = refusal
  if (code === 'approval_decided') {
    return {
      '': 'It had been decided before your answer came, which changed nothing. The answers below say by whom.',
    }
  }
  if (code === 'approval_stale') {
    return {
      '': 'The task was changed since this was asked, so something else would run: it can only be rejected.',
    }
  }
  if (kind !== 'invalid') return { '': sayingOf(refusal) }
  const problems = problemsOf(refusal, { reason: 'A note has at most 2,000 characters.' })
  const { edited_input: input, ...others } = problems
  return input === undefined ? others : { ...others, input: `${input} Nothing was decided.` }
}
