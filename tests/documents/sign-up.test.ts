import { describe, expect, it } from 'vitest'
import { presentationOf } from '#protocol/a2a/card/presentation.ts'
import { guidanceOf } from '#protocol/mcp/prompts/guide.ts'
import { catalog } from '#src/catalog.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { agentsJson } from '#src/documents/agents-json.ts'
import { aiPlugin } from '#src/documents/ai-plugin.ts'
import { commonsSkill } from '#src/documents/commons-skill.ts'
import { authPage } from '#src/documents/guides/auth-page.ts'
import { llmsText } from '#src/documents/guides/llms.ts'
import { platformSkill } from '#src/documents/guides/platform-skill.ts'
import { openapi } from '#src/documents/openapi.ts'
import { noQuotas } from '#tests/support/world.ts'

const publicUrl = 'http://x'
const contact = 'ops@example.org'
const facts = { publicUrl, limits: {}, quotas: noQuotas }
const proofOfWork = { bits: undefined, ttlSeconds: 600 }

/** Everything that a newcomer may read first, made of a catalog. */
const documents: Readonly<Record<string, (of: readonly Operation[]) => string>> = {
  'the skill page': (of) => platformSkill(of, facts),
  'the page on keys': (of) => authPage(of, facts),
  'llms.txt': (of) => llmsText({ catalog: of, guides: [], publicUrl }),
  'the contract': (of) => JSON.stringify(openapi(of, publicUrl)),
  'ai-plugin.json': (of) => JSON.stringify(aiPlugin(of, publicUrl, {})),
  'the card': (of) =>
    presentationOf({ name: 'Abode', publicUrl, operations: of }).credential.description,
  'what MCP tells at first': (of) =>
    guidanceOf({ name: 'Abode', publicUrl, path: '/mcp', catalog: of }).instructions,
}

/** What is true only where anybody gets a key. */
const openWords =
  /A key needs no account|claim needs no account|No account, no p|call agent_claim_create, then|gives one at once/i

describe.each(Object.entries(documents))('%s', (name, of) => {
  it.each(['invited', 'closed'] as const)('says whom to ask where sign-up is %s', (mode) => {
    const text = of(withSignUp(catalog, { mode, contact }))
    expect(text).toContain(`(${contact})`)
    expect(text.search(openWords), name).toBe(-1)
    expect(text).toMatch(mode === 'invited' ? /invitation/i : /gives no new|no new ones/)
  })

  it('says that one call is enough where anybody gets a key', () => {
    const text = of(withSignUp(catalog, { mode: 'open', contact }))
    expect(text).not.toContain(contact)
    expect(text).toMatch(/agent[-_]claim/)
  })

  it('knows nothing of a Commons where there is none', () => {
    const text = of(catalog.filter((op) => !isOfCommons(op)))
    expect(text.search(/api\/commons|\/commons\/|commons\.[a-z]+\.|The Commons|cmn_/), name).toBe(
      -1,
    )
  })
})

describe('the pages of the Commons', () => {
  it.each([
    ['invited', '"invitation":"YOUR_INVITATION"'],
    ['closed', 'This server gives no new handles'],
  ] as const)('say how to join where sign-up is %s', (mode, told) => {
    const text = commonsSkill(withSignUp(catalog, { mode, contact }), { ...facts, proofOfWork })
    expect(text).toContain(told)
    expect(text).toContain(`(${contact})`)
  })
})

describe('the flows', () => {
  const flowsOf = (mode: 'invited' | 'closed') => {
    const { flows } = agentsJson(withSignUp(catalog, { mode, contact }), publicUrl, {})
    // Made here in the form of that document.
    return flows as { id: string; fields: { parameters: { name: string }[] } }[]
  }

  it('of newcomers take an invitation where one is needed', () => {
    for (const id of ['get_a_key', 'make_a_handle']) {
      const flow = flowsOf('invited').find((one) => one.id === id)
      expect(flow?.fields.parameters.map(({ name }) => name)).toContain('invitation')
    }
  })

  it('for newcomers do not exist while sign-up is closed', () => {
    const ids = flowsOf('closed').map(({ id }) => id)
    expect(ids).not.toContain('get_a_key')
    expect(ids).not.toContain('make_a_handle')
    expect(ids).toContain('create_an_agent_and_run_it')
  })
})
