import { isMap } from '#src/core/maps.ts'
import type { ProtocolMethod, Version } from '../names.ts'
import { helloParams } from '../request-hint.ts'

type Params = Record<string, unknown>

/** A text that is longer would hide what is wrong. */
const charactersAtMost = 200

/**
 * Params of a method that have its form, for the hint of a refusal: what the caller said, under the right names, and
 * for the rest words in capitals, or a greeting.
 */
export function paramsShown(method: ProtocolMethod, version: Version, sent: unknown): Params {
  const params = isMap(sent) ? sent : {}
  const id = ['id', 'taskId', 'task_id', 'name'].map((name) => idIn(params[name])).find(Boolean)
  const taskId = id ?? 'TASK_ID'
  const configId = idIn(params['pushNotificationConfigId']) ?? 'CONFIG_ID'
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return greeting(version, wordsIn(sent), isMap(params['message']) ? params['message'] : {})
    case 'ListTasks':
      return list(params)
    case 'CreateTaskPushNotificationConfig':
      return version === '1.0'
        ? { taskId, url: hook }
        : { taskId, pushNotificationConfig: { url: hook } }
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return version === '1.0'
        ? { taskId: idIn(params['taskId']) ?? 'TASK_ID', id: idIn(params['id']) ?? 'CONFIG_ID' }
        : { id: taskId, pushNotificationConfigId: configId }
    case 'ListTaskPushNotificationConfigs':
      return version === '1.0' ? { taskId } : { id: taskId }
    default:
      return { id: taskId }
  }
}

/** With the state that a shorter word means, and as many tasks as a page may have. */
function list({ pageSize, contextId, status }: Params): Params {
  const size = typeof pageSize === 'number' ? Math.round(pageSize) : 20
  const context = idIn(contextId)
  const state = typeof status === 'string' ? shortStates.get(status.toLowerCase()) : undefined
  return {
    pageSize: Math.min(Math.max(size, 1), 100),
    ...(context !== undefined && { contextId: context }),
    ...(state !== undefined && { status: state }),
  }
}

/** States as version 0.3 and other services write them. */
const shortStates: ReadonlyMap<string, string> = new Map([
  ['canceled', 'TASK_STATE_CANCELED'],
  ['cancelled', 'TASK_STATE_CANCELED'],
  ['completed', 'TASK_STATE_COMPLETED'],
  ['done', 'TASK_STATE_COMPLETED'],
  ['failed', 'TASK_STATE_FAILED'],
  ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
  ['rejected', 'TASK_STATE_REJECTED'],
  ['running', 'TASK_STATE_WORKING'],
  ['submitted', 'TASK_STATE_SUBMITTED'],
  ['working', 'TASK_STATE_WORKING'],
])

const hook = 'https://example.com/a2a'

/** A message with these words, that belongs to the task and the context of the one that was sent. */
function greeting(version: Version, text: string | undefined, sent: Params): Params {
  const { message } = helloParams[version]
  const [hello] = message.parts
  const kept = ['messageId', 'contextId', 'taskId'].flatMap((name) => {
    const value = idIn(sent[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  const parts = [{ ...hello, ...(text !== undefined && { text }) }]
  return { message: { ...message, parts, ...Object.fromEntries(kept) } }
}

/** An id that can be shown; numbers were meant as their digits. */
function idIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length > charactersAtMost || !text.isWellFormed()) {
    return undefined
  }
  return text.replace(/^tasks\//, '') || undefined
}

const holders = ['message', 'params', 'parts', 'part', 'text', 'content', 'input', 'prompt']

/** The words of a message in another form: a text itself, or the first one in a member that may hold it. */
function wordsIn(sent: unknown, depth = 0): string | undefined {
  if (typeof sent === 'string') {
    return sent !== '' && sent.length <= charactersAtMost && sent.isWellFormed() ? sent : undefined
  }
  if (depth > 4) return undefined
  if (Array.isArray(sent)) return wordsIn(sent[0], depth + 1)
  if (!isMap(sent)) return undefined
  for (const name of holders) {
    const words = Object.hasOwn(sent, name) ? wordsIn(sent[name], depth + 1) : undefined
    if (words !== undefined) return words
  }
  return undefined
}
