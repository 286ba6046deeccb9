import type { Chunk } from '#src/ports/extractor.ts'
import { chunksOf } from './chunks.ts'
import { wished } from './cuts.ts'

/** Packs consecutive records into chunks: rows of a table, or lines that are documents. */
export class RecordPacker {
  readonly #header: string
  readonly #gap: string
  readonly #take: (chunk: Chunk) => void
  #text = ''
  #place: string | null = null

  /**
   * @param header the beginning of every chunk; empty for none
   * @param gap the separator between two records
   */
  constructor(take: (chunk: Chunk) => void, options: { header?: string; gap?: string } = {}) {
    this.#take = take
    this.#header = options.header ? `${options.header}\n` : ''
    this.#gap = options.gap ?? '\n\n'
  }

  add(text: string, place: string): void {
    if (text.trim() === '') return
    const size = this.#text.length + this.#gap.length + text.length
    if (this.#text !== '' && this.#header.length + size > wished) this.end()
    if (this.#header.length + text.length > wished) {
      for (const chunk of chunksOf({ text, markup: 'plain', place })) this.#take(chunk)
      return
    }
    this.#text += (this.#text === '' ? '' : this.#gap) + text
    this.#place ??= place
  }

  /** Emits what is left. */
  end(): void {
    if (this.#text === '') return
    this.#take({ text: this.#header + this.#text, heading: null, place: this.#place })
    this.#text = ''
    this.#place = null
  }
}
