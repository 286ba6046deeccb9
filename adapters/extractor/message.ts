import type { Chunk, Extract, ExtractFault, Material } from '#src/ports/extractor.ts'

/** What the thread is told: a material to read, or that there is room for more of what it read. */
export type Request = { material: Material } | 'more'

/** What it answers: a part of what was read and whether it is the last, or why nothing was. */
export type Reply = { part: Part; about: About | null } | { fault: ExtractFault; message: string }

/** What there is to say of it beside its parts. */
export type About = Omit<Extract, 'chunks' | 'links'>

/** As much as the event loop takes up in a moment. */
export interface Part {
  chunks: Chunk[]
  links: string[]
}

/** Characters of a part; what two threads hand over is copied while the event loop stands still. */
export const charactersOfPart = 250_000
