/**
 * Whether the JSON of a value certainly has more characters than these. It looks no further than it must, so that a
 * value far too long is not written out to be measured.
 */
export function isLongerThan(value: unknown, characters: number): boolean {
  const open = [value]
  // Each value takes a character at least.
  for (let counted = open.length; open.length > 0;) {
    const next = open.pop()
    if (typeof next === 'string') counted += next.length
    else if (Array.isArray(next)) {
      counted += next.length
      if (counted <= characters) for (const item of next) open.push(item)
    } else if (typeof next === 'object' && next !== null) {
      for (const name in next) {
        counted += name.length + 1
        if (counted > characters) return true
        open.push(Reflect.get(next, name))
      }
    }
    if (counted > characters) return true
  }
  return false
}
