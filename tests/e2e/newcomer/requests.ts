/** A request over HTTP as a document shows it. */
export interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** A block that calls curl once. */
export function curlRequest(text: string): Request {
  const line = text.replaceAll(/\\\n\s*/g, ' ')
  const [, url = ''] = /curl [^']*'(https?:[^']+)'/.exec(line) ?? []
  const headers = [...line.matchAll(/-H '([^']+)'/g)].map(([, field = '']) => fieldOf(field))
  const [, body] = /-d '([^']*)'/.exec(line) ?? []
  return {
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { body }),
  }
}

function fieldOf(field: string): [string, string] {
  const at = field.indexOf(': ')
  return [field.slice(0, at), field.slice(at + 2)]
}

/**
 * Sends it, and gives the JSON of its answer.
 * @throws Error when the answer is a refusal of any door
 */
export async function sent({ method, url, headers, body }: Request): Promise<unknown> {
  const response = await fetch(url, { method, headers, body })
  const text = await response.text()
  const [, event] = /^data: (\{.*\})$/m.exec(text) ?? []
  const answer: unknown = JSON.parse(event ?? text)
  const refused = `${method} ${url} ${body ?? ''} was refused: ${text}`
  if (!response.ok) throw new Error(refused)
  if (typeof answer !== 'object' || answer === null || !('jsonrpc' in answer)) return answer
  // A response of JSON-RPC, of an MCP tool or of a method that is an operation.
  const { error, result } = answer as { error?: unknown; result?: ToolResult }
  if (error !== undefined || result?.isError) throw new Error(refused)
  return result?.structuredContent ?? result
}

interface ToolResult {
  isError?: boolean
  structuredContent?: unknown
}
