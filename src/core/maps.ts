/** Whether it is a JSON object, not a list. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The value at a dotted path of a JSON value; undefined if there is none. Steps may be list positions. A
 * member whose own name contains a dot takes precedence over a path.
 */
export function memberAt(value: unknown, path: string): unknown {
  if (isMap(value) && Object.hasOwn(value, path)) return value[path]
  let found = value
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    // An object or a list that has this member itself.
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
