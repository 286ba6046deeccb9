/** How many members and items a value has, counted until there are more than so many. */
export function partsOf(value: unknown, most: number): number {
  let count = 0
  const open = [value]
  for (let next = open.pop(); count <= most; next = open.pop()) {
    count += 1
    if (typeof next === 'object' && next !== null) {
      for (const one of Object.values(next)) open.push(one)
    }
    if (open.length === 0) break
  }
  return count
}
