import type { Message, SendMessageRequest } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import { InvalidParams } from '../errors/invalid-params.ts'
import { inputModes } from './card.ts'

/** A part of a message in the form of chat operations. */
export type SentPart =
  | { text: string }
  | { data: unknown }
  | { file: { name: string | null; media_type: string | null; base64?: string; url?: string } }

/** A message in the form of the operation that sends it. */
export interface Sending {
  message_id: string
  context_id?: string
  task_id?: string
  parts: SentPart[]
}

/** @throws InvalidParams for an empty part; ContentTypeNotSupportedError */
export function sendingOf(message: Message, { metadata }: SendMessageRequest): Sending {
  const taskId = taskIn(message.metadata) ?? taskIn(metadata)
  return {
    message_id: message.messageId,
    ...(message.contextId !== '' && { context_id: message.contextId }),
    ...(taskId !== undefined && { task_id: taskId }),
    parts: message.parts.map(sentPart),
  }
}

/** The agent's task that the message names in its metadata. */
function taskIn(metadata: Message['metadata']): string | undefined {
  const named: unknown = metadata?.['task_id']
  return typeof named === 'string' ? named : undefined
}

function sentPart({ content, mediaType, filename }: Message['parts'][number], i: number): SentPart {
  if (content?.$case === 'raw' || content?.$case === 'url') checkType(mediaType)
  const about = { name: filename || null, media_type: mediaType || null }
  switch (content?.$case) {
    case 'text':
      return { text: content.value }
    case 'data':
      return { data: content.value }
    case 'url':
      return { file: { ...about, url: content.value } }
    case 'raw':
      return { file: { ...about, base64: Buffer.from(content.value).toString('base64') } }
    default:
      throw InvalidParams.at(`message.parts[${i}]`, 'The part is empty.')
  }
}

/** A file may name no type. */
function checkType(mediaType: string): void {
  const [type = ''] = mediaType.toLowerCase().split(';')
  if (type === '' || inputModes.includes(type.trim())) return
  throw new ContentTypeNotSupportedError(
    `A part is of type "${type.slice(0, 100)}". The agent takes ${inputModes.join(', ')}.`,
  )
}
