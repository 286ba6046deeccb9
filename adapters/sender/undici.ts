import { createRequire } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'

/** Its slowest parts to load, as they lie in the package. */
const parts = ['undici/lib/dispatcher/agent.js', 'undici/lib/web/fetch/index.js']

/**
 * Loads undici. Loaded at once it would block the event loop several times longer than anything else,
 * so its largest parts are loaded first, and other work gets its turn between them.
 */
export async function loadUndici() {
  const load = createRequire(import.meta.url)
  for (const part of parts) {
    load(part)
    await turn()
  }
  return import('undici')
}
