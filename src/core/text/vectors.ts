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

/** The stored form of packed vectors: base64 of one byte per number, vector by vector. */
export function dataOf(vectors: readonly Int8Array[]): string {
  return Buffer.concat(vectors.map((one) => new Uint8Array(one.buffer))).toString('base64')
}

/** Vectors of one length, in the form in which they are compared. */
export interface Vectors {
  /** Numbers in each vector. */
  length: number
  numbers: Int8Array
  /** The norm of each vector. */
  norms: Float32Array
}

/** Stored vectors, ready to be compared; undefined if they are malformed. */
export function unpacked(data: string, length: number): Vectors | undefined {
  const bytes = Buffer.from(data, 'base64')
  if (length < 1 || bytes.length % length !== 0) return undefined
  const numbers = new Int8Array(bytes)
  const norms = new Float32Array(numbers.length / length)
  for (let row = 0; row < norms.length; row++) {
    norms[row] = Math.sqrt(product(numbers, row * length, numbers, row * length, length))
  }
  return { length, numbers, norms }
}

/** How near each vector is to this one: 1 for the same direction. None if the lengths differ. */
export function nearness(vectors: Vectors, to: Int8Array): Float32Array {
  const { numbers, norms, length } = vectors
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

/** What is this much farther away than the nearest is left out: something is always nearest. */
const leastPart = 0.75

/** The ids of what is nearest, nearest first. */
export function nearestOf(found: { id: string; near: number }[], limit: number): string[] {
  found.sort((a, b) => b.near - a.near || (a.id < b.id ? -1 : 1))
  const least = (found[0]?.near ?? 0) * leastPart
  return found.slice(0, limit).flatMap(({ id, near }) => (near < least ? [] : [id]))
}

/** The larger, the less the first ranks count. */
const rankOffset = 60

/** The points of each id in several rankings: for what is far ahead in one, and for what is in more of them. */
export function fusedPoints(rankings: readonly (readonly string[])[]): Map<string, number> {
  const points = new Map<string, number>()
  for (const ids of rankings) {
    for (const [rank, id] of ids.entries()) {
      points.set(id, (points.get(id) ?? 0) + 1 / (rankOffset + rank + 1))
    }
  }
  return points
}
