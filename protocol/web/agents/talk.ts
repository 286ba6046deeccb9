import { agentOperations } from '#src/catalog/agent-pages.ts'
import { allows, roleNeeded, rolesWith } from '#src/core/authorization/account-roles.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave } from '#src/core/html/view.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import { problemsOf, waitOf, type Problems } from '../fields.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import type { Looking } from '../console/reader.ts'
import { agentOf, agentView } from './frame.ts'
import { onceIn } from '../once.ts'
import { talkView } from './talk-views.ts'

const messagesShown = 20
/** For words of 10,000 characters, each of which may take 9 bytes. */
const formBytesAtMost = 98_304
const wordsAtMost = 10_000

/** The conversations of a person with an agent. */
export function talkScreen(terms: Terms, id: string): ConsoleScreen {
  return {
    here: terms.paths.agent(id, ['talk']),
    formBytesAtMost,
    show: (query, looking, typed) =>
      shown(looking, id, {
        context: query.get('with') ?? typed?.get('with') ?? undefined,
        cursor: query.get('cursor') ?? undefined,
        typed,
      }),
    submit: (form, looking) => say(looking, id, form),
  }
}

interface Asked {
  /** The conversation; undefined for a new one. */
  context?: string | undefined
  cursor?: string | undefined
  typed?: URLSearchParams | undefined
  problems?: Problems
}

async function shown(
  looking: Looking,
  id: string,
  { context, cursor, ...form }: Asked,
  refusal?: Refusal,
): Promise<ConsoleView> {
  const { terms, as } = looking
  const page = {
    char_id: id,
    limit: messagesShown,
    ...(context !== undefined && { context_id: context.slice(0, 256) }),
    ...(cursor !== undefined && { cursor }),
  }
  const [agent, messages] = await Promise.all([
    agentOf(looking, id),
    answered(terms, agentOperations.talk.list, page, as),
  ])
  const main = talkView(looking, agent, { context, messages, ...form })
  const status = refusal?.status ?? (form.problems ? 422 : 200)
  return agentView(looking, agent, { part: 'talk', main, status, ...(refusal && waitOf(refusal)) })
}

/** Says something to the agent, and leads back to the conversation. */
async function say(
  looking: Looking,
  id: string,
  form: URLSearchParams,
): Promise<ConsoleView | Leave> {
  const { terms, as } = looking
  const words = (form.get('words') ?? '').replaceAll('\r\n', '\n')
  const [context, task] = [form.get('with') ?? '', form.get('task') ?? '']
  const asked = { context: context === '' ? undefined : context, typed: form }
  if (words.trim() === '') {
    return shown(looking, id, { ...asked, problems: { words: 'Write something first.' } })
  }
  if (words.length > wordsAtMost) {
    const problems = { words: 'Write at most 10,000 characters at once.' }
    return shown(looking, id, { ...asked, problems })
  }
  const once = onceIn(form)
  const message = {
    char_id: id,
    message_id: `page-${once ?? looking.visitor.requestId}`,
    parts: [{ text: words }],
    ...(context !== '' && { context_id: context }),
    ...(task !== '' && { task_id: task }),
  }
  // Everyone may write to a public agent, but this is the page of its own account.
  await agentOf(looking, id)
  const { role } = looking.account
  if (!allows(role, 'run')) {
    const refusal = roleNeeded(role, rolesWith('run'), 'talk with its agents')
    return shown(looking, id, { ...asked, problems: problemsOf(refusal, {}) }, refusal)
  }
  const { send } = agentOperations.talk
  const answer = await told(terms, send, message, { ...as, idempotencyKey: once })
  if (answer.refusal === undefined) {
    const { context_id } = answer.value
    return { goTo: `${terms.paths.agent(id, ['talk'], { with: context_id })}#newest` }
  }
  const { refusal } = answer
  if (isSignedOut(refusal) || refusal.code === 'character_not_found') throw refusal
  return shown(looking, id, { ...asked, problems: problemsOf(refusal, {}) }, refusal)
}
