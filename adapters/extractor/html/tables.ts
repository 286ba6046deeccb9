/** The rows of a table as a Markdown table; as paragraphs if it has one column. */
export function tabled(rows: readonly (readonly string[])[]): string[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns <= 1) return filled.map(([cell]) => cell ?? '')
  const [head, ...others] = filled
  if (!head) return []
  // Rows are not padded to the longest: one long row would make a small table large.
  const rule = `|${' --- |'.repeat(Math.max(1, head.length))}`
  return [[rowOf(head), rule, ...others.map(rowOf)].join('\n')]
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
