import { isMap } from '#src/core/maps.ts'
import { runHeaderFor } from '#src/events/outbox/own-call.ts'
import { effectHeaders, type Outbound } from '#src/ports/sender.ts'
import type { TaskTool } from '#src/agents/tasks/tool.ts'
import type { Desk } from '../desk.ts'
import { headersFrom } from '../headers.ts'
import { ToolFault, type RunTool } from '../tool.ts'
import { callKeys } from './calls.ts'
import { sent } from './web.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const anything = { type: 'object', additionalProperties: true }

/**
 * A call of the address that a tool names, with `config.method` (GET), `config.headers` and, as the
 * JSON Schema of its arguments, `config.parameters`: they go into the query where there is no body,
 * else as a JSON body. Undefined where it names no address.
 * @throws RunFailure for headers that cannot be filled in
 */
export function httpTool(
  desk: Desk,
  { config, require_person }: TaskTool,
  name: string,
): RunTool | undefined {
  const { url, method: wanted = 'GET' } = config
  const method = methods.find((one) => typeof wanted === 'string' && one === wanted.toUpperCase())
  if (typeof url !== 'string' || url === '' || !method) return undefined
  const headers = headersFrom(desk, config.headers, url)
  const keyOf = callKeys(desk.work.run, name)
  const description =
    typeof config.description === 'string' ? config.description : `Calls ${method} ${url}.`
  const parameters = isMap(config.parameters) ? config.parameters : anything
  return {
    offer: { name, description, parameters },
    needsPerson: require_person ?? method !== 'GET',
    async call(input, signal) {
      const request = requestOf(method, url, isMap(input) ? input : {})
      const { ports, run } = desk.work
      // Last, so that no header of the task makes another run of it.
      const origin = runHeaderFor(ports, request.url, run.id)
      const mark = { key: keyOf([input]), attempt: run.attempt }
      // What only reads may be repeated without being told apart.
      const marked = method === 'GET' ? {} : effectHeaders(mark)
      const all = { ...marked, ...request.headers, ...headers, ...origin }
      const answer = await sent(desk.work, { ...request, headers: all, signal }, desk.authorize)
      const body = `status ${answer.status}\n${answer.body}`
      if (answer.status < 200 || answer.status > 299) throw new ToolFault(body)
      return body
    },
  }
}

function requestOf(
  method: Outbound['method'],
  url: string,
  input: Record<string, unknown>,
): Pick<Outbound, 'method' | 'url' | 'headers' | 'body'> {
  const accept = { accept: 'application/json, text/*;q=0.9, */*;q=0.1' }
  if (method !== 'GET' && method !== 'DELETE') {
    const headers = { ...accept, 'content-type': 'application/json' }
    return { method, url, headers, body: JSON.stringify(input) }
  }
  const target = URL.parse(url)
  if (!target) return { method, url, headers: accept }
  for (const [name, value] of Object.entries(input)) {
    target.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { method, url: target.href, headers: accept }
}
