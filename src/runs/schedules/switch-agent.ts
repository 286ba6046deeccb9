import { commitAudited } from '#src/accounts/audit/commit.ts'
import { ownCharacter } from '#src/agents/access.ts'
import type { Character, StoredCharacter } from '#src/agents/character.ts'
import { touched } from '#src/agents/tasks/owner.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'
import { shownCharacter } from '#src/agents/view.ts'
import { answer, type Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { gathered } from './gathered.ts'
import type { Switched } from './pause.ts'

/** An agent as it was read, with those of its tasks that are switched. */
interface Switching {
  agent: StoredCharacter
  tasks: readonly StoredTask[]
  now: Date
}

/** How all tasks of an agent are switched at once. */
interface Switch {
  operation: string
  /** Which of its tasks. */
  among: (task: StoredTask) => boolean
  /** What is done before, and what each of them becomes. */
  decide: (
    switching: Switching,
  ) => Promise<(task: StoredTask) => Promise<Switched & { also?: readonly Write[] }>>
}

/**
 * Pauses or resumes tasks of one of the caller's agents in one commit, and answers the agent.
 * @throws Refusal `character_not_found`, `forbidden`, `revision_mismatch`, `write_conflict`, and those of `decide`
 */
export function switchAgent(
  context: Context<'key'>,
  charId: string,
  { operation, among, decide }: Switch,
): Promise<Answer<Character>> {
  return retryUnmet(async () => {
    const agent = await ownCharacter(context, charId)
    mustBe(agent.revision, context.expected)
    const all = await tasksOf(context, [charId])
    const some = all.filter(among)
    if (some.length === 0) return answer(shownCharacter(agent, all), { revision: agent.revision })
    const now = context.clock.now()
    const switchedTo = await decide({ agent, tasks: some, now })
    const next = new Map<string, StoredTask>()
    const writes = await gathered(context, some, async (task) => {
      const { task: after, writes: own, also = [] } = await switchedTo(task)
      next.set(task.id, after)
      // The agent is touched once, for all of them.
      return [...own.filter((write) => write.in !== 'characters'), ...also]
    })
    const after = { ...agent, revision: agent.revision + 1, updated_at: timestamp(now) }
    const shown = shownCharacter(
      after,
      all.map((task) => next.get(task.id) ?? task),
    )
    const note = { operation, about: { char_id: charId } }
    const bound = [touched(agent, timestamp(now)), ...writes]
    return commitAudited(context, shown, bound, note, { revision: after.revision })
  })
}
