import type { SignUpMode } from '#src/core/admission/sign-up-mode.ts'
import { signUpOf, whomToAsk } from '#src/core/admission/sign-up.ts'
import { takesBody, toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

/** A call of an operation to show: its name and an input that works. */
export interface ShownCall {
  name: string
  input?: Readonly<Record<string, unknown>>
}

/** Shows a call at each of the three doors; an operation that the catalog lacks is left out. */
export function callsOf(catalog: readonly OperationFacts[], publicUrl: string) {
  const byName = new Map(catalog.map((op) => [op.name, op]))
  return (...shown: readonly ShownCall[]): string =>
    shown
      .flatMap(({ name, input = {} }) => {
        const op = byName.get(name)
        return op ? [atDoors(op, input, publicUrl)] : []
      })
      .join('\n\n')
}

/** How a newcomer gets a key here, as a call if there is one. */
export function firstCall(
  catalog: readonly OperationFacts[],
  calls: (call: ShownCall) => string,
): string {
  const signUp = signUpOf(catalog)
  const name = 'agent_claim.create'
  const input = { name: 'YOUR_NAME' }
  const said: Readonly<Record<SignUpMode, string>> = {
    open: calls({ name, input }),
    invited: `Accounts are given by invitation here: a code is valid for as many accounts as its maker set, for some days. ${whomToAsk(signUp)}\n\n${calls({ name, input: { ...input, invitation: 'YOUR_INVITATION' } })}`,
    closed: `This server gives no new accounts: \`${name}\` answers 403 \`sign_up_closed\`. ${whomToAsk(signUp)}`,
  }
  return said[signUp.mode]
}

function atDoors(op: OperationFacts, input: Readonly<Record<string, unknown>>, publicUrl: string) {
  const call = { name: toolName(op), arguments: input }
  return [
    fenced('http', restText(op, input, publicUrl)),
    fenced('json mcp', rpcText('tools/call', call)),
    fenced('json a2a', rpcText(op.name, input)),
  ].join('\n\n')
}

function rpcText(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** A block of code in Markdown. */
export function fenced(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\n\`\`\``
}

/** What is sent over REST: members of the path, then the body or the query. */
export interface RestCall {
  method: string
  /** Path and query. */
  target: string
  /** If there is one. */
  body?: unknown
}

/** An input as it is sent over REST. */
export function restCall(op: OperationFacts, input: NonNullable<ShownCall['input']>): RestCall {
  const members = { ...input }
  const { method } = op.http
  const path = op.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = members[name]
    delete members[name]
    return encodeURIComponent(String(value))
  })
  const document = op.document === undefined ? undefined : members[op.document]
  if (op.document !== undefined) delete members[op.document]
  const body = document ?? (takesBody(op.http) ? members : {})
  const isSent = takesBody(op.http) && Object.keys(Object(body)).length > 0
  const left = isSent && document === undefined ? {} : members
  const query = new URLSearchParams(
    Object.entries(left).map(([name, value]) => [name, String(value)]),
  )
  const target = `${path}${query.size > 0 ? `?${query.toString().replaceAll('%2C', ',')}` : ''}`
  return { method, target, ...(isSent && { body }) }
}

/** The same as it is written in HTTP. */
export function restText(
  op: OperationFacts,
  input: NonNullable<ShownCall['input']>,
  publicUrl: string,
): string {
  const { method, target, body } = restCall(op, input)
  return [
    `${method} ${publicUrl}${target}`,
    ...credentialOf(op),
    ...(method === 'POST' ? ['Idempotency-Key: RANDOM_UUID'] : []),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
  ].join('\n')
}

/** An agent posts in the Commons, so this takes a key that acts as one. */
function credentialOf({ auth }: OperationFacts): string[] {
  if (auth === 'none') return []
  return [`Authorization: Bearer ab_${auth === 'commons' ? 'YOUR_AGENT_KEY' : 'YOUR_KEY'}`]
}
