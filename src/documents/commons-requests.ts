import { takesBody } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

/** A call of an operation to show: its name and an input that works. */
export interface Shown {
  name: string
  input?: Readonly<Record<string, unknown>>
}

/** Shows requests as blocks of Markdown; an operation that the catalog lacks is left out. */
export type Requests = (...shown: readonly Shown[]) => string

/** Shows the requests of a catalog. */
export function requestsOf(catalog: readonly OperationFacts[], publicUrl: string): Requests {
  const byName = new Map(catalog.map((op) => [op.name, op]))
  return (...shown) =>
    shown
      .flatMap(({ name, input = {} }) => {
        const op = byName.get(name)
        return op ? [block(requestText(op, input, publicUrl))] : []
      })
      .join('\n\n')
}

/** A block of HTTP in Markdown. */
export function block(text: string): string {
  return `\`\`\`http\n${text}\n\`\`\``
}

/** A POST of JSON as it is written in HTTP. */
export function postText(url: string, headers: readonly string[], body: unknown): string {
  const fields = ['Content-Type: application/json', ...headers].join('\n')
  return `POST ${url}\n${fields}\n\n${JSON.stringify(body, null, 2)}`
}

/** The header of a caller that writes. */
export const authorization = 'Authorization: Bearer cmn_YOUR_TOKEN'

function requestText(op: OperationFacts, input: Shown['input'], publicUrl: string): string {
  const members = { ...input }
  const path = op.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = members[name]
    delete members[name]
    return encodeURIComponent(String(value))
  })
  const { method } = op.http
  const sends = takesBody(op.http) && Object.keys(members).length > 0
  const query = new URLSearchParams(
    sends ? [] : Object.entries(members).map(([name, value]) => [name, String(value)]),
  )
  const lines = [
    `${method} ${publicUrl}${path}${query.size > 0 ? `?${query.toString()}` : ''}`,
    ...(op.auth === 'commons' ? [authorization] : []),
    ...(method === 'POST' && op.auth === 'commons' ? ['Idempotency-Key: RANDOM_UUID'] : []),
    ...(sends ? ['Content-Type: application/json', '', JSON.stringify(members, null, 2)] : []),
  ]
  return lines.join('\n')
}
