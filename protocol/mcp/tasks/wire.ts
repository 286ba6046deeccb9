import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'
import type { CallMeta } from '../exchange.ts'
import { isObject } from '../short-form.ts'

/** The extension by which a call is answered by a task, SEP-2663. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** What every task shows. Times are RFC 3339, durations whole milliseconds. */
interface TaskFacts {
  taskId: string
  statusMessage?: string
  createdAt: string
  lastUpdatedAt: string
  /** Null: it is kept as long as what it stands for. */
  ttlMs: number | null
  pollIntervalMs?: number
}

/** How long a client waits before it asks again: of what goes on, and of what waits for someone or for its time. */
export const pollMs = 1000
export const pollWaitingMs = 2000

/** A request of the server to a person at the host. */
export interface InputRequest {
  method: 'elicitation/create'
  params:
    | { mode: 'form'; message: string; requestedSchema: object }
    | { mode: 'url'; message: string; url: string }
}

/** A task with what its status brings. */
export type Task = TaskFacts &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: Readonly<Record<string, InputRequest>> }
    | { status: 'completed'; result: object }
    | { status: 'failed'; error: { code: number; message: string } }
  )

/** The answers to requests for input, by the keys of the requests. */
export type InputResponses = Readonly<Record<string, unknown>>

/**
 * Tasks as the sender of a request sees them. Each method throws an error of the protocol, of invalid params, where
 * there is no such task for the sender.
 */
export interface TaskSource {
  get(taskId: string): Promise<Task>
  /** Answers to what is not asked, or not any more, are passed over. */
  update(taskId: string, responses: InputResponses): Promise<void>
  /** A task that has ended stays as it is. */
  cancel(taskId: string): Promise<void>
}

/** What a client says in its request that it can do. */
export type ClientCapabilities = Readonly<Record<string, unknown>>

/** The capabilities in the envelope of a request. */
export function capabilitiesIn(meta: CallMeta | undefined): ClientCapabilities {
  const declared = meta?.[CLIENT_CAPABILITIES_META_KEY]
  return isObject(declared) ? declared : {}
}

/** Whether a client takes tasks in place of results. */
export function takesTasks({ extensions }: ClientCapabilities): boolean {
  return isObject(extensions) && isObject(extensions[tasksExtension])
}

/** Whether a client asks its person in a mode: by a form, which is the usual one, or by an address. */
export function elicits({ elicitation }: ClientCapabilities, mode: 'form' | 'url'): boolean {
  if (!isObject(elicitation)) return false
  return mode in elicitation || (mode === 'form' && !('url' in elicitation))
}
