/** At most so many rows, and so many bytes, are deleted in one turn of the event loop. */
const rowsAtOnce = 50
const bytesAtOnce = 1_048_576

/**
 * Cuts the rows to delete into portions that hold up no request: the commit of each is short, and other
 * work runs in between. A row that is larger than a portion is a portion alone.
 * @param sizeOf what a row takes, if not only its bytes
 */
export function portionsOf<T extends { bytes: number }>(
  rows: readonly T[],
  sizeOf: (row: T) => number = (row) => row.bytes,
): T[][] {
  const portions: T[][] = []
  let portion: T[] = []
  let bytes = 0
  for (const row of rows) {
    const size = sizeOf(row)
    const isFull = portion.length === rowsAtOnce || bytes + size > bytesAtOnce
    if (isFull && portion.length > 0) {
      portions.push(portion)
      portion = []
      bytes = 0
    }
    portion.push(row)
    bytes += size
  }
  return portion.length > 0 ? [...portions, portion] : portions
}
