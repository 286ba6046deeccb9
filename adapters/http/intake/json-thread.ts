import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Refusal } from '#src/core/errors.ts'
import { FairQueue } from '#src/core/turns/fair-queue.ts'
import { stopRefusal } from '#src/core/admission/faults.ts'
import type { Pieces } from '#src/ports/pieces.ts'
import { forbiddenMember } from '#src/core/input/walk.ts'
import type { Asked, Given } from './json-worker.ts'
import { Assembly } from './pieces.ts'
import { notUtf8 } from './refusals.ts'

/** How long parsing a document may take, and the memory of the thread. */
const usual = { patienceMs: 20_000, memoryMb: 384 }
/** Documents that wait for the thread: in total, and per sender. */
const waitingAtMost = { all: 32, each: 4 }

/** Parses large JSON documents in a thread, one after the other. */
export interface JsonThread {
  /**
   * @param blocks the bytes, which are transferred and cannot be used afterwards
   * @param sender whose documents take turns with those of others
   * @throws SyntaxError if it is not JSON; Refusal `bad_json`, `unavailable`
   */
  parse(blocks: Pieces, sender: string): Promise<unknown>
  close(): Promise<void>
}

/** Starts with the first large document; after it has died, the next document starts another. */
export function jsonThread(terms: Partial<typeof usual> = {}): JsonThread {
  const { patienceMs, memoryMb } = { ...usual, ...terms }
  const queue = new FairQueue(waitingAtMost)
  let worker: Worker | undefined
  let isClosed = false

  const started = (): Worker => {
    const made = new Worker(new URL('./json-worker.ts', import.meta.url), {
      // The process's options for its heap, loaders and debugger are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
      name: 'json',
    })
    made.once('exit', () => {
      if (worker === made) worker = undefined
    })
    // The pending request, if there is one, is told of it.
    made.on('error', () => undefined)
    return made
  }

  const read = async (blocks: Pieces): Promise<unknown> => {
    if (isClosed) throw stopRefusal({ retryAfterSeconds: 5 })
    const thread = (worker ??= started())
    thread.ref()
    const late = setTimeout(() => void thread.terminate(), patienceMs)
    try {
      // Several may be of one buffer, which can be transferred once.
      const transfer = new Set(blocks.map((block) => block.buffer))
      let given = await asked(thread, { blocks }, [...transfer])
      const assembly = new Assembly()
      while ('piece' in given) {
        assembly.add(given.piece)
        if (given.isLast) return assembly.document
        // Other events are handled before the next piece is.
        await setImmediate()
        given = await asked(thread, 'next')
      }
      if ('syntax' in given) throw new SyntaxError(given.syntax)
      throw given.fault === 'name' ? forbiddenMember() : new Refusal('bad_json', notUtf8)
    } finally {
      clearTimeout(late)
      thread.unref()
    }
  }

  return {
    async parse(blocks, sender) {
      const leave = await queue.take(sender)
      if (!leave) throw busy('Too many large bodies are being read at this moment.')
      try {
        return await read(blocks)
      } finally {
        leave()
      }
    },
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}

function asked(thread: Worker, question: Asked, transfer: ArrayBuffer[] = []): Promise<Given> {
  return new Promise((resolve, reject) => {
    const answered = (given: Given): void => {
      thread.off('exit', ended)
      resolve(given)
    }
    const ended = (): void => {
      thread.off('message', answered)
      reject(busy('The body takes too much time or memory to read.'))
    }
    thread.once('message', answered)
    thread.once('exit', ended)
    thread.postMessage(question, transfer)
  })
}

function busy(message: string): Refusal {
  return new Refusal('unavailable', message, { retryAfterSeconds: 5 })
}
