import { parentPort } from 'node:worker_threads'
import { ForbiddenName, piecesOf, type Piece } from './pieces.ts'

/** A request to the thread: to parse a document, or for the next piece of the one parsed. */
export type Asked = { blocks: readonly Uint8Array[] } | 'next'

/** The thread's answer: a piece with a marker of the last one, or what is wrong with the document. */
export type Given =
  | { piece: Piece; isLast: boolean }
  | { fault: 'utf8' | 'name' }
  | { syntax: string }

let pieces: Iterator<Piece> | undefined
/** Read one piece ahead, so that the last one is recognised. */
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
