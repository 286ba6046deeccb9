import * as z from 'zod'
import { withoutHidden } from '#src/core/text/hidden-characters.ts'
import { audienceOf } from '#src/agents/visibility/ability-access.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { titleOf } from '#src/agents/tasks/title.ts'
import { publicSelf } from '#src/agents/public/profile.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { knownAgent, partner } from '#src/runs/chat/access.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import { choicesOf, isOpenTask, isRunnable } from '#src/runs/chat/choose-task.ts'

const descriptionAtMost = 2000
const tagsAtMost = 20

export const Face = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    revision: z.int(),
    updated_at: z.string(),
    is_private: z.boolean(),
    is_open: z.boolean().describe('Any caller may send it messages.'),
    tasks: z.array(
      z.object({
        task_id: z.string(),
        name: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'AgentFace' })
/** An agent as it presents itself to callers that may want to send it a message. */
export type Face = z.infer<typeof Face>

export const face = operation({
  name: 'chat.face',
  summary: 'Read who a hosted agent is and what a message to it can start.',
  description:
    'whole: the tasks that the caller may start, and for its account all tasks; only for callers that ' +
    'may send it messages.',
  example: { char_id: 'ada' },
  auth: 'none',
  http: { method: 'GET', path: '/a2a/{char_id}/.well-known/agent-card.json' },
  toolsets: ['messages'],
  input: z.strictObject({
    char_id: z.string().max(128),
    whole: z.boolean().default(false),
  }),
  output: Face,
  refuses: ['character_not_found', 'forbidden'],
  untrusted: true,
  internal: true,

  async run({ char_id, whole }, context) {
    const { agent, isOwn } = await (whole ? partner : knownAgent)(context, char_id)
    const all = await tasksOf(context, [agent.id], { owner_id: agent.owner_id })
    const is_private = (agent.visibility?.profile_visibility ?? 'private') === 'private'
    // A private one shows itself only to its account, which may see all of it.
    const seesAll = isOwn && (whole || is_private)
    const tasks = seesAll ? all : whole ? await startable(context, all) : all.filter(isOpenTask)
    return {
      id: agent.id,
      name: seen(agent.name, agent.id),
      description: descriptionOf(agent, seesAll),
      revision: agent.revision,
      updated_at: agent.updated_at,
      is_private,
      is_open: audienceOf(agent.visibility, 'chat') === 'everybody',
      tasks: tasks.map(shownTask),
    }
  },
})

async function startable(
  { store, caller }: Context,
  tasks: readonly StoredTask[],
): Promise<StoredTask[]> {
  const choices = await choicesOf(store, tasks, { isOwn: false, charId: caller.charId })
  return choices.map(({ task }) => task)
}

function descriptionOf(agent: StoredCharacter, seesAll: boolean): string {
  const { public_bio, tagline, bio } = seesAll
    ? { ...agent, public_bio: agent.visibility?.public_bio }
    : publicSelf(agent)
  const lines = [tagline, public_bio, bio].map((text) => harmless(text ?? '').trim())
  const text = [...new Set(lines)].filter((line) => line !== '').join('\n\n')
  return cut(text) || `${seen(agent.name, agent.id)} is an agent that accepts messages.`
}

function shownTask(task: StoredTask) {
  const { task_id, description, tags } = task
  const name = seen(titleOf(task), task_id)
  const isStopped = !isRunnable(task)
  const own = tags.slice(0, tagsAtMost).map((tag) => cut(harmless(tag)))
  return {
    task_id,
    name,
    description: cut(harmless(description ?? '')) || name,
    // For its account, which also sees the tasks that messages do not start.
    tags: [...new Set(['task', ...(isStopped ? ['not_started_by_messages'] : []), ...own])],
  }
}

/**
 * Text of others, safe to put on a page or before a model as it is: no character that hides or
 * reverses the text next to it, and nothing that a browser takes for markup.
 */
function harmless(text: string): string {
  return withoutHidden(text).replaceAll('<', '‹').replaceAll('>', '›')
}

/** A text, or another in its place if nothing of it is visible. */
function seen(text: string, instead: string): string {
  const shown = harmless(text).trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(shown) ? shown : instead
}

function cut(text: string): string {
  return Array.from(text).slice(0, descriptionAtMost).join('')
}
