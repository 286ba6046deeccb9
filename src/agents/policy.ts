import { isDeepStrictEqual } from 'node:util'
import type { FaultItem } from '#src/core/errors.ts'
import { ownersAlone } from './tasks/policy/owner-only.ts'
import { bundlesOf } from './tasks/policy/targets.ts'
import { Brain } from './brain.ts'
import { Control } from './control.ts'
import type { CharacterInput, StoredCharacter } from './character.ts'
import { Visibility } from './visibility/visibility.ts'

type Policed = Pick<CharacterInput, 'tools' | 'brain' | 'control' | 'visibility'>

const noBrain = Brain.parse({})
const noControl = Control.parse({})
const closed = Visibility.parse({})

/** Members of a brain that give the agent tools, or act alongside its runs. */
const ofBrain = ['mcps', 'custom_mcp_urls', 'hooks'] as const

/**
 * The parts of a change to an agent that only its owner may make: its tools, its channels, who may see
 * and use it, and of its brain the tool servers, the hooks and new bundles of tools.
 * @param moved members whose sealed secrets would change, which the masks in their texts do not show
 */
export function policyFaults(
  kept: StoredCharacter,
  next: Policed,
  moved: readonly string[],
): FaultItem[] {
  const changed = (was: unknown, is: unknown, member: string): FaultItem[] => {
    if (isDeepStrictEqual(was, is) && !moved.includes(member)) return []
    return [
      ownersAlone(`/character/${member}`, `Only its owner may change ${member.replace('/', '.')}.`),
    ]
  }
  const [was, is] = [kept.brain ?? noBrain, next.brain ?? noBrain]
  return [
    ...changed(kept.tools, next.tools, 'tools'),
    ...changed(kept.control ?? noControl, next.control ?? noControl, 'control'),
    ...changed(kept.visibility ?? closed, next.visibility ?? closed, 'visibility'),
    ...ofBrain.flatMap((name) => changed(was[name], is[name], `brain/${name}`)),
    ...bundleFaults(was, is),
  ]
}

/** The fault of a new agent that others may see from its first moment. @param at the pointer of the agent */
export function openFaults({ visibility }: Pick<Policed, 'visibility'>, at: string): FaultItem[] {
  if ((visibility ?? closed).profile_visibility === closed.profile_visibility) return []
  return [
    ownersAlone(
      `${at}/visibility/profile_visibility`,
      'Only its owner may open an agent to others.',
    ),
  ]
}

/** Words among the skills of a brain are free, except those that bring tools. */
function bundleFaults(was: Brain, is: Brain): FaultItem[] {
  const before = bundlesOf(was)
  const added = [...bundlesOf(is)].filter((name) => !before.has(name))
  return added.map((name) => {
    const isSkill = is.skills.includes(name)
    const message = `The bundle "${name}" brings tools: only the owner may add it.`
    return ownersAlone(`/character/brain/${isSkill ? 'skills' : 'plugins'}`, message)
  })
}
