import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Operation } from '#src/core/operation.ts'
import { withRole, type Role } from '#src/core/roles.ts'

export const operationTemplate = 'abode://operations/{name}'
export const guideTemplate = 'abode://guides/{guide}'
export const runTemplate = 'abode://runs/{run_id}'
export const accountEventsUri = 'abode://account/events'
export const accountEventsTemplate = 'abode://account/events/{cursor}'

/** A resource of the caller's: the answer of an operation, by a URI, most often with variables. */
export interface OwnTemplate {
  uriTemplate: string
  name: string
  title: string
  description: string
  /** The role of the operation that answers it; each variable is a member of its input. */
  role: Role
}

const ownTemplates: readonly OwnTemplate[] = [
  {
    uriTemplate: 'abode://characters/{char_id}',
    name: 'character',
    title: 'One of your agents',
    description: 'An agent with its tasks, as characters_get answers it. Needs a key.',
    role: 'read_agent',
  },
  {
    uriTemplate: 'abode://apps/{app_id}',
    name: 'app',
    title: 'One of your apps',
    description: 'An app with its agents, team and drift, as agent_apps_get answers it.',
    role: 'read_app',
  },
  {
    uriTemplate: 'abode://apps/{app_id}/manifest',
    name: 'manifest',
    title: 'The manifest of one of your apps',
    description: 'The App Manifest as it was sent, but for secrets, which show ***.',
    role: 'read_manifest',
  },
  {
    uriTemplate: runTemplate,
    name: 'run',
    title: 'One of your runs',
    description: 'A run with its state, output or error. Its changes can be subscribed to.',
    role: 'read_run',
  },
  {
    uriTemplate: accountEventsUri,
    name: 'account-events',
    title: 'What happens in your account',
    description:
      'The oldest events that are kept, as account_events answers them. Can be subscribed to.',
    role: 'follow_account',
  },
  {
    uriTemplate: accountEventsTemplate,
    name: 'account-events-after',
    title: 'What happened in your account since',
    description: 'The events after a next_cursor. Can be subscribed to.',
    role: 'follow_account',
  },
]

/** The templates that the operations of a catalog can answer, with the operation of each. */
export function templatesOf(
  catalog: readonly Operation[],
): readonly (OwnTemplate & { answers: Operation })[] {
  return ownTemplates.flatMap((template) => {
    const answers = withRole(catalog, template.role)
    return answers ? [{ ...template, answers }] : []
  })
}

/** The names of a template's variables, in their order. */
export function variablesOf(uriTemplate: string): string[] {
  return [...uriTemplate.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/**
 * The values of a template's variables in a URI, or undefined when the URI has another form.
 * @throws ProtocolError for a URI with an invalid escape
 */
export function matched(uriTemplate: string, uri: string): Record<string, string> | undefined {
  const names = variablesOf(uriTemplate)
  const [first = '', ...parts] = uriTemplate.split(/\{\w+\}/)
  if (!uri.startsWith(first)) return undefined
  let rest = uri.slice(first.length)
  const values: Record<string, string> = {}
  for (const [i, part] of parts.entries()) {
    const end = part === '' ? rest.length : rest.indexOf(part)
    const value = end > 0 ? rest.slice(0, end) : ''
    if (value === '' || /[/?#]/.test(value)) return undefined
    values[names[i] ?? ''] = unescaped(value)
    rest = rest.slice(end + part.length)
  }
  return rest === '' ? values : undefined
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The address has a broken escape.')
  }
}
