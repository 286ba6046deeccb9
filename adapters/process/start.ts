import {
  MasterKeyUnusable,
  RuntimeUnusable,
  StoreUnusable,
  type Abode,
} from '#adapters/compose/compose.ts'
import { flushCompileCache } from 'node:module'
import { ConfigFaults, readConfig, type Config } from '#adapters/config/read.ts'
import type { Log } from '#src/ports/log.ts'
import { Unavailable } from '#src/ports/store.ts'
import { releaseYoungGeneration } from './young-generation.ts'

/** The configuration error of `sysexits.h`: starting again would not help. */
export const badConfiguration = 78
/** The store does not answer: starting again later may help. */
export const storeAway = 69
/** It could not listen, or met a fault that it cannot live with. */
export const failed = 1
/** Errors that a person has to fix before another start. */
const forPeople = [StoreUnusable, MasterKeyUnusable, RuntimeUnusable]
/** Time for the first request after the start to be answered. */
const warmUpAfterMs = 150

/** The settings; undefined if they have faults, which are printed. */
export function configOf(env: Record<string, string | undefined>): Config | undefined {
  try {
    return readConfig(env)
  } catch (cause) {
    if (!(cause instanceof ConfigFaults)) throw cause
    return complain(cause.faults, badConfiguration)
  }
}

/** What that opens; undefined if a person has to put something right, or the store is away, which is printed. */
export async function unlessForPeople<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open()
  } catch (cause) {
    // It went away while it was opened.
    if (cause instanceof Unavailable) {
      return complain([`The store does not answer: ${cause.message}`], storeAway)
    }
    const isForPeople = forPeople.some((kind) => cause instanceof kind)
    if (!isForPeople || !(cause instanceof Error)) throw cause
    const isAway = cause instanceof StoreUnusable && cause.isAway
    return complain([cause.message], isAway ? storeAway : badConfiguration)
  }
}

/** Prints one line for each fault. */
function complain(faults: readonly string[], code: number): undefined {
  process.stderr.write(faults.map((fault) => `${fault}\n`).join(''))
  process.exitCode = code
}

/** Ends the process at a fault that nothing has caught. */
export function failOnFaults(log: Log): void {
  const fail = (message: string) => (cause: unknown) => {
    log.error(message, { cause })
    process.exit(failed)
  }
  process.on('unhandledRejection', fail('a promise was rejected and not handled'))
  process.on('uncaughtException', fail('an error was thrown and not caught'))
}

/** The line of the log, for who looks closely, that says that nothing is left to load. */
export const loaded = 'everything is loaded that requests need'

/** Loads soon what first requests would wait for, if that is wanted. */
export function warmUpSoon(abode: Abode, isWanted: boolean): void {
  setTimeout(
    () => (isWanted ? void warmUp(abode) : releaseYoungGeneration()),
    warmUpAfterMs,
  ).unref()
}

async function warmUp(abode: Abode): Promise<void> {
  try {
    await abode.warmUp()
    flushCompileCache()
    abode.ports.log.debug(loaded)
  } catch (cause) {
    // Callers that need the missing part get an error; the rest works.
    abode.ports.log.error('a part of the service could not be loaded', { cause })
  } finally {
    releaseYoungGeneration()
  }
}
