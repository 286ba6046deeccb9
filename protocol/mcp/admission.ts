import { isSpecType } from '@modelcontextprotocol/server'
import { namesKey } from '#src/core/admission/misplaced.ts'
import { Refusal } from '#src/core/errors.ts'
import { meantWords, nearest } from '#src/core/input/nearest.ts'
import { toolsets, type Toolset } from '#src/core/operation-facts.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import { isJsonType } from '#protocol/media-type.ts'
import type { Policies } from '#protocol/policies.ts'
import { httpWords, notJsonObject } from '#protocol/admission.ts'
import { messageFault } from './faults.ts'
import type { Furnishing } from './server.ts'
import { refused, refusedBy } from './refusals.ts'
import { isObject } from './short-form.ts'
import type { Selection } from './tools.ts'

const bodyBytesAtMost = 16 * 1024 * 1024

const unknownHost =
  'The Host header names another service: PUBLIC_URL says under which name this one is reached.'

/** What is wrong with the request on the level of HTTP, or undefined when the protocol may handle it. */
export function objection(request: DoorRequest, policies: Policies): DoorAnswer | undefined {
  const { method, headers, body, parseError, rawLength = 0 } = request
  if (method !== 'POST') {
    const message = `This endpoint takes POST only, not ${method}.`
    return refused(request, { status: 405, message, hint: post, headers: { allow: 'POST' } })
  }
  if (request.fault) {
    const { refusal, ...fault } = request.fault
    return refused(request, { ...fault, data: refusal?.toObject(request.requestId) })
  }
  if (!policies.hostPolicy(headers['host'] ?? '')) {
    return refused(request, { status: 403, message: unknownHost })
  }
  if (headers['origin'] !== undefined && !policies.originPolicy(headers['origin'])) {
    return refused(request, {
      status: 403,
      message: httpWords.origin,
    })
  }
  if (rawLength > bodyBytesAtMost) {
    return refused(request, {
      status: 413,
      message: httpWords.tooLarge(bodyBytesAtMost),
    })
  }
  if (!isJsonType(headers['content-type'])) {
    return refused(request, { status: 415, message: httpWords.mediaType })
  }
  if (parseError || body === undefined) {
    const message = httpWords.notJson
    const data = notJsonObject(request)
    return refused(request, { status: 400, code: -32700, message, data })
  }
  if (Array.isArray(body)) {
    const message = 'Batches are not accepted: send one message per request.'
    return refused(request, { status: 400, code: -32600, message, hint: oneByOne })
  }
  return undefined
}

const oneByOne = 'Send each message of the list as a POST of its own, an object and not a list.'
const post =
  'POST one JSON-RPC message, such as {"jsonrpc":"2.0","id":1,"method":"tools/list"}, with the headers "Content-Type: application/json" and "Accept: application/json, text/event-stream"; /llms.txt is where to begin without a client of MCP.'

/** What a message is compared with: a stage has methods and tools of its own. */
type Facts = Pick<Furnishing, 'catalog' | 'example' | 'prompts' | 'resources' | 'stage'>

/** Requests that the SDK would treat as its own internal error, and answer with internal details. */
export function objectionToForm(request: DoorRequest, facts: Facts): DoorAnswer | undefined {
  const { body } = request
  if (!isObject(body)) return undefined
  if (isNestedTooDeep(body)) {
    const message = `The members next to the arguments are nested more than ${levelsAtMost} levels deep.`
    const hint = 'Send what a tool needs among its arguments, and less next to them.'
    return refusedBy(request, new Refusal('too_deep', message, { hint }))
  }
  const fault = facts.stage ? undefined : messageFault(request, facts)
  if (fault) return refused(request, fault)
  return body['method'] === 'initialize' ? objectionToHandshake(request, body) : undefined
}

const levelsAtMost = 32

/** The core checks a tool's arguments itself and answers in band. */
function isNestedTooDeep({ method, params }: Record<string, unknown>): boolean {
  if (method !== 'tools/call' || !isObject(params)) return isDeeper(params, levelsAtMost)
  const { arguments: _, ...others } = params
  return isDeeper(others, levelsAtMost)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true
  return false
}

function objectionToHandshake(
  request: DoorRequest,
  { id, method, params = {} }: Record<string, unknown>,
): DoorAnswer | undefined {
  // An envelope declares the revision without a handshake: the SDK refuses it as such.
  const isModern = isObject(params) && isObject(params['_meta'])
  if (isModern || request.headers['mcp-method'] !== undefined) return undefined
  if (id === undefined || isSpecType.InitializeRequest({ method, params })) return undefined
  const refusal = new Refusal(
    'invalid_input',
    'initialize takes protocolVersion, capabilities and clientInfo with name and version.',
    { hint: `For example with the params ${JSON.stringify(handshake)}.` },
  )
  const data = refusal.toObject(request.requestId)
  return refused(request, { status: 200, code: -32602, message: data.detail, data })
}

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'my-agent', version: '1.0.0' },
}

export const everything: Selection = { toolsets: undefined, readonly: false }

/**
 * Which tools the address asks for.
 * @param there the toolsets of this server, which a refusal names
 * @throws Refusal `invalid_input` for a toolset that does not exist, naming those that do, and for a
 *   misspelled member
 */
export function selectionOf(
  query: URLSearchParams,
  there: readonly Toolset[] = toolsets,
): Selection {
  if (query.size === 0) return everything
  for (const member of query.keys()) refuseMisspelled(member)
  const named = query.getAll('toolsets')
  const answers = [...new Set(query.getAll('readonly').map(isSet))]
  if (answers.length > 1) throw invalidReadonly()
  const [readonly = false] = answers
  return { toolsets: named.length === 0 ? undefined : chosen(named, there), readonly }
}

const members = ['toolsets', 'readonly']

/**
 * Keys are ignored where none is needed, and so is what resembles neither member: gateways and hosts add
 * members of their own to an address.
 * @throws Refusal `invalid_input` for a misspelled one
 */
function refuseMisspelled(member: string): void {
  if (members.includes(member) || namesKey(member)) return
  const suggestion = nearest(member, members)
  if (suggestion === undefined) return
  throw new Refusal('invalid_input', `There is no query member "${member.slice(0, 100)}" here.`, {
    hint: `${meantWords(suggestion)} The address takes ?toolsets= and ?readonly=, as in /mcp?toolsets=core&readonly=true.`,
  })
}

/** A known toolset without tools here is accepted: hosts are configured for many servers. */
function chosen(named: readonly string[], there: readonly Toolset[]): Toolset[] {
  return named
    .flatMap((names) => names.split(','))
    .map((sent) => {
      const name = sent.trim()
      const known = toolsets.find((toolset) => toolset === name)
      if (known) return known
      const suggestion = nearest(name, there)
      throw new Refusal('invalid_input', `There is no toolset "${name.slice(0, 100)}".`, {
        hint: `${suggestion ? `${meantWords(suggestion)} ` : ''}The toolsets are ${there.join(', ')}.`,
      })
    })
}

function isSet(value: string): boolean {
  if (value === 'false') return false
  if (value === 'true') return true
  throw invalidReadonly()
}

function invalidReadonly(): Refusal {
  return new Refusal('invalid_input', 'The query member "readonly" is true or false.', {
    hint: 'Add ?readonly=true to the address for tools that only read, or leave it out for all.',
  })
}
