import type { Core } from '#src/core/door.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import { isOfCommons, takesBody, toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'

/** One call as a client makes it. */
export interface Sent {
  op: Operation
  input: unknown
  credential: string | undefined
  /** The token of the person who is signed in at the browser. */
  session?: string | undefined
  /** The account that they act for, where it is not their own. */
  accountId?: string | undefined
  idempotencyKey?: string | undefined
  expected?: number | undefined
}

/** What the client sees: the answer, or the error object as the door shows it. */
export type Seen =
  | { answer: unknown; error?: undefined }
  | { answer?: undefined; error: ErrorObject }

export type Send = (sent: Sent) => Promise<Seen>

/** Straight into the core. */
export function coreDoor(core: Core): Send {
  return async ({ op, input, credential, session: token, idempotencyKey, expected }) => {
    const session = token === undefined ? undefined : { token }
    const body = op.http.raw && op.document && asObject(input)[op.document]
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const call = { operation: op, input, bytes, credential, session, idempotencyKey, expected }
    const outcome = await core.serve({ ...call, address: '127.0.0.0/24', requestId: 'req_test' })
    return outcome.refusal
      ? { error: outcome.refusal.toObject('req_test') }
      : { answer: JSON.parse(outcome.answer.text) as unknown }
  }
}

const asObject = (input: unknown): Record<string, unknown> => ({ ...(input as object) })

/** By fetch, at the documented path. */
export function restDoor(url: string): Send {
  return async ({ op, input, credential, session, accountId, idempotencyKey, expected }) => {
    const members = asObject(input)
    const path = op.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = members[name]
      delete members[name]
      return encodeURIComponent(String(value))
    })
    const { method } = op.http
    const named = Object.entries(op.http.headers ?? {}).flatMap(([name, header]) => {
      const value = members[name]
      delete members[name]
      return typeof value === 'string' ? [[[header].flat()[0], value]] : []
    })
    const document = op.document && members[op.document]
    if (op.document) delete members[op.document]
    const inQuery = method === 'GET' || method === 'DELETE' || op.document !== undefined
    const query = new URLSearchParams(
      Object.entries(inQuery ? members : {}).map(([name, value]) => [name, String(value)]),
    )
    const hasBody = takesBody({ method })
    const form = op.files && formOf(members, op.files.member)
    const response = await fetch(`${url}${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
      method,
      headers: {
        ...Object.fromEntries(named),
        ...(hasBody && !form && { 'content-type': 'application/json' }),
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        ...(session !== undefined && { cookie: `abode_session=${session}`, origin: url }),
        ...(accountId !== undefined && { 'abode-account': accountId }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(expected !== undefined && { 'if-match': `"${expected}"` }),
      },
      ...(hasBody && { body: form ?? JSON.stringify(op.document ? document : members) }),
    })
    const body = await response.json()
    if (isOfCommons(op)) return unwrapped(body as Envelope, response)
    return response.ok ? { answer: body } : { error: body as ErrorObject }
  }
}

interface EncodedFile {
  filename: string
  media_type?: string
  data: string
}

/** Where all files of a case are whole ones, they go as parts of a form, and the rest as its fields. */
function formOf(members: Record<string, unknown>, member: string): FormData | undefined {
  const sent = members[member]
  const files: unknown[] = Array.isArray(sent) ? sent : [sent]
  if (!files.every(isEncodedFile)) return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) {
    if (name !== member) form.append(name, String(value))
  }
  for (const { filename, media_type, data } of files) {
    const type = media_type === undefined ? {} : { type: media_type }
    form.append(member, new Blob([Buffer.from(data, 'base64')], type), filename)
  }
  return form
}

function isEncodedFile(sent: unknown): sent is EncodedFile {
  if (typeof sent !== 'object' || sent === null || !('filename' in sent && 'data' in sent)) {
    return false
  }
  const { filename, data } = sent
  if (typeof filename !== 'string' || typeof data !== 'string') return false
  return Buffer.from(data, 'base64').toString('base64') === data
}

interface Envelope {
  ok: boolean
  data: object | null
  error: {
    code: ErrorObject['code']
    message: string
    details: object | null
    hint: string | null
    request_id: string
  } | null
  meta?: { next_cursor?: string | null }
}

/** What the envelope of the Commons holds, in the form of the other doors. */
function unwrapped({ ok, data, error, meta }: Envelope, { headers }: Response): Seen {
  const cursor = meta && 'next_cursor' in meta ? { next_cursor: meta.next_cursor } : {}
  if (ok) return { answer: { ...data, ...cursor } }
  if (!error) throw new Error('a refusal has an error')
  const { message, details, ...rest } = error
  if (rest.request_id !== headers.get('x-request-id')) throw new Error('it names another request')
  const shown = { ...rest, ...details, detail: message }
  return { error: shown as unknown as ErrorObject }
}

const revision = '2026-07-28'

/** As a tool call of the current revision, written by hand; official clients play in `tests/e2e`. */
export function mcpDoor(url: string): Send {
  return async ({ op, input, credential, idempotencyKey }) => {
    const name = toolName(op)
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    const params = { name, arguments: input, _meta }
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': name,
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const body = (await response.json()) as {
      detail?: string
      error?: { data?: unknown; message: string }
      result?: {
        isError?: boolean
        structuredContent?: unknown
        content: { text: string }[]
        _meta?: Record<string, unknown>
      }
    }
    const { result } = body
    if (!result) return { error: (body.error?.data ?? body) as ErrorObject }
    const text = JSON.parse(unfenced(result.content[0]?.text ?? 'null')) as unknown
    if (result.isError) return { error: text as ErrorObject }
    const told = op.asText ? undefined : text
    if (JSON.stringify(told) !== JSON.stringify(result.structuredContent)) {
      throw new Error('the text is not the structured content')
    }
    return { answer: text }
  }
}

/** What others wrote stands between two marks that nothing inside can repeat. */
function unfenced(text: string): string {
  const [, mark, inside] = /^<(untrusted-[\w-]+)>\n(.*)\n<\/\1>$/ms.exec(text) ?? []
  if (mark === undefined || inside === undefined) return text
  if (inside.includes(mark)) throw new Error('the mark of the fence stands inside it')
  return inside
}

/** As a direct JSON-RPC method. */
export function a2aDoor(url: string): Send {
  return async ({ op, input, credential, idempotencyKey }) => {
    const params = asObject(input)
    if (idempotencyKey !== undefined) params._meta = { 'idempotency-key': idempotencyKey }
    const response = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: op.name, params }),
    })
    const body = (await response.json()) as {
      error?: { code: number; data: ErrorObject }
      result?: unknown
    }
    return body.error ? { error: body.error.data } : { answer: body.result }
  }
}
