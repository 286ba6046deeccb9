import { Refusal } from '#src/core/errors.ts'
import type { Clock } from '#src/ports/clock.ts'
import { errorOf, errorText, idIn } from '#protocol/json-rpc.ts'
import type { Reply } from './dispatch.ts'

/** The total size of a batch's answers: entries after that are not executed and get an error. */
const charactersAtMost = 8 * 2 ** 20
/** After this time the next entry begins anyway: some entries wait up to a minute for a run. */
const aheadMs = 250

/** Executes one entry. */
type Work = (entry: unknown) => Promise<Reply>

/**
 * The answers to the entries of a batch, in order, except for notifications. Each entry begins when the
 * previous one is done or takes long, so that few large answers exist at once.
 */
export async function batchTexts(
  batch: readonly unknown[],
  requestId: string,
  clock: Pick<Clock, 'sleep'>,
  work: Work,
): Promise<string[]> {
  let characters = 0
  const under: Promise<string | undefined>[] = []
  for (const entry of batch) {
    const isFull = characters > charactersAtMost && !isNotification(entry)
    const text = isFull ? Promise.resolve(tooLarge(entry, requestId)) : doneOf(work(entry))
    under.push(text)
    await within(text, clock)
  }
  return (await Promise.all(under)).flatMap((text) => text ?? [])

  async function doneOf(reply: Promise<Reply>): Promise<string | undefined> {
    const { text } = await reply
    characters += text?.length ?? 0
    return text
  }
}

/** Waits until it is done, or has taken its time. */
async function within(text: Promise<unknown>, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const over = new AbortController()
  // An error of one entry is thrown for the whole batch in the end.
  await Promise.allSettled([Promise.race([text, clock.sleep(aheadMs, over.signal)])])
  over.abort()
}

/** It is executed like any other entry but has no answer, so no room is kept for one. */
function isNotification(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'method' in entry && !('id' in entry)
}

function tooLarge(entry: unknown, requestId: string): string {
  const refusal = new Refusal('payload_too_large', 'The answers before this one fill the batch.', {
    hint: 'It was not done: send it again, by itself or in another batch.',
  })
  return errorText(idIn(entry), errorOf(refusal, { requestId }))
}
