import type { Log } from '#src/ports/log.ts'
import type { Clock } from '#src/ports/clock.ts'
import { turnOf } from '#src/core/turns/slices.ts'

/** The library begins what it says by itself so, on the console. */
const notice = 'oidc-provider '

/**
 * Loads the library of the authorization server, which strangers cause: what it needs of Node first, each in a turn of
 * the event loop of its own. What it says on the console goes to the log: it warns of every version of Node without
 * long-term support.
 */
export async function loadLibrary(log: Pick<Log, 'debug'>, clock: Pick<Clock, 'turn'>) {
  const { info, warn } = console
  const logged =
    (say: typeof console.warn): typeof console.warn =>
    (...words: unknown[]) => {
      if (String(words[0]).startsWith(notice)) log.debug('the authorization server says', { words })
      else say(...words)
    }
  Object.assign(console, { info: logged(info), warn: logged(warn) })
  await turnOf(clock)
  // Node reads the words of languages for the first of them.
  new Intl.ListFormat('en', { type: 'conjunction' }).format([])
  await turnOf(clock)
  return import('oidc-provider')
}

export type Library = Awaited<ReturnType<typeof loadLibrary>>
