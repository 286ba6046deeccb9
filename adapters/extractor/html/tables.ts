/** The rows of a table as a table in Markdown; as paragraphs where it has one column. */
export function tabled(rows: readonly (readonly string[])[]): string[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns <= 1) return filled.map(([cell]) => cell ?? '')
  const [head, ...others] = filled
  if (!head) return []
  // Rows are not filled up to the longest: one long row would make a large table of a small one.
  const rule = `|${' --- |'.repeat(Math.max(1, head.length))}`
  return [[rowOf(head), rule, ...others.map(rowOf)].join('\n')]
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
