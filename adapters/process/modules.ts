import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url).href

/**
 * Makes later imports of the service's own modules fast. Node's compiled code is cached next to the
 * packages, in a folder that is as trusted as they are; if it cannot be written, there is no cache.
 * Imports of our own modules are resolved by name alone: a start has a thousand of them, and looking
 * each up in the file system takes a quarter of its time.
 */
export function loadQuickly(): void {
  // The modules of a build are few, and need no help.
  if (!import.meta.url.endsWith('.ts')) return
  enableCompileCache(fileURLToPath(new URL('node_modules/.cache/abode', root)))
  registerHooks({
    resolve(specifier, context, next) {
      const url = ownModule(specifier, context.parentURL)
      return url === undefined
        ? next(specifier, context)
        : { url, format: 'module-typescript', shortCircuit: true }
    },
  })
}

/** The URL of one of our own modules; all are named with their extension and none is a symbolic link. */
export function ownModule(specifier: string, parentUrl: string | undefined): string | undefined {
  if (!specifier.endsWith('.ts') || !isOurs(parentUrl)) return undefined
  if (/^#(?:src|protocol|adapters)\//.test(specifier)) return new URL(specifier.slice(1), root).href
  return /^\.\.?\//.test(specifier) ? new URL(specifier, parentUrl).href : undefined
}

function isOurs(url: string | undefined): boolean {
  return url !== undefined && url.startsWith(root) && !url.includes('/node_modules/')
}
