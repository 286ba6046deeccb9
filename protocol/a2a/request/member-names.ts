const snakeCase = /^[a-z]+(?:_[a-z]+)+$/
/** Below these, members are the sender's own. */
const free: ReadonlySet<string> = new Set(['metadata', 'data'])

/**
 * The params of a method with the names of the protocol's JSON: writers may also use those of its Protobuf, such as
 * `message_id`. Where both are there, the JSON's is meant.
 * Source: ProtoJSON, "Field names as JSON keys".
 */
export function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(inCamelCase)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const renamed: [string, unknown][] = []
  const kept: [string, unknown][] = []
  let isChanged = false
  for (const [name, inner] of Object.entries(value)) {
    const known = free.has(name) ? inner : inCamelCase(inner)
    if (snakeCase.test(name)) renamed.push([camel(name), known])
    else kept.push([name, known])
    if (known !== inner) isChanged = true
  }
  if (!isChanged && renamed.length === 0) return value
  return Object.fromEntries([...renamed, ...kept])
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
