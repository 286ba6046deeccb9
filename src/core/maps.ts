/** Whether it is a JSON object, and no list. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What stands at a dotted path of a JSON value; undefined where nothing does. Steps may be positions
 * of lists, and a member whose own name holds a dot comes before a path.
 */
export function memberAt(value: unknown, path: string): unknown {
  if (isMap(value) && Object.hasOwn(value, path)) return value[path]
  let found = value
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    // An object or a list, which has this member of its own.
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
