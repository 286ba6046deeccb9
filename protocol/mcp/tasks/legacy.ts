import { RELATED_TASK_META_KEY, type Server } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { DoorRequest } from '#protocol/door.ts'
import { isObject } from '../short-form.ts'
import type { Task, TaskSource } from './wire.ts'

/** The revision in which tasks were a part of the protocol; a client of it asks for one with its call. */
const revision = '2025-11-25'

/** The methods that only this form has. */
export const legacyTaskMethods = ['tasks/result'] as const

/** What the list of tools says of one that may be called as a task. */
export const legacyTaskSupport = { execution: { taskSupport: 'optional' } } as const

/** Whether a request is one of that revision: its handshake names it, and all that follow have it in a header. */
export function isOfLegacyTasks({ body, headers }: Pick<DoorRequest, 'body' | 'headers'>): boolean {
  if (!isObject(body) || body['method'] !== 'initialize') {
    return headers['mcp-protocol-version'] === revision
  }
  const { params } = body
  return isObject(params) && params['protocolVersion'] === revision
}

/** The same tasks, with results that are fetched. */
export interface LegacyTasks extends Pick<TaskSource, 'get' | 'cancel'> {
  /** The result, once the task has ended. */
  result(taskId: string): Promise<object>
}

const params = z.object({ taskId: z.string() })

/** Declares tasks, and adds their methods to a server of that revision. */
export function addLegacyTasks(
  server: Server,
  tasksUntil: (signal: AbortSignal) => LegacyTasks,
): void {
  server.registerCapabilities({ tasks: { cancel: {}, requests: { tools: { call: {} } } } })
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, { mcpReq }) =>
    legacyTask(await tasksUntil(mcpReq.signal).get(taskId)),
  )
  server.setRequestHandler('tasks/result', { params }, async ({ taskId }, { mcpReq }) => ({
    ...(await tasksUntil(mcpReq.signal).result(taskId)),
    _meta: { [RELATED_TASK_META_KEY]: { taskId } },
  }))
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, { mcpReq }) => {
    const tasks = tasksUntil(mcpReq.signal)
    await tasks.cancel(taskId)
    return legacyTask(await tasks.get(taskId))
  })
}

/** A task as that revision writes it: one whose result is an error has failed. */
export function legacyTask(task: Task) {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
  const hasFailed =
    task.status === 'completed' && 'isError' in task.result && task.result.isError === true
  return {
    taskId,
    status: hasFailed ? ('failed' as const) : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  }
}
