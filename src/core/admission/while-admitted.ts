import type { StreamEvent } from '../answer.ts'
import { Refusal } from '../errors.ts'

/**
 * Events for as long as whoever asked for them may: before each the credential is looked at once more,
 * so that one that was revoked ends its streams.
 * @param isAdmitted whether the caller is still who they were; a Refusal says that they are not
 * @param end told when there are no more of them
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
