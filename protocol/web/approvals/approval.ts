import { pageOperations } from '#src/catalog/pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import { approvalFor } from '#src/runs/approvals/for-person.ts'
import { editBytesAtMost, editIn } from './approval-edit.ts'
import { approvalView, type ApprovalForm, type ShownApproval } from './approval-views.ts'
import { isSignedOut, told, whoIs, type Terms } from '../ask.ts'
import { problemsOf, sayingOf, waitOf } from '../fields.ts'
import { notThere } from '../settings/settings-views.ts'

/** For a note of 2,000 characters, each of which may take 12 bytes, and a changed input. */
const formBytesAtMost = 28_672 + editBytesAtMost

const notSeen = 'There is no such approval for you to see.'

type Looking = ShownApproval | View | Leave

/** The page of an approval: what is asked, and for whom it asks the form to decide it. */
export function approvalScreen(terms: Terms, id: string): Screen {
  const { paths, store } = terms
  const here = paths.approval(id)

  /** The approval for the person who is signed in; else what is shown instead or where to redirect. */
  const lookingAt = async (visitor: Visitor, otherwise = notSeen): Promise<Looking> => {
    const me = await whoIs(terms, visitor)
    if (!me) return { goTo: paths.signInFor(here) }
    const seen = await approvalFor(store, me.person.id, id)
    if (!seen) return notThere(paths, otherwise, paths.settings())
    const { accountId } = seen
    const input = { approval_id: id }
    const { refusal, ...read } = await told(terms, pageOperations.approvals.get, input, {
      visitor,
      accountId,
    })
    if (refusal) throw refusal
    if (!('value' in read)) throw new TypeError('neither answered nor refused')
    return { ...seen, paths, personId: me.person.id, shown: read.value }
  }

  const refused = async (
    visitor: Visitor,
    refusal: Refusal,
    form: ApprovalForm,
  ): Promise<View | Leave> => {
    if (isSignedOut(refusal)) return { goTo: paths.signInFor(here) }
    const looking = await lookingAt(visitor, notDecided)
    if (!('shown' in looking)) return looking
    const problems = problemsIn(refusal)
    return { ...approvalView(looking, { ...form, problems }, refusal.status), ...waitOf(refusal) }
  }

  return {
    formBytesAtMost,
    async show(query, visitor) {
      const looking = await lookingAt(visitor)
      if (!('shown' in looking)) return looking
      return approvalView(looking, { isDone: query.has('done') })
    },
    async submit(form, visitor) {
      const looking = await lookingAt(visitor, notDecided)
      if (!('shown' in looking)) return looking
      const decision = form.get('action')
      if (decision !== 'approve' && decision !== 'reject') return { goTo: here }
      const sent = sentIn(form, looking)
      const edit = decision === 'approve' ? editIn(sent.edit, looking.shown) : {}
      if ('problem' in edit) {
        const problems = { input: `${edit.problem} Nothing was decided.` }
        return approvalView(looking, { ...sent, problems }, 422)
      }
      const input = { approval_id: id, decision, ...ballotOf(sent), ...edit } as const
      const { accountId } = looking
      const { refusal } = await told(terms, pageOperations.approvals.decide, input, {
        visitor,
        accountId,
      })
      if (refusal) return refused(visitor, refusal, sent)
      return { goTo: `${here}?done` }
    },
  }
}

/** Also for a person who held an account that is asked while they looked at the page. */
const notDecided =
  'There is no such approval for you to decide, so nothing was decided. It is for an owner or an approver of an account that is asked now.'

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
    return { '': 'It had been decided before your answer came, which changed nothing.' }
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
