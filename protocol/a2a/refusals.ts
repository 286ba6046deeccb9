import { TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { Refusal, ErrorObject } from '#src/core/errors.ts'
import { noTaskWords, runInstead } from '#src/core/text/chat.ts'
import { inWords, type Words } from '#src/core/words/reference.ts'
import { InvalidParams } from './checks.ts'

/** The error of a request to send a message that holds none. */
export function noMessage(): InvalidParams {
  return new InvalidParams('message', 'A message is required.')
}

/** The error of a message that names a task and the context of others. */
export function otherContext(): InvalidParams {
  return new InvalidParams('message.contextId', 'The task belongs to another context.')
}

/** What is said of a refusal where an error has a message alone. */
export function inFull({ message, hint }: Pick<Refusal, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} ${hint}`
}

/** The error of a request for a task that is not there. */
export function noTask(id: string, words: Words): TaskNotFoundError {
  const lead = runInstead(id) ?? 'ListTasks lists the tasks that you may see.'
  return new TaskNotFoundError(`${noTaskWords(id.slice(0, 100))} ${inWords(lead, words)}`)
}

/** The error of a request to follow a task to which nothing will happen. */
export function nothingToFollow(): UnsupportedOperationError {
  return new UnsupportedOperationError('The task has ended: read it with GetTask.')
}

const types = 'type.googleapis.com/google'

/**
 * A refusal as the `data` of an error of the protocol's own methods: its reason, the faults of its fields, and the
 * object that every door gives.
 * Source: A2A 1.0, section 9.5.
 */
export function detailsOf(refusal: ErrorObject): object[] {
  const { code, request_id, errors } = refusal
  const reason = code.toUpperCase()
  return [
    { '@type': `${types}.rpc.ErrorInfo`, reason, domain: 'abode', metadata: { request_id } },
    ...(errors
      ? [{ '@type': `${types}.rpc.BadRequest`, fieldViolations: errors.map(violation) }]
      : []),
    { '@type': `${types}.protobuf.Struct`, value: refusal },
  ]
}

/** @param pointer a JSON Pointer; the field is in the notation of google.rpc, such as `message.parts[0].text` */
function violation({ pointer, message }: { pointer: string; message: string }): object {
  const field = pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  return { field, description: message }
}
