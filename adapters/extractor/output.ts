import type { Chunk, Extract, Material } from '#src/ports/extractor.ts'
import { chunksOf, type Passage } from './chunks/chunks.ts'
import { charactersAtMost, chunksAtMost, tooManyChunks, tooMuchText } from './limits.ts'

/** What was read so far, within the limits. */
export class Output {
  readonly chunks: Chunk[] = []
  #characters = 0

  /** @throws ExtractFailure */
  readonly add = (chunk: Chunk): void => {
    this.#characters += chunk.text.length
    if (this.#characters > charactersAtMost) throw tooMuchText()
    if (this.chunks.push(chunk) > chunksAtMost) throw tooManyChunks()
  }

  /** Discards everything read so far. */
  clear(): void {
    this.chunks.length = 0
    this.#characters = 0
  }

  /** @throws ExtractFailure */
  addPassage(passage: Passage): void {
    for (const chunk of chunksOf(passage)) this.add(chunk)
  }
}

/** What a reader returns in addition to the chunks that it emits. */
export type Found = Pick<Extract, 'title' | 'mediaType'> &
  Partial<Pick<Extract, 'links' | 'linksTo'>>

/** Reads the text of a material, or its bytes. @throws ExtractFailure, and errors of libraries */
export type Reader<T> = (content: T, material: Material, output: Output) => Found | Promise<Found>
