import {
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { Refusal, type ErrorObject } from '#src/core/errors.ts'
import { textObject } from '#src/core/input/lenient.ts'
import { meantWords, nearest } from '#src/core/input/nearest.ts'
import type { Understood } from '#src/core/input/understood.ts'
import { toolName, type OperationFacts } from '#src/core/operation-facts.ts'
import { withRole } from '#src/core/roles.ts'
import { shortened } from '#src/core/text/fence.ts'
import { namedOperation } from '#src/core/words/named-operation.ts'
import { errorObject } from '#protocol/admission.ts'
import type { DoorRequest } from '#protocol/door.ts'
import { requestIn, type Telling } from '#protocol/json-rpc.ts'
import type { Fault } from './refusals.ts'
import { malformedParams, type Named } from './params.ts'
import { isObject, modernRevision } from './short-form.ts'
import { legacyTaskMethods } from './tasks/legacy.ts'
import { taskMethods } from './tasks/methods.ts'

type Members = Readonly<Record<string, unknown>>

/** The requests that clients of any revision may send here. */
const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  ...taskMethods,
  ...legacyTaskMethods,
]

/** What a call may look like. */
export interface Example {
  name: string
  arguments: object
}

/** A call that any door answers, if it has the search: otherwise its first tool. */
export function exampleOf(catalog: readonly OperationFacts[]): Example {
  const op = catalog.find(({ role }) => role === 'find_operations') ?? catalog[0]
  return op ? callOf(op) : { name: '', arguments: {} }
}

function callOf(op: OperationFacts): Example {
  return { name: toolName(op), arguments: op.example }
}

/** A whole request. */
function messageWith(params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}

/** The refusal of a method that MCP does not have: a tool is called by another one. */
function unknownMethod(method: string, catalog: readonly OperationFacts[]): Refusal {
  const runs = method === 'tasks/list' && withRole(catalog, 'list_runs')
  if (runs) return noTaskList(toolName(runs))
  const op = namedOperation(catalog, method)
  const suggestion = op ? 'tools/call' : nearest(method, methods)
  const meant = suggestion === undefined ? '' : `${meantWords(suggestion)} `
  const hint = op
    ? `"${toolName(op)}" is a tool: send the method tools/call with the params ${JSON.stringify(callOf(op))}.`
    : `${meant}A tool is called by tools/call, and listed by tools/list. The methods are ${methods.join(', ')}.`
  const members = suggestion === undefined ? {} : { suggestion }
  const message = `MCP has no method "${method.slice(0, 100)}".`
  return new Refusal('operation_not_found', message, { hint, members })
}

/** The refusal of the list that tasks had in 2025: a run is known by itself, and listed so. */
function noTaskList(tool: string): Refusal {
  return new Refusal('operation_not_found', 'There is no list of tasks.', {
    hint: `A task is a run, or what an agent learns: the tool ${tool} lists runs, each of which is a task by its id.`,
  })
}

/** The refusal of a call that names no tool, or whose arguments are no object: it says what tools/call takes. */
function malformedCall(params: Members, example: Example): Refusal | undefined {
  const { name, arguments: input = {} } = params
  const [pointer, message] =
    typeof name !== 'string'
      ? ['/name', 'must be the name of a tool']
      : ['/arguments', 'must be an object, or a text that is one in JSON']
  if (pointer === '/arguments' && isObject(input)) return undefined
  return new Refusal('invalid_input', `${pointer.slice(1)}: ${message}`, {
    errors: [{ pointer, message, code: 'invalid_type' }],
    hint: `tools/call takes the params name, a tool, and arguments, an object: ${JSON.stringify(example)}.`,
  })
}

/**
 * The request with arguments that are an object, where they are the JSON of one, as models write them.
 * @throws Refusal for JSON over the bounds of a body
 */
export function withArguments(
  request: DoorRequest,
): { request: DoorRequest; understood: readonly Understood[] } | undefined {
  const { body } = request
  if (!isObject(body) || body['method'] !== 'tools/call' || !isObject(body['params'])) {
    return undefined
  }
  const { params } = body
  const { arguments: text } = params
  const read = typeof text === 'string' ? textObject(text, { at: '/arguments' }) : undefined
  if (!read) return undefined
  return {
    request: { ...request, body: { ...body, params: { ...params, arguments: read } } },
    understood: [{ pointer: '/arguments', as: 'object' }],
  }
}

/** The error for a name that leads to nothing. @param known the names that there are */
export function unknownName(
  what: string,
  sent: string,
  known: readonly string[],
  more: { list: string; members?: object },
  telling: Telling,
): ProtocolError {
  const suggestion = nearest(sent, known) ?? holding(sent, known)
  const lead = suggestion === undefined ? '' : `${meantWords(suggestion)} `
  const refusal = new Refusal('invalid_input', `No ${what} is called "${sent.slice(0, 100)}".`, {
    hint: `${lead}All of them: ${more.list}.`,
    members: { ...more.members, ...(suggestion !== undefined && { suggestion }) },
  })
  return told(refusal, telling)
}

/** The first of the names of which a part was sent. */
function holding(part: string, known: readonly string[]): string | undefined {
  return part.length < 3 ? undefined : known.find((name) => name.includes(part))
}

/** A refusal as an error of the protocol. */
export function told(refusal: Refusal, { requestId, words }: Telling): ProtocolError {
  const data = refusal.toObject(requestId, words)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, inFull(data), data)
}

/** Hosts show a model the message alone. */
function inFull({ detail, hint }: ErrorObject): string {
  if (hint === undefined) return detail
  return `${detail}${detail.endsWith('.') ? '' : '.'} ${hint}`
}

/** What is wrong with a message before anything is done with it, and what to send instead. */
export function messageFault(
  request: DoorRequest,
  {
    catalog,
    example,
    ...named
  }: Omit<Named, 'call'> & { catalog: readonly OperationFacts[]; example: Example },
): Fault | undefined {
  const { body } = request
  if (!isObject(body)) return undefined
  const hint = `Send one message like ${messageWith(example)}.`
  // An answer of a client, which was asked nothing.
  if (body['method'] === undefined && ('result' in body || 'error' in body)) {
    const { result, error } = body
    if (isObject(result ?? error) && !(result && error)) return undefined
    const message = 'An answer has a "result" or an "error", and either is an object.'
    return { status: 400, code: -32600, message, hint }
  }
  const read = requestIn(body)
  if ('fault' in read) return { status: 400, code: -32600, message: read.fault, hint }
  const { method, params = {}, id } = read.request
  // A handshake is told what it takes.
  if (method === 'initialize') return undefined
  const message = formFault(body)
  if (message !== undefined) return { status: 400, code: -32600, message, hint }
  const own = { ...params } as Members
  if (id !== undefined) {
    const unknown = methods.includes(method)
      ? ofOtherRevision(method, request, own)
      : unknownMethod(method, catalog)
    const status = isModern(request) ? 404 : 200
    if (unknown) return faultOf(unknown, request, { status, code: -32601 })
  }
  const meant = typeof own['name'] === 'string' ? namedOperation(catalog, own['name']) : undefined
  const shown = meant ? callOf(meant) : example
  const refusal =
    (method === 'tools/call' && id !== undefined ? malformedCall(own, shown) : undefined) ??
    malformedParams(id === undefined ? '' : method, own, { ...named, call: shown })
  return (
    refusal && faultOf(refusal, request, { status: id === undefined ? 400 : 200, code: -32602 })
  )
}

function isModern({ headers }: DoorRequest): boolean {
  return headers['mcp-protocol-version'] === modernRevision
}

/** Methods that one side of the revision of 2026 has alone, and how a request says that it means that side. */
const otherRevisions = [
  {
    isIt: true,
    names: ['ping', ...legacyTaskMethods],
    hint: 'The revisions of 2025 have it: send no header MCP-Protocol-Version of 2026, and no envelope in _meta.',
  },
  {
    isIt: false,
    names: ['server/discover', 'subscriptions/listen', 'tasks/update'],
    hint: `The revision ${modernRevision} has it: send the header "MCP-Protocol-Version: ${modernRevision}", and the envelope in _meta.`,
  },
]

/** The refusal of a method of another revision than that of the request; undefined where that one is not certain. */
function ofOtherRevision(
  method: string,
  request: DoorRequest,
  { _meta: meta }: Members,
): Refusal | undefined {
  const isEnveloped = isObject(meta) && PROTOCOL_VERSION_META_KEY in meta
  if (isEnveloped !== isModern(request)) return undefined
  const other = otherRevisions.find(
    ({ isIt, names }) => isIt === isEnveloped && names.includes(method),
  )
  const message = `This revision of MCP has no method "${method}".`
  return other && new Refusal('operation_not_found', message, { hint: other.hint })
}

const messageMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])

/** What a message of MCP may not have, though one of JSON-RPC may. */
function formFault(body: Members): string | undefined {
  const { id, params } = body
  const stray = Object.keys(body).find((name) => !messageMembers.has(name))
  if (stray !== undefined) return `A message has no member "${stray.slice(0, 100)}".`
  if (id === null || (typeof id === 'number' && !Number.isSafeInteger(id))) {
    return 'The member "id" must be a string or an integer.'
  }
  return Array.isArray(params) ? 'The member "params" must be an object.' : undefined
}

function faultOf(
  refusal: Refusal,
  { requestId }: DoorRequest,
  as: { status: number; code: number },
): Fault {
  const data = refusal.toObject(requestId)
  return { ...as, message: inFull(data), data }
}

const accepts =
  'Send the header "Accept: application/json, text/event-stream", which names both: answers may be streams.'

/** An error that the library itself made, with the error object that every refusal has here. */
export function withErrorObject(text: string, status: number, request: DoorRequest): string {
  const { requestId } = request
  const body: unknown = JSON.parse(text)
  if (!isObject(body) || !isObject(body['error'])) return text
  const { error } = body
  const { message, data } = error
  if (typeof message !== 'string' || (isObject(data) && 'request_id' in data)) return text
  const own = errorObject(status, message, requestId, status === 406 ? accepts : undefined)
  return JSON.stringify(
    { ...body, error: { ...error, data: { ...own, ...(isObject(data) && data) } } },
    (_, value: unknown) => (typeof value === 'string' ? shortened(value, charactersAtMost) : value),
  )
}

/** So much is told of a text that the library repeats from the request. */
const charactersAtMost = 1000
