import { isObject } from '../short-form.ts'

/** What a task is known by: its run, and what its caller asked to be shown of it. */
export interface TaskName {
  runId: string
  /** `view` and `fields` of the call. */
  shown?: Record<string, unknown> | undefined
}

/** A header repeats the id in each request. */
const charactersAtMost = 1024

/** The id of a task: that of its run, followed by what is shown of it unless that is all, or too long for a header. */
export function taskIdOf(runId: string, input: unknown): string {
  const { view, fields } = isObject(input) ? input : {}
  if (view === undefined && fields === undefined) return runId
  const shown = JSON.stringify({ view, fields })
  const whole = `${runId}.${Buffer.from(shown).toString('base64url')}`
  return whole.length > charactersAtMost ? runId : whole
}

/** What a task id names; undefined for what is none. */
export function taskNamed(taskId: string): TaskName | undefined {
  if (taskId.length > charactersAtMost) return undefined
  const [runId = '', encoded, ...more] = taskId.split('.')
  if (!runId.startsWith('run_') || runId.length > 128 || more.length > 0) return undefined
  if (encoded === undefined) return { runId }
  const shown = objectIn(Buffer.from(encoded, 'base64url').toString())
  return shown && { runId, shown: { view: shown['view'], fields: shown['fields'] } }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
