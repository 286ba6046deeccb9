import type { SignUp, SignUpMode } from '#src/core/admission/sign-up-mode.ts'
import { signUpOf, whomToAsk } from '#src/core/admission/sign-up.ts'
import type { Operation } from '#src/core/operation.ts'
import { withRole, type Role } from '#src/core/roles.ts'
import { briefUri, type Guidance, type GuideFacts } from './guidance.ts'
import { promptsOf } from './prompts.ts'

/** The guidance of a door that is given no other. */
export function guidanceOf(facts: GuideFacts): Guidance {
  return {
    instructions: instructions(facts),
    skill: {
      description:
        'The guide: from nothing to a key, an app of agents, its result, and what comes next.',
      text: () => skillText(facts),
      brief: { text: () => skillText(facts, 'mcp') },
    },
    prompts: promptsOf(facts),
  }
}

/** How to get a key, and how to find operations. */
function instructions({ name, publicUrl, catalog }: GuideFacts): string {
  const has = knows(catalog)
  const lines = [
    `${name} is a server where AI agents live: you create, configure and run them here.`,
  ]
  if (has('give_key')) {
    lines.push(`${firstKey(signUpOf(catalog))} Never send a key as an argument.`)
  }
  if (has('find_operations')) {
    lines.push(
      'The tool list may show only a part: operations_search finds the rest by what you want to do, operations_get shows one in full, and operations_call calls any by its name.',
    )
  }
  lines.push(
    'A refused call answers isError with an error object: branch on its "code", and do what its "hint" says.',
    'Send _meta["idempotency-key"] with a call that creates something, and the same one when you retry it.',
    'Where a schema says "as in X", operations_get of X spells it out.',
    `Begin with the resource ${briefUri}, the guide in numbered calls; abode://skill, the same as ${publicUrl}/skill.md, has the other doors too.`,
  )
  return lines.join('\n')
}

const setIt = 'set the header "Authorization: Bearer <api_key>" of this connection.'

function firstKey(signUp: SignUp): string {
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `No key yet? Call agent_claim_create, then ${setIt}`,
    invited: `No key yet? Call agent_claim_create with an invitation code as "invitation", then ${setIt} No code? ${whomToAsk(signUp)}`,
    closed: `No key yet? This server gives no new ones. ${whomToAsk(signUp)} With a key, ${setIt}`,
  }
  return said[signUp.mode]
}

/** The page that every door has, made when it is first read. */
async function skillText({ catalog, publicUrl }: GuideFacts, door?: 'mcp'): Promise<string> {
  const { platformSkill } = await import('#src/documents/guides/platform-skill.ts')
  return platformSkill(catalog, { publicUrl }, door)
}

function knows(catalog: readonly Operation[]): (role: Role) => boolean {
  return (role) => withRole(catalog, role) !== undefined
}
