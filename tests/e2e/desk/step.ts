import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { Desk } from './desk.ts'

/** What someone does, and what is seen once all that it set going has been done. */
export interface Step {
  does: string
  act: () => Promise<unknown>
  isDone: () => Promise<boolean>
}

type Kind = OwnerNotice['type']

/** What the notices of a kind say to call about a task, as REST names it. */
const ways: Partial<Record<Kind, string>> = {
  'run.failed': 'POST /api/runs/{run_id}/retry',
  'work.held': 'POST /api/characters/{char_id}/tasks/{task_id}/resume',
  'task.paused': 'POST /api/characters/{char_id}/tasks/{task_id}/resume',
}

type Way = OwnerNotice['next'][number]

async function wayOut(desk: Desk, kind: Kind, taskId: string): Promise<Way | undefined> {
  const notice = await desk.notice(kind, taskId)
  return notice?.next.find(({ operation }) => operation === ways[kind])
}

/** Whether the owner has been told, with what to call. */
export async function isTold(desk: Desk, kind: Kind, taskId: string): Promise<boolean> {
  return (await wayOut(desk, kind, taskId)) !== undefined
}

/** Calls what the newest notice of a kind about a task says. @throws Error where none says so */
export async function callAsTold(desk: Desk, kind: Kind, taskId: string): Promise<void> {
  const way = await wayOut(desk, kind, taskId)
  if (!way) throw new Error(`no notice of ${kind} says what to call about ${taskId}`)
  const [method = '', path = ''] = way.operation.split(' ')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => way.input[name] ?? '')
  await desk.ask(filled, { method, body: {}, once: `${kind}-of-${taskId}` })
}
