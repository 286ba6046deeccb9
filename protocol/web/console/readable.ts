import { isMap } from '#src/core/maps.ts'

/** What is nested deeper is one line. */
const depthAtMost = 8

/**
 * A value as lines that people can compare: a text as it is, members and items each on lines of their own; members
 * without a value are left out.
 */
export function readable(value: unknown): string {
  return isEmpty(value) ? '' : linesOf(value, 0).join('\n')
}

function linesOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value.split('\n')
  if (isEmpty(value) || depth >= depthAtMost) return [JSON.stringify(value ?? null)]
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const [first = '', ...rest] = linesOf(item, depth + 1)
      return [`- ${first}`, ...indented(rest)]
    })
  }
  if (isMap(value)) {
    return Object.entries(value).flatMap(([name, member]) => {
      if (isEmpty(member)) return []
      const lines = linesOf(member, depth + 1)
      return lines.length === 1 && typeof member !== 'object'
        ? [`${name}: ${lines[0]}`]
        : [`${name}:`, ...indented(lines)]
    })
  }
  return [JSON.stringify(value)]
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === undefined || value === ''
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
