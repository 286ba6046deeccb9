import type { IncomingMessage } from 'node:http'
import { HttpFault } from '../errors.ts'

/** Whose requests the doors of agents take, as far as their headers tell. */
interface Policies {
  hostPolicy: (value: string) => boolean
  originPolicy: (value: string) => boolean
}

/** What is wrong with where a request comes from; undefined where nothing is. */
export interface Guard {
  /** With the name that it was sent to. */
  host(request: IncomingMessage): HttpFault | undefined
  /** With the page that had it sent. */
  origin(request: IncomingMessage): HttpFault | undefined
}

/**
 * Keeps pages of the web from a server that listens for its own machine alone, where it is trusted by
 * whoever can reach it. A name that was pointed here is not ours; and a page of others may read what is
 * open to all, but change nothing, by whatever form of request a browser sends unasked, and use no key.
 * Where a proxy passes on the public name, pages come from the web as to any public server.
 * @param publicUrl where the service is reached from outside
 */
export function localGuard({ hostPolicy, originPolicy }: Policies, publicUrl: string): Guard {
  const { hostname: publicName, origin: own } = new URL(publicUrl)
  return {
    host({ headers: { host } }) {
      // HTTP/1.0 may leave it out; no browser does.
      return host === undefined || hostPolicy(host) ? undefined : otherHost(publicUrl)
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

/** Whether a request of this method changes nothing. */
export function readsOnly(method = 'GET'): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function isPublic(hostname: string): boolean {
  return hostname !== 'localhost' && hostname !== '[::1]' && !hostname.startsWith('127.')
}

function nameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
}

function otherHost(publicUrl: string): HttpFault {
  return new HttpFault('host_mismatch', 'The Host header names another service than this one.', {
    hint: `Reach it as ${publicUrl}. Where a proxy passes on another name, its operator sets PUBLIC_URL to that.`,
  })
}

function otherOrigin(own: string): HttpFault {
  return new HttpFault('origin_mismatch', 'This server takes no such call from a page of others.', {
    hint: `It listens for its own machine: pages of ${own} and of this machine may call it, and any page may read what needs no key.`,
  })
}
