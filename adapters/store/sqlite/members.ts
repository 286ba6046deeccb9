import type { CollectionDefinition } from '#src/ports/documents.ts'

/** The value in a member's column: its text or number, or a boolean as 1 or 0. */
export type MemberValue = string | number | null

/** The name of a member's own column, in quotes. */
export function memberColumn(member: string): string {
  return `"m_${member}"`
}

/** The names of all of them, each after a comma. */
export function memberColumns({ columns = [] }: CollectionDefinition, ending = ''): string {
  return columns.map((member) => `, ${memberColumn(member)}${ending}`).join('')
}

/** Their values in a document, in the order of the definition. */
export function memberValues(
  { columns = [] }: CollectionDefinition,
  ...parts: readonly object[]
): MemberValue[] {
  return columns.map((member) => {
    const part = parts.find((one) => Object.hasOwn(one, member))
    return part ? scalarOf(Reflect.get(part, member)) : null
  })
}

/** The value as SQLite reads it from JSON. */
function scalarOf(value: unknown): MemberValue {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
