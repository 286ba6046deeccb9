/** What a header of preferences may have: no browser and no library says a tenth of it. */
const charactersAtMost = 2048
const itemsAtMost = 64

/**
 * What a caller says that it likes best. Parsers of such headers take steps by the square of their
 * items, so of one that is longer than anybody needs nothing is looked at.
 * @returns undefined where nothing is said, or too much
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
