import { createRequire } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'

/** What takes longest of it, as it lies in the package. */
const parts = ['undici/lib/dispatcher/agent.js', 'undici/lib/web/fetch/index.js']

/**
 * Loads undici. All at once it would hold the event loop several times as long as anything else that
 * happens, so its largest parts come first, and others have their turn between them.
 */
export async function loadUndici() {
  const load = createRequire(import.meta.url)
  for (const part of parts) {
    load(part)
    await turn()
  }
  return import('undici')
}
