import { openExtractor } from '#adapters/extractor/extractor.ts'
import type { Extract, ExtractFailure, Extractor, Material } from '#src/ports/extractor.ts'

/** What a test says of a material besides its bytes. */
export type Hints = Partial<Omit<Material, 'bytes'>>

export interface Reading extends Extractor {
  /** What is read out of it. */
  read(content: string | Uint8Array, hints?: Hints): Promise<Extract>
  /** Its chunks as one text. */
  text(content: string | Uint8Array, hints?: Hints): Promise<string>
  /** The fault for which nothing is read. */
  fault(content: string | Uint8Array, hints?: Hints): Promise<string>
}

/** The extractor as the server has it, for materials of a test. */
export function openReading(): Reading {
  const extractor = openExtractor()
  const read: Reading['read'] = (content, hints = {}) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const unsaid = { mediaType: null, filename: null, url: 'https://garden.example/notes/a' }
    return extractor.extract({ ...unsaid, as: 'file', ...hints, bytes })
  }
  return {
    extract: (material) => extractor.extract(material),
    close: () => extractor.close(),
    read,
    async text(content, hints) {
      const { chunks } = await read(content, hints)
      return chunks.map(({ text }) => text).join('\n\n')
    },
    async fault(content, hints) {
      const outcome = await read(content, hints).catch((cause: ExtractFailure) => cause)
      if (!('fault' in outcome)) throw new Error('it was read')
      return outcome.fault
    },
  }
}
