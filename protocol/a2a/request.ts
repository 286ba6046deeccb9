import type { Message } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { nearest } from '#src/core/input/nearest.ts'
import type { Operation } from '#src/core/operation.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { acceptedModes } from './card/card.ts'
import type { Desk } from './desk.ts'

/** What a message asks for: an operation, or nothing that can be executed. */
export type Asking =
  | { operation: Operation; input: unknown; refusal?: undefined }
  | { operation?: undefined; refusal?: Refusal }

/** What is wrong with parts that are neither JSON nor text, or undefined. */
export function unsupportedPart({ parts }: Message): ContentTypeNotSupportedError | undefined {
  const stray = parts.find(({ content, mediaType }) => {
    if (content?.$case === 'text') return mediaType !== '' && !mediaType.startsWith('text/')
    return content?.$case !== 'data' || (mediaType !== '' && !isJson(mediaType))
  })
  if (!stray) return undefined
  return new ContentTypeNotSupportedError(
    `A part is ${stray.content?.$case} of type "${stray.mediaType.slice(0, 100)}". Parts are data or text: ${acceptedModes.join(', ')}. A file is a base64 member of an operation's params.`,
  )
}

/** What can be asked for at a door. */
export type Offer = Pick<Desk, 'operations' | 'signpost' | 'absent'>

/** Reads the first data part of a message. Text alone asks for nothing, which is not an error. */
export function askingOf(message: Message, desk: Offer): Asking {
  const part = message.parts.find(({ content }) => content?.$case === 'data')
  return part ? callIn(part.content?.value, desk) : {}
}

function isJson(mediaType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json(?:;|$)/.test(mediaType.toLowerCase())
}

const members = ['operation', 'params']

function callIn(data: unknown, { operations, signpost, absent }: Offer): Asking {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return { refusal: invalid('', 'A data part is an object with operation and params.', 'type') }
  }
  const { operation: name, params = {} } = { operation: undefined, ...data } as Record<
    string,
    unknown
  >
  if (typeof name !== 'string') {
    return { refusal: invalid('/operation', 'The data part names no operation.', 'type') }
  }
  const stray = Object.keys(data).find((member) => !members.includes(member))
  if (stray !== undefined) {
    const suggestion = nearest(stray, members)
    const message = `There is no member "${stray.slice(0, 100)}" in a data part.`
    return { refusal: invalid(pointerStep(stray), message, 'unknown_member', suggestion) }
  }
  const operation = operations.get(name)
  if (operation) return { operation, input: params }
  return { refusal: unknownOperation('operation', name, signpost, absent) }
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
    hint: 'Send {"operation": "<name>", "params": {…}}; a message of text is answered with what can be asked.',
  })
}
