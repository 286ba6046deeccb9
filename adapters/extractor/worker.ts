import { parentPort } from 'node:worker_threads'
import { ExtractFailure, type Extract, type Material } from '#src/ports/extractor.ts'
import { giveWay } from './give-way.ts'
import { charactersOfPart, type Part, type Reply, type Request } from './message.ts'
import { read } from './read.ts'

/** Nothing that is read has a reason to ask anybody for anything. */
globalThis.fetch = () => Promise.reject(new Error('nothing is fetched here'))

// A library may leave a promise to itself that fails; what is waited for fails by its own.
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

/** What could not be read, in the words of the port. */
function faultOf(cause: unknown): Reply {
  if (cause instanceof ExtractFailure) return { fault: cause.fault, message: cause.message }
  // What is nested deeper than a library can follow, and what would need an array larger than there are.
  if (cause instanceof RangeError) {
    return { fault: 'too_costly', message: 'It takes too much memory to be read.' }
  }
  return { fault: 'broken', message: 'It cannot be read.' }
}

if (parentPort) {
  giveWay()
  const port = parentPort
  let replies: AsyncGenerator<Reply> | undefined
  const answer = async (): Promise<void> => {
    try {
      const next = await replies?.next()
      if (next && !next.done) port.postMessage(next.value)
    } catch (cause) {
      port.postMessage(faultOf(cause))
    }
  }
  // The extractor alone writes to this port.
  port.on('message', (request: Request) => {
    if (request !== 'more') replies = repliesTo(request.material)
    void answer()
  })
}
