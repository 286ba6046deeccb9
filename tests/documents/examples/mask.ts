import { sampleId, sampleToken } from './stock.ts'

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const minute = 60_000
const itemsAtMost = 2

/**
 * An answer as it is shown: what is different each time stands there in one form, and lists end after
 * two items. Times are cut to their minute, for each example begins at a full one.
 */
export function masked(
  answer: unknown,
  aliases: ReadonlyMap<string, string>,
  publicUrl: string,
): unknown {
  const ids = new Map(aliases)
  const { host, hostname } = new URL(publicUrl)
  const text = (said: string): string => {
    const alias = aliases.get(said)
    if (alias !== undefined) return alias
    if (isTime.test(said)) {
      return new Date(Math.floor(Date.parse(said) / minute) * minute).toISOString()
    }
    let shown = said.replaceAll(publicUrl, '{base_url}')
    for (const one of [host, hostname]) shown = shown.replaceAll(one, 'abode.example')
    for (const [actual, name] of aliases) {
      if (actual.length > 12) shown = shown.replaceAll(actual, name)
    }
    return shown
      .replaceAll(/\b([a-z]{3,4})_[0-9a-f]{32}\b/g, (id, prefix: string) => idOf(ids, id, prefix))
      .replaceAll(/\b([a-z]{2,3})_[0-9A-Za-z]{38}\b/g, `$1_${sampleToken}`)
      .replaceAll(/\bwhsec_[0-9A-Za-z+/]{43}=/g, `whsec_${Buffer.alloc(32).toString('base64')}`)
      .replaceAll(/\b(test_[a-z]+)_[0-9a-f]{44}\b/g, `$1_${sampleId}`)
      .replaceAll(/\b[0-9a-f]{64}\b/g, '5f'.repeat(32))
  }
  const value = (one: unknown, name = ''): unknown => {
    if (typeof one === 'string') return name === 'next_cursor' ? 'bmV4dA' : text(one)
    if (typeof one === 'number' && /(?:_ms|latency)$/.test(name)) return 12
    if (Array.isArray(one)) return one.slice(0, itemsAtMost).map((item) => value(item))
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(
      Object.entries(one).map(([member, inner]) => [text(member), value(inner, member)]),
    )
  }
  return value(answer)
}

/** Different ids stay different; the first of a kind is the one that examples name. */
function idOf(ids: Map<string, string>, id: string, prefix: string): string {
  if (id.endsWith(sampleId)) return id
  const known = ids.get(id)
  if (known !== undefined) return known
  const named = [...ids.values()].filter((one) => one.startsWith(`${prefix}_`)).length
  const nth = (0x63 + named).toString(16).padStart(2, '0')
  const shown = `${prefix}_${sampleId.slice(0, -2)}${nth}`
  ids.set(id, shown)
  return shown
}

/**
 * In what members two answers differ, and in what kind of value; what may be null is like everything,
 * for it may be there a moment later.
 */
export function differences(one: unknown, other: unknown, at = ''): string[] {
  if (one === null || other === null) return []
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length === 0 || other.length === 0) return []
    return differences(one[0], other[0], `${at}/0`)
  }
  if (typeof one !== 'object' || typeof other !== 'object') {
    return typeof one === typeof other ? [] : [at]
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => {
    const [a, b] = [member(one, name), member(other, name)]
    if (a === undefined || b === undefined) return [`${at}/${name}`]
    return differences(a, b, `${at}/${name}`)
  })
}

function member(of: object, name: string): unknown {
  return Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined
}
