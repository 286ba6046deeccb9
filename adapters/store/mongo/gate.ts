import type { MongoClient } from 'mongodb'
import type { CollectionName } from '#src/ports/documents.ts'
import { Unavailable } from '#src/ports/store.ts'
import { isMongoError, mongoStoreError } from './errors.ts'

export interface Purpose {
  /** The collection whose unique index a duplicate violates. */
  collection?: CollectionName
  /** Whether a write may have reached the server by now; false for reads. */
  wrote(): boolean
}

export const reading: Purpose = { wrote: () => false }

/**
 * Every call of the driver goes through it: it adds a time limit, the port's errors, and the end of the
 * store.
 */
export class Gate {
  readonly patienceMs: number
  #active = 0
  #closed = false
  #idle: (() => void) | undefined
  /** How often a writable server has appeared, and whether one is visible now. */
  #sightings = 0
  #inSight = false

  /** @param patienceMs no caller waits longer, even if the driver is still retrying */
  constructor(client: MongoClient, patienceMs: number) {
    this.patienceMs = patienceMs
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      const inSight = [...newDescription.servers.values()].some((server) => server.isWritable)
      if (inSight && !this.#inSight) this.#sightings += 1
      this.#inSight = inSight
    })
  }

  /** @throws DuplicateKey, Unavailable */
  async pass<T>(work: () => Promise<T>, purpose: Purpose): Promise<T> {
    if (this.#closed) throw new Unavailable('the store is closed')
    const sightings = this.#inSight ? -1 : this.#sightings
    this.#active += 1
    try {
      return await within(work(), purpose, this.patienceMs)
    } catch (error) {
      // If no server was visible from beginning to end, nothing can have been sent.
      const unseen =
        isMongoError(error) &&
        error.name === 'MongoServerSelectionError' &&
        sightings === this.#sightings
      throw mongoStoreError(error, purpose.collection, !unseen && purpose.wrote())
    } finally {
      this.#active -= 1
      if (this.#active === 0) this.#idle?.()
    }
  }

  /** Lets no more calls through, and resolves once those under way have ended. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#active === 0) return
    await new Promise<void>((resolve) => {
      this.#idle = resolve
    })
  }
}

function within<T>(work: Promise<T>, purpose: Purpose, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const outcomeUnknown = purpose.wrote()
      reject(new Unavailable('MongoDB did not answer in time', { outcomeUnknown, isAway: true }))
    }, patienceMs)
    work.finally(() => clearTimeout(late)).then(resolve, reject)
  })
}
