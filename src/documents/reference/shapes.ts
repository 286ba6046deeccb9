import { rowsOf, type Row } from './rows.ts'
import type { Schema } from './types.ts'

/** Names of the shapes in these rows and in those shapes, sorted. */
export function shapesOf(
  rows: readonly Row[],
  schemas: Readonly<Record<string, Schema>>,
): string[] {
  const found = new Set<string>()
  const visit = (seen: readonly Row[]): void => {
    for (const { type } of seen) {
      for (const part of type) {
        if (typeof part === 'string' || found.has(part.shape)) continue
        const schema = schemas[part.shape]
        if (!schema) continue
        found.add(part.shape)
        visit(rowsOf(schema, 'shape'))
      }
    }
  }
  visit(rows)
  return [...found].sort()
}
