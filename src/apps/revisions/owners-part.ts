import { isDeepStrictEqual } from 'node:util'
import { openFaults, policyFaults } from '#src/agents/policy.ts'
import type { SecretShelf } from '#src/agents/secrets/stored-secrets.ts'
import { shelfFor } from '#src/agents/tasks/policy/admit.ts'
import { agentsTask, policyMembers, removalFaults } from '#src/agents/tasks/policy/change.ts'
import { strictnessFor } from '#src/agents/tasks/policy/gate.ts'
import { guardsOf } from '#src/agents/tasks/policy/guards.ts'
import { isOwner, ownersAlone, refuseOwnerOnly } from '#src/agents/tasks/policy/owner-only.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { mayDo } from '#src/core/admission/caller.ts'
import type { Context } from '#src/core/context.ts'
import type { FaultItem } from '#src/core/errors.ts'
import { inPortions, type Steps } from '#src/core/turns/portions.ts'
import type { Provision, Standing } from '../plan.ts'
import type { Planned } from '../planned.ts'

type Needed = Pick<Context<'key'>, 'caller' | 'store' | 'clock'>

/**
 * Holds a manifest of a program that may not manage the account to what such a program may change of each agent and task
 * by itself: a new agent is its own to shape, but not to open, and of one that is there nothing changes that guards it.
 * Who may only look at what a manifest would do is shown all of it.
 * @throws Refusal `insufficient_scope`
 */
export async function refuseOwnersPart(
  { caller, store, clock }: Needed,
  provision: Provision,
  standing: Standing | undefined,
  prune: boolean,
): Promise<void> {
  if (isOwner(caller) || !mayDo(caller, 'write')) return
  const shelves = new Map<string, SecretShelf>()
  for (const { id } of standing?.characters ?? []) {
    const own = provision.tasks.filter(({ char_id }) => char_id === id)
    const shelf = await shelfFor(store, id, own)
    if (shelf) shelves.set(id, shelf)
  }
  const steps = ownersFaultSteps(provision, { standing, shelves, prune })
  refuseOwnerOnly(await inPortions(steps, clock), caller)
}

interface Applied {
  standing: Standing | undefined
  shelves: ReadonlyMap<string, SecretShelf>
  prune: boolean
}

/** What only the owner may change, agent by agent and task by task; pointers are into the manifest. */
function* ownersFaultSteps(
  { planned, left }: Pick<Provision, 'planned' | 'left'>,
  { standing, shelves, prune }: Applied,
): Steps<FaultItem[]> {
  const before = Map.groupBy(standing?.tasks ?? [], ({ char_id }) => char_id)
  const after = Map.groupBy(planned.tasks, ({ next }) => next.char_id)
  const faults: FaultItem[] = []
  for (const [i, one] of planned.characters.entries()) {
    const at = `/agents/${i}`
    faults.push(...agentFaults(one, at))
    yield
    if (!one.previous) continue
    const { id, brain } = one.previous
    const shelf = shelves.get(id)
    const strictness = strictnessFor(id)
    const guards = guardsOf(before.get(id) ?? [], { brain, shelf }, strictness)
    for (const [j, task] of (after.get(id) ?? []).entries()) {
      const placed = { brain: one.next.brain, previous: task.previous, guards }
      faults.push(...taskFaults(task, placed, strictness, `${at}/heart/tasks/${j}`))
      yield
    }
  }
  if (prune) faults.push(...left.tasks.flatMap((task) => removalFaults(task, '/agents')))
  return faults
}

function agentFaults({ next, previous, members }: Planned<StoredCharacter>, at: string) {
  if (!previous) return openFaults(next, at)
  // A sealed value moves without a trace in the texts.
  const isSealed = (member: 'control' | 'brain'): boolean =>
    members.includes(member) && isDeepStrictEqual(previous[member], next[member])
  const moved = [
    ...(isSealed('control') ? ['control'] : []),
    ...(isSealed('brain') ? ['brain/mcps'] : []),
  ]
  return policyFaults(previous, next, moved).map((fault) => ({
    ...fault,
    pointer: fault.pointer.replace('/character', at),
  }))
}

function taskFaults(
  { next, previous, members }: Planned<StoredTask>,
  placed: Parameters<typeof agentsTask>[1],
  strictness: Parameters<typeof agentsTask>[2],
  at: string,
): FaultItem[] {
  if (previous && members.length === 0) return []
  const { task, faults } = agentsTask(next, placed, strictness, at)
  if (faults.length > 0) return faults
  const taken = policyMembers.filter(
    (name) => (previous && members.includes(name)) || !isDeepStrictEqual(task[name], next[name]),
  )
  return taken.map((name) =>
    ownersAlone(
      `${at}/${name}`,
      `Only its owner may change "${name}" of a task, or evade that of another.`,
    ),
  )
}
