import type { MongoError } from 'mongodb'
import type { CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unavailable } from '#src/ports/store.ts'

/** The driver's errors for a server that is unavailable or too slow. */
const outages: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoExpiredSessionError',
  'MongoOperationTimeoutError',
  'MongoStalePrimaryError',
  'MongoWriteConcernError',
])

/** The server's codes: no primary, shutting down, timed out, endless conflicts, or a full disk. */
const outageCodes: ReadonlySet<number> = new Set([
  6, 7, 24, 43, 46, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 237, 251, 262, 290, 9001, 10058,
  10107, 11600, 11602, 13435, 13436, 14031,
])

const outOfDisk = 14031

export function isMongoError(error: unknown): error is MongoError {
  return error instanceof Error && 'hasErrorLabel' in error
}

export function mongoCode(error: unknown): number | undefined {
  if (!isMongoError(error)) return undefined
  return typeof error.code === 'number' ? error.code : undefined
}

function isOutage(error: MongoError): boolean {
  return (
    outages.has(error.name) ||
    outageCodes.has(mongoCode(error) ?? 0) ||
    error.hasErrorLabel('RetryableWriteError') ||
    error.hasErrorLabel('TransientTransactionError') ||
    error.hasErrorLabel('UnknownTransactionCommitResult')
  )
}

/**
 * The port's error for one of the driver; any other error is a bug and passes unchanged.
 * @param wrote whether a write may have reached the server
 */
export function mongoStoreError(
  error: unknown,
  collection: CollectionName | undefined,
  wrote: boolean,
): unknown {
  if (!isMongoError(error)) return error
  if (mongoCode(error) === 11000 && collection) {
    return new DuplicateKey(collection, duplicatePaths(error), { cause: error })
  }
  if (!isOutage(error)) return error
  const outcomeUnknown = wrote && !error.hasErrorLabel('NoWritesPerformed')
  return new Unavailable(`MongoDB cannot be used: ${error.message}`, {
    cause: error,
    outcomeUnknown,
    isAway: true,
    isFull: mongoCode(error) === outOfDisk,
  })
}

function duplicatePaths(error: MongoError): string[] {
  const pattern: unknown = 'keyPattern' in error ? error.keyPattern : undefined
  const paths =
    typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : pathsInText(error)
  return paths.map((path) => (path === '_id' ? 'id' : path))
}

/** Every server names at least the index, whose name is made of its paths. */
function pathsInText(error: MongoError): string[] {
  const name = /index: (\S+) dup key/.exec(error.message)?.[1] ?? '_id_'
  return name === '_id_' ? ['_id'] : name.split(',')
}
