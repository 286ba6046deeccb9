import { Refusal, type FaultItem } from '#src/core/errors.ts'
import type { Version } from '#protocol/a2a/names.ts'
import { inlineFault } from '#protocol/a2a/push/configs.ts'

/** Maps the members of the input of chat.send to paths in the params of SendMessage. */
const members: Readonly<Record<string, string>> = {
  message_id: 'message/messageId',
  context_id: 'message/contextId',
  task_id: 'message/metadata/task_id',
  parts: 'message/parts',
}

const membersOfFile: Readonly<Record<Version, Readonly<Record<string, string>>>> = {
  '1.0': { name: 'filename', media_type: 'mediaType', base64: 'raw', url: 'url' },
  '0.3': { name: 'file/name', media_type: 'file/mimeType', base64: 'file/bytes', url: 'file/uri' },
}

/**
 * A refusal in the terms of the message's sender: each fault names a member of the message, not one of
 * the resulting operation.
 */
export function faultOfMessage(refusal: Refusal, version: Version): Error {
  const inline = inlineFault(refusal, version)
  if (inline) return inline
  const { code, message, errors, cause, ...options } = refusal
  if (!errors?.length) return refusal
  const told = errors.map((fault) => ({ ...fault, pointer: sentAs(fault.pointer, version) }))
  const [was, is] = [memberIn(errors), memberIn(told)]
  const words = message.startsWith(`${was}: `) ? is + message.slice(was.length) : message
  return new Refusal(code, words, { ...options, cause, errors: told })
}

/** The member of the first fault, with which the text of a refusal begins. */
function memberIn([first]: readonly FaultItem[]): string {
  return first?.pointer.split('/').at(-1) ?? ''
}

function sentAs(pointer: string, version: Version): string {
  const [, top = '', at = '', kind = '', member = '', ...more] = pointer.split('/')
  const place = Object.hasOwn(members, top) ? members[top] : undefined
  if (place === undefined) return pointer
  const known = membersOfFile[version]
  const isOfFile = top === 'parts' && kind === 'file' && Object.hasOwn(known, member)
  const inside = isOfFile ? [at, known[member], ...more] : pointer.split('/').slice(2)
  return `/${[place, ...inside].join('/')}`
}
