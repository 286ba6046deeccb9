import { ExtractFailure, type Extract } from '#src/ports/extractor.ts'
import { tooCostly } from './limits.ts'
import { charactersOfPart, type Part, type Reply } from './message.ts'

/** What each chunk and link takes besides its text. */
const charactersAround = 50

/** What was read, in parts, the last of which is marked by what describes the whole. */
export function* repliesOf(extract: Extract): Generator<Reply> {
  const { chunks: _chunks, links: _links, ...about } = extract
  let waiting: Part | undefined
  for (const part of partsOf(extract)) {
    if (waiting) yield { part: waiting, about: null }
    waiting = part
  }
  yield { part: waiting ?? { chunks: [], links: [] }, about }
}

function* partsOf({ chunks, links }: Extract): Generator<Part> {
  let part: Part = { chunks: [], links: [] }
  let size = 0
  for (const chunk of chunks) {
    part.chunks.push(chunk)
    size += chunk.text.length + (chunk.heading?.length ?? 0) + charactersAround
    if (size >= charactersOfPart) {
      yield part
      part = { chunks: [], links: [] }
      size = 0
    }
  }
  for (const link of links) {
    part.links.push(link)
    size += link.length + charactersAround
    if (size >= charactersOfPart) {
      yield part
      part = { chunks: [], links: [] }
      size = 0
    }
  }
  yield part
}

/** The error, in the terms of the port. */
export function faultOf(cause: unknown): Reply {
  if (cause instanceof ExtractFailure) return { fault: cause.fault, message: cause.message }
  // Nested deeper than a library can follow, or larger than an array can be.
  if (cause instanceof RangeError) return faultOf(tooCostly())
  return { fault: 'broken', message: 'It cannot be read.' }
}
