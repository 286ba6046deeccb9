import type { StreamEvent } from '../answer.ts'
import { Refusal } from '../errors.ts'
import type { Operation } from '../operation.ts'

/** Whether a call waits for something to happen, if it has to. */
export function waits({ input }: Operation, valid: Readonly<Record<string, unknown>>): boolean {
  return Number(valid['wait_seconds'] ?? 0) > 0 && 'wait_seconds' in input.shape
}

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
