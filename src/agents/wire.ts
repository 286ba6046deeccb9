import type { Row } from '#src/ports/store.ts'

/**
 * A stored agent's wire text with its tasks inserted into `heart.tasks`.
 * @param tasks the stored texts of its tasks, in order
 */
export function spliceTasks({ id, text }: Row, tasks: readonly string[]): string {
  if (tasks.length === 0) return text
  const heartAt = endOfRevision(id, text)
  // Only this beginning is certain to be the agent's own heart: a caller's members may hold the same
  // text further on, and members with numeric names come before all others.
  if (heartAt > 0 && text.startsWith(',"heart":{"tasks":[]', heartAt)) {
    const inside = heartAt + ',"heart":{"tasks":['.length
    return text.slice(0, inside) + tasks.join(',') + text.slice(inside)
  }
  if (heartAt > 0 && text.startsWith(',"heart":null', heartAt)) {
    const after = heartAt + ',"heart":null'.length
    const heart = `{"tasks":[${tasks.join(',')}],"heartbeat_interval":null,"timezone":null}`
    return text.slice(0, after - 'null'.length) + heart + text.slice(after)
  }
  return spliceParsed(text, tasks)
}

function spliceParsed(text: string, tasks: readonly string[]): string {
  // Stored by us: an object whose heart is an object or null.
  const character = JSON.parse(text) as Record<string, unknown> & { heart: object | null }
  const heart = character.heart ?? { tasks: [], heartbeat_interval: null, timezone: null }
  const parsed: unknown[] = tasks.map((task) => JSON.parse(task))
  return JSON.stringify({ ...character, heart: { ...heart, tasks: parsed } })
}

/** The revision of a stored agent, without parsing it if its text begins as expected. */
export function revisionIn({ id, text }: Row): number {
  const end = endOfRevision(id, text)
  if (end > 0) return Number(text.slice(lengthOfBeginning(id), end))
  // Stored agents always have a revision.
  return (JSON.parse(text) as { revision: number }).revision
}

const beforeId = '{"id":"'
const beforeRevision = '","revision":'

/** The length of what stands before the revision, if no character of the id is escaped. */
function lengthOfBeginning(id: string): number {
  return beforeId.length + id.length + beforeRevision.length
}

/** The index where the digits of the revision end, or -1 if the text begins otherwise. */
function endOfRevision(id: string, text: string): number {
  const begins =
    text.startsWith(beforeId) &&
    text.startsWith(id, beforeId.length) &&
    text.startsWith(beforeRevision, beforeId.length + id.length)
  if (!begins) return -1
  let at = lengthOfBeginning(id)
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
