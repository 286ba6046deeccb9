import { randomUUID } from 'node:crypto'

const visible = /^[\x21-\x7e]{1,128}$/
const version = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** The caller's own request id if it is readable, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && visible.test(header) ? header : randomUUID()
}

/**
 * The caller's trace, if it is well-formed (W3C Trace Context; version 00 has nothing after the flags).
 */
export function traceparentOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > 256 || !version.test(header)) return undefined
  return header.startsWith('00') && header.length !== 55 ? undefined : header
}
