/** The limit of a preference header: browsers and libraries send less than a tenth of it. */
const charactersAtMost = 2048
const itemsAtMost = 64

/**
 * A caller's preference header. Parsers of such headers take time quadratic in the number of items, so
 * a header that is longer than anyone needs is ignored.
 * @returns undefined if the header is absent or too long
 */
export function preferenceOf(header: string | undefined): string | undefined {
  if (header === undefined || header.length > charactersAtMost) return undefined
  let items = 1
  for (const character of header) {
    if (character === ',' || character === ';') items += 1
    if (items > itemsAtMost) return undefined
  }
  return header
}
