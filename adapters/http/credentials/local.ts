import type { IncomingMessage } from 'node:http'
import { HttpFault } from '../errors.ts'

/** The host and origin policies of the doors of agents. */
interface Policies {
  hostPolicy: (value: string) => boolean
  originPolicy: (value: string) => boolean
}

/** Checks where a request comes from; each returns the fault, or undefined if there is none. */
export interface Guard {
  /**
   * Checks the host name it was sent to.
   * @param isProbe whether it asks what health checks ask
   */
  host(request: IncomingMessage, isProbe: boolean): HttpFault | undefined
  /** Checks the page that sent it. */
  origin(request: IncomingMessage): HttpFault | undefined
}

/**
 * Protects a server that listens on its own machine only, and there trusts everyone that can reach it,
 * from web pages. A foreign name that was pointed here (DNS rebinding) is refused. A page of another
 * origin may read what is open to all, but may change nothing, in any form of request that a browser
 * sends by itself, and may use no key. If a proxy passes on the public name, pages reach the server as
 * they reach any public one.
 * @param publicUrl the public URL of the service
 */
export function localGuard({ hostPolicy, originPolicy }: Policies, publicUrl: string): Guard {
  const { hostname: publicName, origin: own } = new URL(publicUrl)
  return {
    host({ headers: { host } }, isProbe) {
      // Health checks of HTTP/1.0 name no host, and learn what every page may read.
      if (host === undefined && isProbe) return undefined
      return host !== undefined && hostPolicy(host) ? undefined : otherHost(publicUrl, host)
    },
    origin({ method, headers }) {
      const { host = '', origin, authorization, cookie, 'sec-fetch-site': site } = headers
      if (isPublic(publicName) && nameOf(host) === publicName) return undefined
      const isRead = readsOnly(method)
      if (isRead && authorization === undefined && cookie === undefined) return undefined
      if (origin !== undefined) return originPolicy(origin) ? undefined : otherOrigin(own)
      return !isRead && site === 'cross-site' ? otherOrigin(own) : undefined
    },
  }
}

/** Whether a method is safe: it changes nothing. */
export function readsOnly(method = 'GET'): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function isPublic(hostname: string): boolean {
  return hostname !== 'localhost' && hostname !== '[::1]' && !hostname.startsWith('127.')
}

function nameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
}

/** How many hosts a request names: Node gives the first of several. */
export function hostsNamed({ rawHeaders }: IncomingMessage): number {
  let named = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') named += 1
  }
  return named
}

function otherHost(publicUrl: string, host: string | undefined): HttpFault {
  const named =
    host === undefined
      ? 'There is no Host header.'
      : 'The Host header names another service than this one.'
  return new HttpFault('host_mismatch', named, {
    hint: `Reach it as ${publicUrl}. Where a proxy passes on another name, its operator sets PUBLIC_URL to that.`,
  })
}

function otherOrigin(own: string): HttpFault {
  return new HttpFault('origin_mismatch', 'This server takes no such call from a page of others.', {
    hint: `It listens for its own machine: pages of ${own} and of this machine may call it, and any page may read what needs no key.`,
  })
}
