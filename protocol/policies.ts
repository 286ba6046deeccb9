import { isIP } from 'node:net'

/** The host and origin policies of the doors of agents. */
export interface Policies {
  /** Whether a `Host` header names this service. */
  hostPolicy: (value: string) => boolean
  /** Whether pages of this origin may call it; checked only if a browser sends an origin. */
  originPolicy: (value: string) => boolean
}

/**
 * Prevents DNS rebinding: a foreign page must not reach a service on the visitor's own machine under a
 * name that it has pointed there. So a name that anyone can register must be ours; addresses, and names
 * without a dot such as those of containers, cannot be pointed anywhere from outside.
 * @param publicUrl the public URL of the service
 * @param origins further origins whose pages may call
 */
export function policiesFor(publicUrl: string, origins: readonly string[] = []): Policies {
  const here = new URL(publicUrl)
  const friends = new Set([here.origin, ...origins])
  const known = new Map<string, boolean>()
  const isOurs = (value: string): boolean => {
    const url = parsed(`http://${value}`)
    if (!url || value === '' || url.host !== value.toLowerCase().replace(/:80$/, '')) return false
    return url.hostname === here.hostname || isLoopback(url) || isLocal(url)
  }
  return {
    hostPolicy(value) {
      const before = known.get(value)
      if (before !== undefined) return before
      const admits = isOurs(value)
      // Clients name the service in a handful of ways; the cache does not grow with invented names.
      if (known.size < 100) known.set(value, admits)
      return admits
    },
    originPolicy(value) {
      const url = parsed(value)
      return url !== undefined && (friends.has(url.origin) || isLoopback(url))
    },
  }
}

function parsed(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopbackAddress(hostname)
}

function isLoopbackAddress(hostname: string): boolean {
  return hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
}

function isLocal({ hostname }: URL): boolean {
  return !hostname.includes('.') || isIP(hostname) === 4
}
