import { isOfCommons, takesBody, toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

/** A call of an operation through each door, as text that can be sent. */
export interface Calls {
  curl: string
  /** The request of MCP and of A2A as JSON; absent if only REST has the operation. */
  mcp?: string
  a2a?: string
}

/** A request of REST. */
export interface RestCall {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: unknown
}

/** The call with this input, through every door that has the operation. */
export function callsOf(
  op: OperationFacts,
  input: Readonly<Record<string, unknown>>,
  publicUrl: string,
): Calls {
  const curl = curlOf(restCall(op, input, publicUrl))
  if (op.restOnly) return { curl }
  const rpc = (method: string, params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, null, 2)
  return {
    curl,
    mcp: rpc('tools/call', { name: toolName(op), arguments: input }),
    a2a: rpc(op.name, input),
  }
}

/** The request with words in capitals in place of the caller's credential. */
export function restCall(
  op: OperationFacts,
  input: Readonly<Record<string, unknown>>,
  publicUrl: string,
): RestCall {
  const members = { ...input }
  const take = (name: string): unknown => {
    const value = members[name]
    delete members[name]
    return value
  }
  const path = op.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(take(name))
    return value
      .split('/')
      .map(encodeURIComponent)
      .join(op.http.tail ? '/' : '%2F')
  })
  const headers: Record<string, string> = { ...credential(op, publicUrl) }
  for (const [name, header] of Object.entries(op.http.headers ?? {})) {
    const [first = ''] = [header].flat()
    if (name in members) headers[first] = String(take(name))
  }
  const document = op.document === undefined ? undefined : take(op.document)
  const sends = takesBody(op.http)
  const isBody = sends && op.document === undefined
  const body = isBody && Object.keys(members).length > 0 ? members : document
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(isBody ? {} : members)) {
    for (const one of [value].flat()) query.append(name, String(one))
  }
  const behind = query.size > 0 ? `?${query.toString()}` : ''
  return { method: op.http.method, url: publicUrl + path + behind, headers, body }
}

function credential(op: OperationFacts, publicUrl: string): Record<string, string> {
  if (op.auth === 'none') return {}
  if (op.auth === 'person') {
    const cookie = publicUrl.startsWith('https:') ? '__Host-abode_session' : 'abode_session'
    return { Cookie: `${cookie}=YOUR_SESSION`, Origin: new URL(publicUrl).origin }
  }
  const token = isOfCommons(op) ? 'cmn_YOUR_TOKEN' : 'ab_YOUR_KEY'
  return { Authorization: `Bearer ${token}` }
}

function curlOf({ method, url, headers, body }: RestCall): string {
  const words = [
    `curl -s -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ]
  return words.join(' \\\n  ').replace(' -X GET ', ' ')
}

/** For a shell, which reads everything between single quotes literally. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
