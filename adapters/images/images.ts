import { isMarkedAsUntransferable, Worker } from 'node:worker_threads'
import { FairQueue } from '#src/core/turns/fair-queue.ts'
import { Places } from '#src/core/turns/places.ts'
import { ImageFailure, type Images, type Picture } from '#src/ports/images.ts'
import type { Pieces } from '#src/ports/pieces.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { Reply } from './worker.ts'
import { tooSlow } from './too-slow.ts'

/** Longer than the time limit of libvips, which does not always check it. */
const endsAfterMs = 10_000

/**
 * Decodes pictures with libvips. Loading it would take the event loop some twenty milliseconds, so a
 * thread loads and uses it, from the first picture on. One picture at a time, so that one of two cores
 * stays free, and accounts take turns.
 */
export function openImages(): Images {
  return {
    made: (pieces, accountId = '') =>
      places.hold(accountId, async () => {
        const leave = await line.take(accountId)
        try {
          return await drawn(pieces)
        } finally {
          leave?.()
        }
      }),
  }
}

// One of each per process, like the library. Every holder of a place has one in the line.
const bounds = { each: 16, all: 64 }
const places = new Places({ ...bounds, of: 'pictures' })
const line = new FairQueue(bounds)
let thread: Worker | undefined

/** @throws ImageFailure, Unavailable when the thread has died over it */
async function drawn(pieces: Pieces): Promise<Picture> {
  const worker = (thread ??= started())
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const died = (): void => reject(new Unavailable('the thread that reads pictures has ended'))
  const timer = setTimeout(() => {
    reject(tooSlow())
    // The next picture starts another.
    if (thread === worker) thread = undefined
    void worker.terminate()
  }, endsAfterMs)
  worker.once('message', resolve).once('exit', died)
  worker.ref()
  try {
    worker.postMessage(pieces, buffersOf(pieces))
    const reply = await promise
    if ('picture' in reply) return reply.picture
    if ('error' in reply) throw new Error(reply.error)
    throw new ImageFailure(reply.fault, reply.message)
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('exit', died).unref()
  }
}

/** What the thread takes over, each buffer once; it gets a copy of those that Node shares between small ones. */
function buffersOf(pieces: Pieces): ArrayBuffer[] {
  const buffers = new Set(pieces.map(({ buffer }) => buffer))
  return [...buffers].filter((buffer) => !isMarkedAsUntransferable(buffer))
}

function started(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    // The environment and options of the process are not for code that reads untrusted input.
    execArgv: [],
    env: {},
    name: 'images',
  })
  // An error ends the thread: the next picture starts another.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    if (thread === worker) thread = undefined
  })
  return worker
}
