import type { Message } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import type { Understood } from '#src/core/input/understood.ts'
import type { Operation } from '#src/core/operation.ts'
import { namedOperation } from '#src/core/words/named-operation.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { acceptedModes } from '#protocol/a2a/card/card.ts'
import type { Desk } from '#protocol/a2a/desk.ts'
import {
  hasInput,
  inputOfCall,
  sentCall,
  strayMember,
  type CallForm,
  type Members,
  type SentCall,
} from '#protocol/call-form.ts'
import { writtenIn } from './written.ts'

/** What a message asks for: an operation, or nothing that can be executed. */
export type Asking =
  | {
      operation: Operation
      input: unknown
      /** How the call itself was understood. */
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

/** As a data part has them; around it may be the members of JSON-RPC. */
const form: CallForm = { name: 'operation', input: 'params', around: ['jsonrpc', 'id'] }

/** Whether an object in a text is meant as a call: a name may also be that of something else. */
function isCall(written: object, catalog: readonly Operation[]): boolean {
  const { operation, method, tool, name } = { ...written } as Members
  if ([operation, method, tool].some((one) => typeof one === 'string')) return true
  if (typeof name !== 'string') return false
  return namedOperation(catalog, name) !== undefined || hasInput({ ...written })
}

function callIn(data: unknown, desk: Offer, isText: boolean): Asking {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const message = 'A data part is an object with operation and params.'
    return { refusal: invalid({ pointer: '', message, code: 'type' }) }
  }
  const sent = { ...data } as Members
  // The envelope of an MCP client.
  if (sent['method'] === 'tools/call' && isObject(sent['params'])) {
    return callIn(sent['params'], desk, isText)
  }
  const read = sentCall(sent, form)
  if (read.fault) return { refusal: invalid(read.fault) }
  const { name } = read
  if (typeof name !== 'string') {
    const [stray] = Object.keys(read.rest)
    const message = 'The data part names no operation.'
    const unnamed = { pointer: '/operation', message, code: 'type' }
    return { refusal: invalid(stray === undefined ? unnamed : strayMember(stray, form)) }
  }
  const operation = namedOperation(desk.catalog, name)
  if (!operation) {
    return { refusal: unknownOperation('operation', name, desk.signpost, desk.absent) }
  }
  return withInput(operation, read, isText)
}

function withInput(operation: Operation, sent: SentCall, isText: boolean): Asking {
  try {
    const given = inputOfCall(sent, operation, form)
    if (given.fault) return { refusal: invalid(given.fault) }
    const { input, understood } = given
    return { operation, input, isText, ...(understood.length > 0 && { understood }) }
  } catch (cause) {
    // JSON over the bounds of a body.
    if (cause instanceof Refusal) return { refusal: cause }
    throw cause
  }
}

function invalid(fault: FaultItem): Refusal {
  return new Refusal('invalid_input', fault.message, {
    errors: [fault],
    hint: 'Send {"operation": "<name>", "params": {…}}; a message of text is answered with the operations that fit it best.',
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
