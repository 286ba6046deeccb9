import { isObject } from '../short-form.ts'

/** Tasks are followed in the stream of the library like resources, by addresses that no resource has. */
const place = 'abode://tasks/'

/** The address by which a stream follows a task. */
export function taskAddress(taskId: string): string {
  return place + taskId
}

/** The task that an address stands for; undefined for that of a resource. */
export function taskAt(uri: string): string | undefined {
  return uri.startsWith(place) ? uri.slice(place.length) : undefined
}

const separator = '\n\n'

/** The stream of a listener, in which tasks are spoken of as the extension says. */
export function withTasks(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const frames = (rest + decoder.decode(bytes, { stream: true })).split(separator)
        rest = frames.pop() ?? ''
        for (const frame of frames) controller.enqueue(encoder.encode(said(frame) + separator))
      },
    }),
  )
}

const data = 'data: '

function said(frame: string): string {
  if (!frame.includes(place)) return frame
  return frame
    .split('\n')
    .map((line) => (line.startsWith(data) ? data + inTerms(line.slice(data.length)) : line))
    .join('\n')
}

function inTerms(text: string): string {
  // The library writes messages, each in one line.
  const message = JSON.parse(text) as { method?: string; params?: Record<string, unknown> }
  const { method, params } = message
  if (method === 'notifications/subscriptions/acknowledged') {
    const notifications = acknowledged(params?.['notifications'])
    return JSON.stringify({ ...message, params: { ...params, notifications } })
  }
  const { uri, ...task } = params ?? {}
  if (method !== 'notifications/resources/updated' || typeof uri !== 'string') return text
  if (taskAt(uri) === undefined) return text
  return JSON.stringify({ ...message, method: 'notifications/tasks', params: task })
}

/** What a client is told of, with tasks by their ids. */
function acknowledged(honoured: unknown): object {
  if (!isObject(honoured)) return {}
  const { resourceSubscriptions: followed, ...lists } = honoured
  const uris = Array.isArray(followed) ? followed.filter((uri) => typeof uri === 'string') : []
  const taskIds = uris.flatMap((uri) => taskAt(uri) ?? [])
  const resourceSubscriptions = uris.filter((uri) => taskAt(uri) === undefined)
  return {
    ...lists,
    ...(resourceSubscriptions.length > 0 && { resourceSubscriptions }),
    taskIds,
  }
}
