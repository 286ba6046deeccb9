import { Task, type Message } from '@a2a-js/sdk'
import type { Operation } from '#src/core/operation.ts'
import { artifactOf, textPart } from '../tasks.ts'
import { isShort } from './history.ts'

/** A task is stored to be found again, not to store what the same message would produce again. */
export const artifactBytesAtMost = 64 * 1024

const cutMark = 'abode/cut'

/** The text in place of a task's result when there is no room for it. */
export const noRoom = 'There is no room to keep the answer: send the same message again.'

/** The same when the result is too large to be stored. */
export const tooLarge = 'The answer is too large to be kept: send the same message again.'

/** Whether the task's result was too large, or too secret, to be stored with it. */
export function isCut(task: Task): boolean {
  return task.metadata?.[cutMark] === true
}

/** The same task, to be shown with its complete result. */
export function uncut(task: Task): Task {
  const { [cutMark]: _cut, ...metadata } = task.metadata ?? {}
  return { ...task, metadata }
}

/** The task in its stored form: without a secret, which is shown once, and without a large result. */
export function textOf(task: Task, operation?: Operation): string {
  if (operation?.secret && task.artifacts.length > 0) {
    return textWithout(task, 'The answer held a secret: it was given once and is not kept.')
  }
  const text = JSON.stringify(Task.toJSON(task))
  if (text.length <= artifactBytesAtMost) return text
  return textWithout(task, tooLarge)
}

/** The same without the result. @param why is shown in its place */
export function textWithout(task: Task, why: string): string {
  const artifacts = task.artifacts.map(({ name }) => artifactOf(name, [textPart(why)]))
  const status = task.status && { ...task.status, message: shortOf(task.status.message, why) }
  const metadata = { ...task.metadata, [cutMark]: true }
  return JSON.stringify(Task.toJSON({ ...task, status, artifacts, metadata }))
}

function shortOf(message: Message | undefined, why: string): Message | undefined {
  return !message || isShort(message) ? message : { ...message, parts: [textPart(why)] }
}
