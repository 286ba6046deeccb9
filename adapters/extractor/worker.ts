import { parentPort } from 'node:worker_threads'
import { ExtractFailure, type Extract, type Material } from '#src/ports/extractor.ts'
import { boundArrays } from './bound-arrays.ts'
import { giveWay } from './give-way.ts'
import { tooCostly } from './limits.ts'
import { charactersOfPart, type Part, type Reply, type Request } from './message.ts'
import { read } from './read.ts'

/** No reader has a reason to fetch anything. */
globalThis.fetch = () => Promise.reject(new Error('nothing is fetched here'))

// A library may leave a failing promise unhandled; the awaited one fails by itself.
process.on('unhandledRejection', () => undefined)

function* partsOf({ chunks, links }: Extract): Generator<Part> {
  let part: Part = { chunks: [], links: [] }
  let size = 0
  for (const chunk of chunks) {
    part.chunks.push(chunk)
    size += chunk.text.length + (chunk.heading?.length ?? 0) + 50
    if (size >= charactersOfPart) {
      yield part
      part = { chunks: [], links: [] }
      size = 0
    }
  }
  for (const link of links) {
    part.links.push(link)
    size += link.length + 50
    if (size >= charactersOfPart) {
      yield part
      part = { chunks: [], links: [] }
      size = 0
    }
  }
  yield part
}

async function* repliesTo(material: Material): AsyncGenerator<Reply> {
  const extract = await read(material)
  const { chunks: _chunks, links: _links, ...about } = extract
  let waiting: Part | undefined
  for (const part of partsOf(extract)) {
    if (waiting) yield { part: waiting, about: null }
    waiting = part
  }
  yield { part: waiting ?? { chunks: [], links: [] }, about }
}

/** The error, in the terms of the port. */
function faultOf(cause: unknown): Reply {
  if (cause instanceof ExtractFailure) return { fault: cause.fault, message: cause.message }
  // Nested deeper than a library can follow, or larger than an array can be.
  if (cause instanceof RangeError) return faultOf(tooCostly())
  return { fault: 'broken', message: 'It cannot be read.' }
}

if (parentPort) {
  const wantedTooMuch = boundArrays()
  giveWay()
  const port = parentPort
  let replies: AsyncGenerator<Reply> | undefined
  const answer = async (): Promise<void> => {
    try {
      const next = await replies?.next()
      if (next && !next.done) port.postMessage(next.value)
    } catch (cause) {
      port.postMessage(faultOf(wantedTooMuch() ? tooCostly() : cause))
    }
  }
  // Only the extractor writes to this port.
  port.on('message', (request: Request) => {
    if (request !== 'more') {
      wantedTooMuch()
      replies = repliesTo(request.material)
    }
    void answer()
  })
}
