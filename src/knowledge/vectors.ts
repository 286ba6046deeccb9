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
  /** Base64 of one byte per number, vector by vector, each scaled so that its largest is 127. */
  data: string
}

/** Vectors stored in one document. */
export const vectorsADocument = 64

const largest = 127

/** A vector as bytes: only its direction counts. */
export function packed(vector: Float32Array): Int8Array {
  let most = 0
  for (const number of vector) most = Math.max(most, Math.abs(number))
  const bytes = new Int8Array(vector.length)
  if (most === 0 || !Number.isFinite(most)) return bytes
  for (const [i, number] of vector.entries()) bytes[i] = Math.round((number / most) * largest)
  return bytes
}

/** The stored form of packed vectors. */
export function dataOf(vectors: readonly Int8Array[]): string {
  return Buffer.concat(vectors.map((one) => new Uint8Array(one.buffer))).toString('base64')
}

/** Vectors in the form in which they are compared. */
export interface Rows {
  edition: string
  first: number
  length: number
  numbers: Int8Array
  /** The norm of each vector. */
  norms: Float32Array
}

/** Stored vectors, ready to be compared; undefined if they are malformed. */
export function rowsOf({ id, first, length, data }: StoredVectors): Rows | undefined {
  const bytes = Buffer.from(data, 'base64')
  if (length < 1 || bytes.length % length !== 0) return undefined
  const numbers = new Int8Array(bytes)
  const norms = new Float32Array(numbers.length / length)
  for (let row = 0; row < norms.length; row++) {
    norms[row] = Math.sqrt(product(numbers, row * length, numbers, row * length, length))
  }
  return { edition: id.slice(0, id.lastIndexOf('/')), first, length, numbers, norms }
}

/** How near each vector is to this one: 1 for the same direction. None if the lengths differ. */
export function nearness(rows: Rows, to: Int8Array): Float32Array {
  const { numbers, norms, length } = rows
  if (length !== to.length) return new Float32Array()
  const norm = Math.sqrt(product(to, 0, to, 0, length))
  return norms.map((own, row) => {
    const both = own * norm
    return both === 0 ? 0 : product(numbers, row * length, to, 0, length) / both
  })
}

function product(a: Int8Array, from: number, b: Int8Array, at: number, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += (a[from + i] ?? 0) * (b[at + i] ?? 0)
  return sum
}
