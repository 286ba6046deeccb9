/** The members of an expected object; none if it is not one, so that faults elsewhere still show. */
export function members(value: unknown): Record<string, unknown> {
  // Any object in JSON maps names to values.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** The items of an expected list; none if it is not one. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The first items of an expected list; that there are more is a fault of its own. */
export function firstItems(value: unknown, most: number): unknown[] {
  return items(value).slice(0, most)
}

/** An expected text, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
