import { agentOperations } from '#src/catalog/agent-pages.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave } from '#src/core/html/view.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import { sayingOf } from '../fields.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { teamOf, teamPage } from './frame.ts'
import { pasteView, plannedView, type Pasted } from './plan-views.ts'

/** A longer manifest is applied by programs. */
const charactersAtMost = 100_000
/** Each of them takes 9 bytes of a form at most. */
const formBytesAtMost = 950_000

/** What a pasted manifest would do to a team, and the button that does it. */
export function planScreen(terms: Terms, id: string): ConsoleScreen {
  return {
    here: terms.paths.team(id, ['plan']),
    formBytesAtMost,
    async show(_, looking, typed) {
      const sent = typed && sentIn(typed)
      const text = sent?.text ?? (await manifestText(looking, id))
      const isLong = text.length > charactersAtMost
      const pasted = { text: isLong ? '' : text, prune: sent?.prune ?? false, isLong }
      return pasteAgain(looking, id, pasted, [])
    },
    async submit(form, looking) {
      const sent = sentIn(form)
      if (form.get('action') === 'edit') return pasteAgain(looking, id, sent, [])
      const manifest = manifestIn(sent.text)
      if (manifest === undefined) return pasteAgain(looking, id, sent, ['This is not JSON.'])
      return form.get('action') === 'save'
        ? apply(looking, id, { ...sent, manifest }, Number(form.get('revision')))
        : look(looking, id, { ...sent, manifest })
    },
  }
}

/** The manifest of a team as it was sent, or of an earlier revision, with a line for each member. */
export async function manifestText(
  { terms, as }: Looking,
  app_id: string,
  revision?: number,
): Promise<string> {
  const input = { app_id, ...(revision !== undefined && { revision }) }
  return JSON.stringify(await answered(terms, agentOperations.teams.manifest, input, as), null, 2)
}

function sentIn(form: URLSearchParams): Pasted {
  const text = (form.get('manifest') ?? '').replaceAll('\r\n', '\n')
  return { text, prune: form.get('prune') === 'true' }
}

function manifestIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // Its members are checked by the operation.
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

type Sent = Pasted & { manifest: Record<string, unknown> }

async function pasteAgain(
  looking: Looking,
  id: string,
  pasted: Pasted,
  problems: readonly string[],
  status = problems.length > 0 ? 422 : 200,
): Promise<ConsoleView> {
  const team = await teamOf(looking, id)
  return teamPage(looking, team, { part: 'plan', main: pasteView(pasted, problems), status })
}

async function look(
  looking: Looking,
  id: string,
  sent: Sent,
  isLate = false,
): Promise<ConsoleView> {
  const { terms, as } = looking
  const { manifest, prune } = sent
  const [team, current] = await Promise.all([teamOf(looking, id), manifestText(looking, id)])
  const { plan } = agentOperations.teams
  const answer = await told(terms, plan, { app_id: id, manifest, prune }, as)
  if (answer.refusal !== undefined) return refused(looking, id, sent, answer.refusal)
  const pretty = JSON.stringify(manifest, null, 2)
  const shown = { plan: answer.value, before: current, after: pretty, revision: team.revision }
  const main = plannedView(shown, sent, isLate)
  return teamPage(looking, team, { part: 'plan', main, status: isLate ? 409 : 200 })
}

/** Applies the manifest to the revision that the person has seen. */
async function apply(
  looking: Looking,
  id: string,
  sent: Sent,
  expected: number,
): Promise<ConsoleView | Leave> {
  const { terms, as } = looking
  const { manifest, prune } = sent
  const input = { app_id: id, manifest, prune }
  const { update } = agentOperations.teams
  const { refusal } = await told(terms, update, input, { ...as, expected })
  if (!refusal) return { goTo: terms.paths.team(id, [], { done: 'saved' }) }
  if (refusal.code === 'revision_mismatch') return look(looking, id, sent, true)
  return refused(looking, id, sent, refusal)
}

/** @throws the refusal where it is not about the manifest */
function refused(
  looking: Looking,
  id: string,
  pasted: Pasted,
  refusal: Refusal,
): Promise<ConsoleView> {
  if (isSignedOut(refusal) || refusal.status === 404) throw refusal
  const faults = (refusal.errors ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
  const problems = faults.length > 0 ? faults : [sayingOf(refusal)]
  return pasteAgain(looking, id, pasted, problems, refusal.status)
}
