/** The app whose agents have ids of this form; undefined where the id is nobody's but its own. */
export function reservedFor(charId: string): string | undefined {
  const at = charId.indexOf('--')
  return at > 0 ? charId.slice(0, at) : undefined
}
