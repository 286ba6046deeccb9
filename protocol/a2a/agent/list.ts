import { TaskState, type ListTasksRequest, type ListTasksResponse } from '@a2a-js/sdk'
import { Refusal } from '#src/core/errors.ts'
import { brokenToken } from '../refusals.ts'
import { withHistory } from '../task-view.ts'
import { statusesOf } from '../states.ts'
import type { Conversation } from './conversation.ts'

const usualPageSize = 50

/** @throws InvalidParams for a broken page token; Refusal */
export async function listed(
  tasks: Conversation,
  params: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { contextId, statusTimestampAfter, pageToken, status, historyLength } = params
  const pageSize = params.pageSize ?? usualPageSize
  const input = {
    limit: pageSize,
    ...(pageToken && { cursor: pageToken }),
    ...(contextId && { context_id: contextId }),
    ...(status !== TaskState.TASK_STATE_UNSPECIFIED && { statuses: statusesOf(status) }),
    ...(statusTimestampAfter && { since: new Date(statusTimestampAfter).toISOString() }),
    results: params.includeArtifacts === true,
  }
  const page = await tasks.page(input).catch((cause: unknown) => {
    const isBroken = cause instanceof Refusal && cause.code === 'cursor_invalid'
    throw isBroken ? brokenToken(cause.message) : cause
  })
  const shown = page.items.map((item) => withHistory(tasks.taskOf(item), historyLength))
  return {
    tasks: shown,
    nextPageToken: page.next_cursor ?? '',
    pageSize,
    totalSize: page.total,
  }
}
