import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * Resolves once it holds, looking again with every turn of the event loop.
 * @param pauseMs between two looks, where what is waited for happens in another process
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { seconds = 20, pauseMs = 0 } = {},
): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < seconds * 1000;) {
    if (await holds()) return
    await (pauseMs > 0 ? setTimeout(pauseMs) : setImmediate())
  }
  throw new Error('it never came to hold')
}
