import { parentPort } from 'node:worker_threads'
import { ForbiddenName, piecesOf, type Piece } from './pieces.ts'

/** What the thread is asked: to read a document, or for the next piece of the one that it has read. */
export type Asked = { blocks: readonly Uint8Array[] } | 'next'

/** What it gives: a piece and whether it was the last one, or what is wrong with the document. */
export type Given =
  | { piece: Piece; isLast: boolean }
  | { fault: 'utf8' | 'name' }
  | { syntax: string }

let pieces: Iterator<Piece> | undefined
/** One piece ahead, so that the last one is known as such. */
let ahead: Piece | undefined

function read(blocks: readonly Uint8Array[]): void {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const text = blocks.map((block) => decoder.decode(block, { stream: true })).join('')
  pieces = piecesOf(JSON.parse(text + decoder.decode()))
  ahead = pieces.next().value
}

function next(): Given {
  if (!ahead) throw new Error('there is no further piece')
  const piece = ahead
  ahead = pieces?.next().value
  return { piece, isLast: ahead === undefined }
}

function answer(asked: Asked): Given {
  try {
    if (asked !== 'next') read(asked.blocks)
    return next()
  } catch (cause) {
    if (cause instanceof ForbiddenName) return { fault: 'name' }
    if (cause instanceof SyntaxError) return { syntax: cause.message }
    if (cause instanceof TypeError) return { fault: 'utf8' }
    throw cause
  }
}

parentPort?.on('message', (asked: Asked) => parentPort?.postMessage(answer(asked)))
