import type { StreamEvent } from '../answer.ts'
import { Refusal } from '../errors.ts'

/**
 * Events for as long as the caller may read them: the credential is checked again before each one, so
 * that revoking it ends its streams.
 * @param isAdmitted whether the caller is still the same; a Refusal says that they are not
 * @param end called after the last event
 */
export async function* whileAdmitted(
  events: AsyncIterable<StreamEvent>,
  isAdmitted: () => Promise<boolean>,
  end: () => void,
): AsyncGenerator<StreamEvent> {
  try {
    for await (const event of events) {
      if (!(await isAdmitted().catch(refused))) return
      yield event
    }
  } finally {
    end()
  }
}

function refused(cause: unknown): false {
  if (cause instanceof Refusal) return false
  throw cause
}
