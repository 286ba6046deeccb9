import type { Chunk, Extract, ExtractFault, Material } from '#src/ports/extractor.ts'

/** A request to the thread: a material to read, or that there is room for more of its result. */
export type Request = { material: Material } | 'more'

/** The thread's answer: a part of the result with a marker of the last one, or why reading failed. */
export type Reply = { part: Part; about: About | null } | { fault: ExtractFault; message: string }

/** A request to the process: a material without its bytes, which follow in pieces; or that there is room. */
export type ProcessRequest =
  | { begin: Omit<Material, 'bytes'>; size: number }
  | { bytes: Uint8Array }
  | 'more'

/** The answer of the process; with its last one it says whether it holds memory that it should not keep. */
export type ProcessReply = Reply & { isFull?: boolean }

/** What describes the material as a whole, in addition to its parts. */
export type About = Omit<Extract, 'chunks' | 'links'>

/** As much as the event loop can take in one step. */
export interface Part {
  chunks: Chunk[]
  links: string[]
}

/** Characters of a part: handing it over copies it while the event loop stands still. */
export const charactersOfPart = 250_000
