const charactersAtMost = 4096
/** A scheme, or a parameter with its value. */
const part = /[\s,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/gy

/** The parameters of the challenges in a header `WWW-Authenticate`, by their names; the first of each name. */
export function challengeOf(header: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, token] of (header ?? '')
    .slice(0, charactersAtMost)
    .matchAll(part)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token
    const key = name.toLowerCase()
    if (value !== undefined && !found.has(key)) found.set(key, value)
  }
  return found
}
