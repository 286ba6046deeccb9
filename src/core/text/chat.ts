/** The words of `unauthenticated` for a list of tasks that others on the same network may have sent. */
export const contextNeeded = 'Without an API key, name the contextId of your tasks.'

/** That messages have started no task with this id, in words. */
export function noTaskWords(id: string): string {
  return `There is no task "${id}".`
}
