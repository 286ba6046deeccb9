import { MongoServerSelectionError } from 'mongodb'
import { Unavailable } from '#src/ports/store.ts'
import { mongoStoreError } from './errors.ts'

/** What a resolver says when it does not answer itself, while the servers of an address are looked up. */
const unresolved: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ESERVFAIL',
  'ETIMEOUT',
])
/** Codes of what certificates and TLS are refused for: that does not pass by itself. */
const untrusted = /CERT|^ERR_|^EPROTO$|^UNABLE_TO_/

/** Whether no server of the address has answered. */
export function isSilent(error: unknown): boolean {
  return error instanceof MongoServerSelectionError && serversOf(error).every(isUnknown)
}

/** Whether the replica set has another name than the address gives: the driver leaves all of its members out. */
export function isMisnamed(error: unknown): boolean {
  return error instanceof MongoServerSelectionError && serversOf(error).length === 0
}

/**
 * Whether an attempt to connect may succeed later with the same settings: a server is not there, or has no
 * primary. Wrong credentials, certificates and names of a replica set are none of that.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof MongoServerSelectionError)) {
    return (
      unresolved.has(codeOf(error)) ||
      mongoStoreError(error, undefined, false) instanceof Unavailable
    )
  }
  if (isMisnamed(error)) return false
  return !serversOf(error).some((one) => untrusted.test(codeOf(one.error?.cause)))
}

function serversOf({ reason }: MongoServerSelectionError) {
  return [...(reason?.servers.values() ?? [])]
}

function isUnknown({ type }: { type: string }): boolean {
  return type === 'Unknown'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
