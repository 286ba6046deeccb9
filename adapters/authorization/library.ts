import type { Log } from '#src/ports/log.ts'

/** The library begins what it says by itself so, on the console. */
const notice = 'oidc-provider '

/**
 * Loads the library of the authorization server. What it says on the console goes to the log: it warns of every
 * version of Node without long-term support.
 */
export async function loadLibrary(log: Pick<Log, 'debug'>) {
  const { info, warn } = console
  const logged =
    (say: typeof console.warn): typeof console.warn =>
    (...words: unknown[]) => {
      if (String(words[0]).startsWith(notice)) log.debug('the authorization server says', { words })
      else say(...words)
    }
  Object.assign(console, { info: logged(info), warn: logged(warn) })
  return import('oidc-provider')
}

export type Library = Awaited<ReturnType<typeof loadLibrary>>
