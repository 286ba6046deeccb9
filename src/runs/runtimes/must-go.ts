import { maySend } from '#src/agents/secrets/permits.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { RunFailure } from '../failure.ts'

/**
 * Where a secret goes is decided before a run begins; what was changed since is not followed.
 * @param place an address, or `local` for a command
 * @throws RunFailure `secret_origin` if one of the secrets may not go there
 */
export function mustGo(task: StoredTask, secrets: readonly string[], place: string): void {
  const name = secrets.find((one) => !maySend(task, one, place))
  if (name === undefined) return
  const message = `Its owner has not said that the secret "${name}" may be sent there: run the task again.`
  throw new RunFailure('secret_origin', message)
}
