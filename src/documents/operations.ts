import { scopeOf, whoCalls } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

const who = {
  none: 'anybody',
  key: 'a key of the account',
  agent_key: 'any key, a scoped one for its own agent',
  any_or_key: 'any key, as the agent is open to it, and anybody where it is public',
  person: 'a signed-in person',
  commons: 'a Commons handle, or a key that acts as an agent',
}

/** The page of all operations, in Markdown: one table row each, in the order of the catalog. */
export function operationsPage(catalog: readonly OperationFacts[]): string {
  return [
    '# Operations',
    '',
    'Every operation is a REST call and, except those marked as REST only, an MCP tool (its name with `_` for',
    '`.`) and an A2A method (its name). Its input and output are in `/openapi.agent.json`, and over MCP in the',
    'resource `abode://operations/{name}`.',
    'A program that a person has connected needs the [scope](oauth.md#scopes) of the operation.',
    'This page is generated from the catalog: `npm run docs` generates it again.',
    '',
    '| Operation | REST | Who may call | Scope | What it does |',
    '|---|---|---|---|---|',
    ...catalog.map(row),
    '',
  ].join('\n')
}

function row(op: OperationFacts): string {
  const { method, path, also = [] } = op.http
  const paths = [path, ...also].map((one) => `\`${method} ${one}\``).join('<br>')
  const level = op.trust === undefined ? '' : `, trust level ${op.trust}`
  const caller = who[whoCalls(op)] + level
  // What needs a signed-in person, no program may call.
  const scope = op.auth === 'person' ? '' : scopeOf(op)
  const only = op.restOnly ? ' (REST only)' : ''
  return `| \`${op.name}\`${only} | ${paths} | ${caller} | ${scope} | ${op.summary} |`
}
