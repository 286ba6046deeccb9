import type { MongoClient } from 'mongodb'
import type { CollectionName } from '#src/ports/documents.ts'
import { Unavailable } from '#src/ports/store.ts'
import { isMongoError, mongoStoreError } from './errors.ts'

/** No caller waits longer than this, whatever the driver still tries. */
export const patienceMs = 5_000

interface Purpose {
  /** Whose unique index a duplicate is about. */
  collection?: CollectionName
  /** Whether a write may have reached the server by now; false for reads. */
  wrote(): boolean
}

export const reading: Purpose = { wrote: () => false }

/** What every call of the driver passes: a limit in time, the port's errors, and the end. */
export class Gate {
  #active = 0
  #closed = false
  #idle: (() => void) | undefined
  /** How often a server that takes writes has come into sight, and whether one is. */
  #sightings = 0
  #inSight = false

  constructor(client: MongoClient) {
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
      return await within(work(), purpose)
    } catch (error) {
      // Where no server was in sight from first to last, nothing can have been sent.
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

  /** Lets nothing more pass, and resolves once what is under way has ended. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#active === 0) return
    await new Promise<void>((resolve) => {
      this.#idle = resolve
    })
  }
}

function within<T>(work: Promise<T>, purpose: Purpose): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const outcomeUnknown = purpose.wrote()
      reject(new Unavailable('MongoDB did not answer in time', { outcomeUnknown }))
    }, patienceMs)
    work.finally(() => clearTimeout(late)).then(resolve, reject)
  })
}
