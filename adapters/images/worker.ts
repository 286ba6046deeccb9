import { parentPort } from 'node:worker_threads'
import { ImageFailure, type ImageFault, type Picture } from '#src/ports/images.ts'
import type { Pieces } from '#src/ports/pieces.ts'
import { made } from './draw.ts'

/** The thread's answer to the bytes of a picture. */
export type Reply =
  | { picture: Picture }
  | { fault: ImageFault; message: string }
  | { error: string }

async function replyTo(pieces: Pieces): Promise<Reply> {
  try {
    return { picture: await made(Buffer.concat(pieces)) }
  } catch (cause) {
    if (cause instanceof ImageFailure) return { fault: cause.fault, message: cause.message }
    return { error: cause instanceof Error ? String(cause.stack) : String(cause) }
  }
}

if (parentPort) {
  const port = parentPort
  // Only the code that started the thread writes to this port.
  port.on('message', (pieces: Pieces) => {
    void replyTo(pieces).then((reply) => port.postMessage(reply))
  })
}
