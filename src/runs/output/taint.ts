import { marked, marksOf, type Source } from '#src/core/text/untrusted.ts'
import type { StoredApproval, Vote } from '../approvals/approval.ts'
import { isEdited } from '../approvals/edit.ts'
import { agreeing } from '../approvals/verdict.ts'
import type { StoredRun } from '../run.ts'

/** The run with the mark of what it has been given besides its input; the first mark stays. */
export function tainted(run: StoredRun, source: Source | undefined): StoredRun {
  return run.untrusted ? run : { ...run, ...marked(source) }
}

/**
 * Marks a run that is being worked on, because it now knows something from there: all that reads the run
 * afterwards, and its end, finds the mark. It is kept with the end or the pause of the run; a run that
 * loses its worker before then begins again, and knows nothing.
 */
export function taint(run: StoredRun, source: Source | undefined): void {
  if (!run.untrusted) Object.assign(run, marked(source))
}

type Asked = Pick<
  StoredApproval,
  'kind' | 'approvers' | 'approver_owners' | 'fell_back' | 'fallback_owner_id' | 'edit'
>

/**
 * Where a run's text still comes from once its approval is given: from nowhere outside if a person has
 * approved it who is not of the account that it came from. What a key or an agent approves stays marked, and so
 * does what another account has put in its place.
 */
export function sourceAfter(
  run: Pick<StoredRun, 'untrusted' | 'source'>,
  asked: Asked,
  votes: readonly Vote[],
): Source | undefined {
  const { source } = marksOf(run)
  // Who allows a secret to be sent somewhere, or one call, has not vouched for what the run has read.
  if (asked.kind === 'secret_origin' || asked.kind === 'tool') return source
  const ownerOf = ({ by }: Vote): string | null | undefined =>
    asked.fell_back ? asked.fallback_owner_id : asked.approver_owners[asked.approvers.indexOf(by)]
  // Who approved something else has not read it either.
  const persons = agreeing(votes).filter(({ decided_by }) => decided_by?.kind === 'person')
  const isLeft = ({ account }: Source): boolean =>
    !persons.some((vote) => account === undefined || ownerOf(vote) !== account)
  const edited = isEdited(votes) ? asked.edit?.source : undefined
  return [source, edited].find((one) => one !== undefined && isLeft(one))
}
