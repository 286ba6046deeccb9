import type { Refusal } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import { textSteps } from '#src/core/input/text-steps.ts'
import { inPortionsIfLong } from '#src/core/turns/portions.ts'
import type { Clock } from '#src/ports/clock.ts'

/**
 * Does what a message asks for, once under its id. Under an id that had other content before it is another message:
 * the specification leaves this to agents, and clients use ids again.
 * @param content what is sent, by which a message is told from another of the same id
 * @param act is given what makes the id of such a message its own; undefined for the first of that id
 */
export async function onceFor<T extends { refusal?: Refusal | undefined }>(
  content: object,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
  act: (mark: string | undefined) => Promise<T>,
): Promise<T & { mark: string | undefined }> {
  const first = await act(undefined)
  if (first.refusal?.code !== 'idempotency_conflict') return { ...first, mark: undefined }
  const mark = digest(await inPortionsIfLong(textSteps(content), clock))
  return { ...(await act(mark)), mark }
}

/** The key of what is done under an id: a digest, so that no key sent directly can be the same. */
export function keyUnder(purpose: string, id: string, mark: string | undefined): string {
  return mark === undefined ? `${purpose}:${digest(id)}` : `${purpose}:${digest(id)}:${mark}`
}
