/** So many rows, and so many bytes of them, are deleted in one turn of the event loop. */
const rowsAtOnce = 50
const bytesAtOnce = 1_048_576

/**
 * Cuts what is to be deleted into portions that hold up no request: a commit of each is short, and
 * others come in between. What is larger than that by itself is a portion alone.
 */
export function portionsOf<T extends { bytes: number }>(rows: readonly T[]): T[][] {
  const portions: T[][] = []
  let portion: T[] = []
  let bytes = 0
  for (const row of rows) {
    const isFull = portion.length === rowsAtOnce || bytes + row.bytes > bytesAtOnce
    if (isFull && portion.length > 0) {
      portions.push(portion)
      portion = []
      bytes = 0
    }
    portion.push(row)
    bytes += row.bytes
  }
  return portion.length > 0 ? [...portions, portion] : portions
}
