import { isObject } from '../short-form.ts'

/** What a task is known by: a run, and what its caller asked for. */
export interface TaskName {
  runId: string
  /** `view` and `fields` of the call that started the run. */
  shown?: Members
  /** The page of its events that the call waited for, where it did not start the run. */
  events?: Members
}

type Members = Readonly<Record<string, unknown>>

/** A header repeats the id in each request. */
const charactersAtMost = 1024

/** The id of a run as a task: what is shown of it follows, unless that is all, or too long for a header. */
export function runTaskId(runId: string, input: unknown): string {
  const { view, fields } = isObject(input) ? input : {}
  if (view === undefined && fields === undefined) return runId
  return idOf({ runId, shown: { view, fields } }) ?? runId
}

/** The id of a wait for the end of a run; undefined where it is too long for a header. */
export function waitTaskId(runId: string, { limit, cursor }: Members): string | undefined {
  return idOf({ runId, events: { limit, cursor } })
}

function idOf({ runId, ...asked }: TaskName): string | undefined {
  const id = `${runId}.${Buffer.from(JSON.stringify(asked)).toString('base64url')}`
  return id.length > charactersAtMost ? undefined : id
}

/** What a task id names; undefined for what is none, or was never given to anyone. */
export function taskNamed(taskId: string): TaskName | undefined {
  if (taskId.length > charactersAtMost) return undefined
  const [runId = '', encoded] = taskId.split('.')
  if (!runId.startsWith('run_') || runId.length > 128) return undefined
  if (encoded === undefined) return { runId }
  const name = { runId, ...askedIn(Buffer.from(encoded, 'base64url').toString()) }
  return idOf(name) === taskId ? name : undefined
}

function askedIn(text: string): Omit<TaskName, 'runId'> {
  const { shown, events } = membersIn(text)
  if (isObject(events)) {
    const { limit, cursor } = events
    return { events: { limit, cursor } }
  }
  const { view, fields } = isObject(shown) ? shown : {}
  return { shown: { view, fields } }
}

function membersIn(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
