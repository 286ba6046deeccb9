import {
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors'
import { listsTasks, noTaskWords, runInstead } from '#src/core/text/chat.ts'
import { inWords, type Words } from '#src/core/words/reference.ts'
import { leading } from './errors/details.ts'
import { InvalidParams } from './errors/invalid-params.ts'
import { versions } from './names.ts'

/** The error of a request to send a message that holds none. */
export function noMessage(): InvalidParams {
  return InvalidParams.at('message', 'A message is required.')
}

/** The error of a message that names a task and the context of others. */
export function otherContext(): InvalidParams {
  const hint = 'Leave contextId out: the task has its own.'
  return InvalidParams.at('message.contextId', 'The task belongs to another context.', hint)
}

/** The error of a page token that leads nowhere. */
export function brokenToken(message: string): InvalidParams {
  return InvalidParams.at('pageToken', message, 'Leave pageToken out: the list starts again.')
}

/** The error of a request for a task that is not there. */
export function noTask(id: string, words: Words): TaskNotFoundError {
  const lead = runInstead(id) ?? listsTasks
  return leading(TaskNotFoundError, noTaskWords(id.slice(0, 100)), inWords(lead, words))
}

/** The error of a request to follow a task to which nothing will happen. */
export function nothingToFollow(): UnsupportedOperationError {
  const hint = 'GetTask (tasks/get in 0.3) reads how it ended.'
  return leading(UnsupportedOperationError, 'The task has ended.', hint)
}

/** The error of a request for notifications at a door that sends none. */
export function noPush(): PushNotificationNotSupportedError {
  const message = 'No notifications are sent of the tasks of this door.'
  const hint =
    'SubscribeToTask (tasks/resubscribe in 0.3) follows a task, and GetTask (tasks/get) reads it.'
  return leading(PushNotificationNotSupportedError, message, hint)
}

/** The error of a request in a version that is not spoken. */
export function versionNotSupported(asked: string): VersionNotSupportedError {
  const message = `Version "${asked.slice(0, 20)}" is not spoken here: ${versions.join(' and ')} are.`
  return leading(VersionNotSupportedError, message, 'Send the header "A2A-Version: 1.0".')
}

/** The error of an entry of a batch that asks for a stream. */
export function streamInBatch(): UnsupportedOperationError {
  const message = 'A stream cannot be an answer inside a batch.'
  return leading(UnsupportedOperationError, message, 'Send this request by itself.')
}
