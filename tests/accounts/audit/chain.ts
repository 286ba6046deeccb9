import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

type Line = Record<string, unknown> & { seq: number; previous: string | null; hash: string }

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/**
 * What `docs/operating.md` says how to verify an export, oldest first.
 * @returns the number of the first record that does not fit; undefined if all do
 */
export function brokenAt(jsonLines: string): number | undefined {
  // An export of this server, or what a test has made of one.
  const lines = jsonLines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
  let before: Line | undefined
  for (const line of lines) {
    const { hash, ...rest } = line
    const isWhole =
      createHash('sha256')
        .update(JSON.stringify(sorted(rest)))
        .digest('hex') === hash
    const follows = !before || (line.seq === before.seq + 1 && line.previous === before.hash)
    const isFirst = line.seq === 1 ? line.previous === null : true
    if (!isWhole || !follows || !isFirst) return line.seq
    before = line
  }
  return undefined
}

/** Whether an export ends with what the server says is the newest record. */
export function endsWith(jsonLines: string, head: { seq: number; hash: string } | null): boolean {
  const last = jsonLines.split('\n').filter(Boolean).at(-1)
  if (last === undefined) return head === null
  const { seq, hash } = JSON.parse(last) as Line
  return isDeepStrictEqual({ seq, hash }, head)
}
