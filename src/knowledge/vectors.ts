import { unpacked, type Vectors } from '#src/core/text/vectors.ts'

/** Vectors of consecutive chunks, under `edition/position of the first`. */
export interface StoredVectors {
  id: string
  shelf: string
  /** `provider/model`: vectors of another one cannot be compared. */
  model: string
  /** Position of the first chunk. */
  first: number
  /** Numbers in each vector. */
  length: number
  /** As `dataOf` gives it. */
  data: string
}

/** Vectors stored in one document. */
export const vectorsADocument = 64

/** Vectors of chunks, in the form in which they are compared. */
export interface Rows extends Vectors {
  edition: string
  first: number
}

/** Stored vectors, ready to be compared; undefined if they are malformed. */
export function rowsOf({ id, first, length, data }: StoredVectors): Rows | undefined {
  const vectors = unpacked(data, length)
  return vectors && { edition: id.slice(0, id.lastIndexOf('/')), first, ...vectors }
}
