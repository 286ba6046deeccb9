import type { Message } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { nearest } from '#src/core/input/nearest.ts'
import type { Understood } from '#src/core/input/understood.ts'
import type { Operation } from '#src/core/operation.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { namedOperation } from '#src/core/words/named-operation.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { acceptedModes } from '#protocol/a2a/card/card.ts'
import type { Desk } from '#protocol/a2a/desk.ts'
import { objectIn, writtenIn } from './written.ts'

/** What a message asks for: an operation, or nothing that can be executed. */
export type Asking =
  | {
      operation: Operation
      input: unknown
      /** That its input was read from a text. */
      understood?: readonly Understood[] | undefined
      refusal?: undefined
      isText: boolean
    }
  | { operation?: undefined; refusal?: Refusal }

/** What is wrong with parts that are neither JSON nor text, or undefined. */
export function unsupportedPart({ parts }: Message): ContentTypeNotSupportedError | undefined {
  const stray = parts.find(({ content, mediaType }) => {
    if (content?.$case === 'text') {
      return mediaType !== '' && !mediaType.startsWith('text/') && !isJson(mediaType)
    }
    return content?.$case !== 'data' || (mediaType !== '' && !isJson(mediaType))
  })
  if (!stray) return undefined
  return new ContentTypeNotSupportedError(
    `A part is ${stray.content?.$case} of type "${stray.mediaType.slice(0, 100)}". Parts are data or text: ${acceptedModes.join(', ')}. A file is a base64 member of an operation's params.`,
  )
}

/** What can be asked for at a door. */
type Offer = Pick<Desk, 'catalog' | 'signpost' | 'absent'>

/**
 * Reads the first data part of a message or, if it has none, a call that is written in its text. Text
 * alone asks for nothing, which is not an error.
 */
export function askingOf(message: Message, desk: Offer): Asking {
  const part = message.parts.find(({ content }) => content?.$case === 'data')
  if (part) return callIn(part.content?.value, desk, false)
  const written = writtenIn(wordsOf(message))
  return written && isCall(written, desk.catalog) ? callIn(written, desk, true) : {}
}

/** All texts of a message. */
export function wordsOf({ parts }: Message): string {
  return parts
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join('\n')
}

function isJson(mediaType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json(?:;|$)/.test(mediaType.toLowerCase())
}

type Members = Readonly<Record<string, unknown>>

/** What the name of an operation and its input are called, here and at other doors; the first is ours. */
const names = ['operation', 'method', 'name'] as const
const inputs = ['params', 'arguments'] as const
/** Members of JSON-RPC around a call, which change nothing of it. */
const around = ['jsonrpc', 'id']

/** Whether an object in a text is meant as a call: a name may also be that of something else. */
function isCall(written: object, catalog: readonly Operation[]): boolean {
  const { operation, method, name } = { ...written } as Members
  if (typeof operation === 'string' || typeof method === 'string') return true
  if (typeof name !== 'string') return false
  return namedOperation(catalog, name) !== undefined || inputs.some((one) => one in written)
}

function callIn(data: unknown, desk: Offer, isText: boolean): Asking {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return { refusal: invalid('', 'A data part is an object with operation and params.', 'type') }
  }
  const sent = { ...data } as Members
  // The envelope of an MCP client.
  if (sent['method'] === 'tools/call' && isObject(sent['params'])) {
    return callIn(sent['params'], desk, isText)
  }
  const stray = strayIn(sent)
  if (stray) return { refusal: stray }
  const [naming, giving] = [memberOf(sent, names), memberOf(sent, inputs)]
  const name = naming === undefined ? undefined : sent[naming]
  if (typeof name !== 'string') {
    return { refusal: invalid('/operation', 'The data part names no operation.', 'type') }
  }
  const params = giving === undefined ? {} : sent[giving]
  const operation = namedOperation(desk.catalog, name)
  if (!operation) {
    return { refusal: unknownOperation('operation', name, desk.signpost, desk.absent) }
  }
  // As models write the arguments of a tool.
  const read = typeof params === 'string' ? objectIn(params) : undefined
  if (!read) return { operation, input: params, isText }
  const pointer = pointerStep(giving ?? inputs[0])
  return { operation, input: read, understood: [{ pointer, as: 'object' }], isText }
}

/** Which of some members with the same meaning is there. */
function memberOf(sent: Members, meant: readonly string[]): string | undefined {
  return meant.find((member) => Object.hasOwn(sent, member))
}

/** What is wrong with the members: one that is not of a call, or two that say the same. */
function strayIn(sent: Members): Refusal | undefined {
  for (const meant of [names, inputs]) {
    const [first, second] = meant.filter((member) => Object.hasOwn(sent, member))
    if (second === undefined) continue
    const message = `"${first}" and "${second}" mean the same: send one of them.`
    return invalid(pointerStep(second), message, 'unknown_member', first)
  }
  const known: readonly string[] = [...names, ...inputs, ...around]
  const stray = Object.keys(sent).find((member) => !known.includes(member))
  if (stray === undefined) return undefined
  const message = `There is no member "${stray.slice(0, 100)}" in a data part.`
  const suggestion = nearest(stray, [names[0], inputs[0]])
  return invalid(pointerStep(stray), message, 'unknown_member', suggestion)
}

function invalid(pointer: string, message: string, code: string, suggestion?: string): Refusal {
  const fault: FaultItem = {
    pointer,
    message,
    code,
    ...(suggestion !== undefined && { suggestion }),
  }
  return new Refusal('invalid_input', message, {
    errors: [fault],
    hint: 'Send {"operation": "<name>", "params": {…}}; a message of text is answered with the operations that fit it best.',
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
