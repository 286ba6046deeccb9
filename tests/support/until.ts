import { setImmediate, setTimeout } from 'node:timers/promises'

/** Looks with every turn of the event loop; who waits longer leaves the processor to what it waits for. */
const looksAtOnce = 10
const pauseBetweenMs = 4

/**
 * Resolves once it holds.
 * @param pauseMs between two looks, where what is waited for happens in another process
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { seconds = 120, pauseMs = 0 } = {},
): Promise<void> {
  const begun = Date.now()
  for (let looks = 1; Date.now() - begun < seconds * 1000; looks += 1) {
    if (await holds()) return
    if (pauseMs > 0) await setTimeout(pauseMs)
    else await (looks < looksAtOnce ? setImmediate() : setTimeout(pauseBetweenMs))
  }
  throw new Error('it never came to hold')
}
