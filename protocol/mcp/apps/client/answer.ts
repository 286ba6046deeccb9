import type { App } from '@modelcontextprotocol/ext-apps'

/** The result of a tool, as the bridge hands it over. */
export type ToolResult = Awaited<ReturnType<App['callServerTool']>>

/** What a call gave: what a view shows, or what is said instead. */
export type Given = { answer: Record<string, unknown> } | { problem: string }

/** So long a text is read; what is longer would stop the host's page. */
const charactersAtMost = 4 * 2 ** 20

/** The answer in a result. Hosts that list tools for models are given it once, as text, perhaps in a fence. */
export function givenBy({ structuredContent, content, isError }: ToolResult): Given {
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []))
  if (isError) return { problem: problemIn(texts) }
  const answer = structuredContent ?? objectIn(texts)
  return isObject(answer)
    ? { answer }
    : { problem: 'The host sent an answer that cannot be shown here.' }
}

/** The first line that is an object: each is on a line of its own, and only our words stand before it. */
function objectIn(texts: readonly string[]): unknown {
  const text = texts[0] ?? ''
  if (text.length > charactersAtMost) return undefined
  const line = text.split('\n').find((one) => one.startsWith('{'))
  return line === undefined ? undefined : parsed(line)
}

/** What a refusal says, with its hint. */
function problemIn(texts: readonly string[]): string {
  const refusal = objectIn(texts)
  const { detail, hint } = isObject(refusal) ? refusal : {}
  const said = [detail ?? texts[0], hint].filter((one) => typeof one === 'string')
  return said.join(' ').slice(0, 1000) || 'The call was refused.'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
