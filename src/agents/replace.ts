import { commitAudited } from '#src/accounts/audit/commit.ts'
import { agentBytes, taskBytes } from './counted.ts'
import type { Answer } from '#src/core/answer.ts'
import type { CommitOptions, Context } from '#src/core/context.ts'
import { withWarnings, type Warning } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { agentChanged } from './directory/sync.ts'
import type { Write } from '#src/ports/store.ts'
import { circleOf, loopWarnings } from './tasks/references/loops.ts'
import { referenceWarnings } from './tasks/references/warnings.ts'
import { inOrder, replacingTasks, rescheduled } from './tasks/replace-tasks.ts'
import { admittedTasks, shelfFor, type AdmittedTasks } from './tasks/policy/admit.ts'
import type { FaultItem } from '#src/core/errors.ts'
import { gateNotices, guardsChanged, type Changed } from './tasks/policy/recorded.ts'
import { pauseOfApp } from './app/pause.ts'
import { isOwner, refuseOwnerOnly, strayFaults } from './tasks/policy/owner-only.ts'
import type { StoredTask } from './tasks/task.ts'
import type { Character, CharacterInput, StoredCharacter } from './character.ts'
import { policyFaults } from './policy.ts'
import { withServersAuthor } from './secrets/servers-author.ts'
import { markedAs } from './visibility/friends-level.ts'
import { revisionKept } from './revisions.ts'
import type { CharacterPlace } from './stored-character.ts'
import { shownCharacter } from './view.ts'
import { keptAgent, settingsSealer } from './sealed/keep.ts'
import { characterWarnings } from './warnings.ts'

/** An agent with its tasks, as they were just read. */
export interface AgentAsRead {
  kept: StoredCharacter
  tasks: readonly StoredTask[]
}

/** So many names of changed members are recorded. */
const changedAtMost = 100

/** How an agent is replaced. */
export interface ReplaceOptions {
  /** Its tasks stay as they are; otherwise those of the input replace all of them. */
  tasksKept: boolean
  /** What the caller has sent of the agent, before anything was filled in. */
  sent?: unknown
  /** Warnings that come before those of the agent itself. */
  warnings?: readonly Warning[]
}

/** The result of replacing the document of an agent, before it is committed. */
export interface Replacement {
  after: Character
  warnings: Warning[]
  /** All writes of the commit, bound to the agent as it was read. */
  writes: Write[]
  options: CommitOptions
  /** What is recorded of it: the names of changed members that only the owner may change. */
  changed: string[]
}

/**
 * Replaces the document of an agent, in one commit with the revision that it ends.
 * @param input checked, defaults filled in
 * @throws Unmet when the agent was changed since it was read
 * @throws Refusal `invalid_input` for a masked secret where none is stored; `owner_only` for members
 *   that a key that acts as the agent may not change
 */
export async function replaced(
  context: Context<'key'>,
  agent: AgentAsRead,
  input: CharacterInput,
  how: ReplaceOptions & { operation: string },
): Promise<Answer<Character & { warnings?: Warning[] }>> {
  const { after, warnings, writes, options, changed } = await replacement(
    context,
    agent,
    input,
    how,
  )
  const about = { char_id: agent.kept.id }
  const note = changed.length > 0 ? { operation: how.operation, about, changed } : undefined
  return commitAudited(context, withWarnings(after, warnings), writes, note, options)
}

/** The tasks of a heart that may replace the existing ones. @throws Refusal `owner_only` */
async function admittedHeart(
  { caller, sealer, store }: Pick<Context<'key'>, 'caller' | 'sealer' | 'store'>,
  { heart }: CharacterInput,
  asRead: Parameters<typeof admittedTasks>[2],
  brain: StoredCharacter['brain'],
): Promise<AdmittedTasks> {
  const inputs = heart?.tasks ?? []
  const shelf = isOwner(caller) ? undefined : await shelfFor(store, asRead.agent.id, inputs)
  return admittedTasks({ caller, sealer }, inputs, asRead, { brain, shelf })
}

/** The tasks of an agent before and after, each with itself. */
function paired(before: readonly StoredTask[], after: readonly StoredTask[]): Changed[] {
  const next = new Map(after.map((task) => [task.id, task]))
  const known = new Set(before.map(({ id }) => id))
  return [
    ...before.map((task) => ({ before: task, after: next.get(task.id) })),
    ...after.filter(({ id }) => !known.has(id)).map((task) => ({ after: task })),
  ]
}

/** What is recorded as changed: members of the agent, and of its tasks by their ids. */
function changedNames(guarded: readonly FaultItem[], both: readonly Changed[]): string[] {
  const ofTasks = both.flatMap((one) =>
    guardsChanged(one).map((name) => `heart.tasks/${(one.after ?? one.before)?.task_id}/${name}`),
  )
  const ofAgent = guarded.map(({ pointer }) => pointer.replace(/^\/character\//, ''))
  return [...new Set([...ofAgent, ...ofTasks])].slice(0, changedAtMost)
}

/** Where the next revision of an agent is. */
function nextPlace(kept: StoredCharacter, now: Date): CharacterPlace {
  return {
    id: kept.id,
    ownerId: kept.owner_id,
    appId: kept.app_id,
    localId: kept.local_id,
    revision: kept.revision + 1,
    now: timestamp(now),
    createdAt: kept.created_at,
  }
}

/**
 * The same without the commit, for operations that answer something other than the agent.
 * @throws Refusal `invalid_input` for a masked secret where none is stored; `owner_only`
 */
export async function replacement(
  { caller, clock, sender, sealer, store, settings }: Context<'key'>,
  { kept, tasks: keptTasks }: AgentAsRead,
  input: CharacterInput,
  { tasksKept, sent: asSent, warnings = [] }: ReplaceOptions,
): Promise<Replacement> {
  const now = clock.now()
  const made = keptAgent(input, nextPlace(kept, now), settingsSealer(sealer), {
    previous: kept,
    at: '/character',
  })
  const guarded = policyFaults(kept, made.character, made.moved)
  if (!caller.setsPolicy) refuseOwnerOnly(guarded, caller)
  // Who may not change the visibility does not set by its sending what was only filled in.
  const marked = caller.setsPolicy ? made.character : markedAs(kept, made.character)
  const next = withServersAuthor(marked, { kept, author: caller, moved: made.moved })
  // The right to set where a secret goes does not include the right to learn it.
  if (!isOwner(caller)) refuseOwnerOnly(strayFaults(made.strayed), caller)
  const { id: charId, owner_id: ownerId, app_id: appId, revision: read } = kept
  const heartbeat = next.heart?.heartbeat_interval
  const pause = tasksKept ? undefined : await pauseOfApp(store, appId)
  const owner = { charId, ownerId, appId, heartbeat, pause }
  const asRead = { agent: kept, tasks: keptTasks }
  const writer = { caller, sealer, store }
  const sent = tasksKept ? undefined : await admittedHeart(writer, input, asRead, next.brain)
  const keeping = { sealer, store, author: caller, inheriting: sent?.inheriting, revision: read }
  const { tasks, writes, bytes } = sent
    ? await replacingTasks(keptTasks, sent.tasks, owner, now, keeping)
    : rescheduled(inOrder(keptTasks), heartbeat, now)
  const noted = characterWarnings(input, {
    objection: (url) => sender.objection(url),
    previous: kept,
    sent: asSent,
    now,
    tasksKept,
    previousTasks: new Map(keptTasks.map((task) => [task.task_id, task])),
  })
  const written = (sent?.tasks ?? []).map((task, i) => ({ task, at: `/heart/tasks/${i}` }))
  const holder = { charId: kept.id, appId: kept.app_id, control: next.control, tasks }
  const named = await referenceWarnings({ store, caller }, holder, written)
  const linked = sent ? written : keptTasks.map((task) => ({ task, at: undefined }))
  named.push(...(await loopWarnings({ store }, kept.owner_id, circleOf(next, linked))))
  const after = shownCharacter(next, tasks)
  const both = sent ? paired(keptTasks, tasks) : []
  const change = { actor: caller.keyId, now, after }
  const revision = await revisionKept({ store, settings }, kept, keptTasks, change)
  return {
    after,
    warnings: [...warnings, ...(sent?.warnings ?? []), ...noted, ...named],
    writes: [...agentChanged(kept, next), ...writes, ...revision.writes, ...gateNotices(both, now)],
    changed: changedNames(guarded, both),
    options: {
      revision: next.revision,
      bytes: bytesOf({ agent: next, tasks }) - bytesOf(asRead) + revision.bytes + bytes,
    },
  }
}

function bytesOf(state: { agent: StoredCharacter; tasks: readonly StoredTask[] }): number {
  return agentBytes([state.agent]) + taskBytes(state.tasks)
}
