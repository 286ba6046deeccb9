import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import type { Core, Outcome } from '#src/core/door.ts'
import { Answer } from '#src/core/answer.ts'
import { Refusal } from '#src/core/errors.ts'
import { Exchange, PlainRequest } from './exchange.ts'
import { textOf } from './results.ts'
import { serverFor, type Furnishing } from './server.ts'
import { modernRevision, type Era } from './short-form.ts'
import { ToolTable } from './tools.ts'

/** What is inserted at a cut: the request's id, JSON as it is, or a text as a JSON string. */
type Mark = 'id' | 'json' | 'string'

/** An answer of the SDK with gaps to fill. */
export interface Frame {
  status: number
  headers: Record<string, string>
  /** @param shown the text for models, if it is not the JSON itself */
  fill(id: string, text: string, shown?: string): string
}

/** The SDK's answers that the short path gives without the SDK. */
export type Frames = Readonly<
  Record<Era, { success: Frame; text: Frame; refusal: Frame; list: Frame }>
>

const id = '@id@'
const requestId = '@request@'

/**
 * Runs calls and a list through the SDK and cuts its answers at id and payload, so that an upgrade of
 * the SDK also changes the short path. The list is of one tool: around all of them the SDK writes the same.
 * @param rest is awaited before each call, and before what is loaded for the first
 * @throws Error when an answer does not contain every payload exactly where it is expected
 */
export async function cutFrames(
  furnishing: Furnishing,
  rest: () => Promise<void> = () => Promise.resolve(),
): Promise<Frames> {
  const success: Outcome = { answer: new Answer('{"@payload@":"\\"@\\""}') }
  const refusal: Outcome = { refusal: new Refusal('internal_error', '@payload@ "@"') }
  const [sample] = furnishing.tools.descriptors
  const op = sample && furnishing.tools.find(sample.name)
  if (!op) throw new Error('there is no tool to sample')
  const alone = { descriptors: [sample], drafts: { inputs: [], parts: {} } }
  const furnished = (asText?: true) => {
    const { asText: _, ...others } = op
    const sampled = asText ? { ...others, asText } : others
    return { ...furnishing, tools: new ToolTable([sampled], alone) }
  }
  const [twofold, once] = [furnished(), furnished(true)]
  const list = JSON.stringify([sample])
  const framesOf = async (era: Era) => {
    const call = { name: sample.name, arguments: {} }
    const play = async (method: string, params: object, outcome: Outcome, by = twofold) => {
      await rest()
      return played(by, era, method, params, outcome)
    }
    return {
      success: cut(await play('tools/call', call, success), textOf(success, { requestId })),
      text: cut(await play('tools/call', call, success, once), textOf(success, { requestId })),
      refusal: cut(await play('tools/call', call, refusal), textOf(refusal, { requestId })),
      list: cut(await play('tools/list', {}, success), list),
    }
  }
  await rest()
  // Node loads its own fetch for the first answer, which takes a turn by itself.
  Response.json(null)
  return { modern: await framesOf('modern'), legacy: await framesOf('legacy') }
}

interface Played {
  status: number
  headers: Record<string, string>
  body: string
}

async function played(
  furnishing: Furnishing,
  era: Era,
  method: string,
  params: { name?: string },
  outcome: Outcome,
): Promise<Played> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(era === 'modern' && { 'mcp-protocol-version': modernRevision, 'mcp-method': method }),
    ...(era === 'modern' && params.name !== undefined && { 'mcp-name': params.name }),
  }
  const envelope = {
    [PROTOCOL_VERSION_META_KEY]: modernRevision,
    [CLIENT_CAPABILITIES_META_KEY]: {},
  }
  const body = {
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, ...(era === 'modern' && { _meta: envelope }) },
  }
  const request = {
    method: 'POST',
    headers,
    query: new URLSearchParams(),
    body,
    address: '',
    requestId,
    signal: new AbortController().signal,
  }
  const exchange = new Exchange(answering(outcome), request, {
    credential: undefined,
    selection: {
      toolsets: undefined,
      readonly: false,
    },
  })
  const handler = createMcpHandler(() => serverFor(furnishing, exchange))
  const response = await handler.fetch(new PlainRequest(exchange).asRequest(), { parsedBody: body })
  const text = await response.text()
  await handler.close()
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
}

/** A core that always gives the same answer. */
function answering(outcome: Outcome): Core {
  return {
    catalog: [],
    serve: () => Promise.resolve(outcome),
    identify: () => Promise.reject(new Error('no caller is identified here')),
  }
}

function cut({ status, headers, body }: Played, payload: string): Frame {
  const cuts: { mark: Mark; at: number; length: number }[] = []
  for (const [mark, text] of [
    ['id', JSON.stringify(id)],
    ['string', JSON.stringify(payload)],
    ['json', payload],
  ] as const) {
    for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) {
      cuts.push({ mark, at, length: text.length })
    }
  }
  cuts.sort((a, b) => a.at - b.at)
  const texts: string[] = []
  let end = 0
  for (const { at, length } of cuts) {
    if (at < end) throw new Error('the cuts of an answer overlap')
    texts.push(body.slice(end, at))
    end = at + length
  }
  const frame = filler(
    [...texts, body.slice(end)],
    cuts.map(({ mark }) => mark),
  )
  if (status !== 200 || frame(JSON.stringify(id), payload) !== body || cuts.length < 2) {
    throw new Error('an answer of the SDK cannot be cut')
  }
  return { status, headers, fill: frame }
}

function filler(texts: readonly string[], marks: readonly Mark[]) {
  return (id: string, payload: string, shown = payload): string => {
    let body = texts[0] ?? ''
    for (let i = 0; i < marks.length; i++) {
      const mark = marks[i]
      const hole = mark === 'id' ? id : mark === 'json' ? payload : JSON.stringify(shown)
      body += hole + (texts[i + 1] ?? '')
    }
    return body
  }
}
