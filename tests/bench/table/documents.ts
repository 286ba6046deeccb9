import { resultsOf, type History, type Release } from './history.ts'
import { plotOf } from './plot.ts'
import { markdownOf, shown, summaryOf, type Report } from './report.ts'
import { fullSizes } from './sizes.ts'
import { rows, targetOf, type Row } from './targets.ts'

/** The pages that show figures, each with what makes it out of itself and the history. */
export const pages = {
  'docs/performance.svg': (_: string, history: History) => plotOf(history, fullSizes),
  'docs/performance.md': (page: string, history: History) =>
    filled(page, `\n${tableOfLatest(history)}\n`),
  'README.md': (page: string, history: History) => filled(page, linesOfLatest(history)),
} as const

const begin = '<!-- figures: npm run bench -- --record LABEL -->\n'
const end = '<!-- end of figures -->'

/** The page with this between its two marks. @throws Error when it has no marks */
export function filled(page: string, figures: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error('the page has no place for figures')
  return `${page.slice(0, from + begin.length)}${figures}\n${page.slice(to)}`
}

function latestOf({ releases }: History): Release {
  const latest = releases.at(-1)
  if (!latest) throw new Error('nothing was recorded')
  return latest
}

function reportOf(release: Release): Report {
  const results = resultsOf(release)
  return { rows: rows.filter((row) => results.has(row)), results, sizes: fullSizes }
}

function tableOfLatest(history: History): string {
  const latest = latestOf(history)
  const report = reportOf(latest)
  return `${latest.label}: ${latest.about}. ${summaryOf(report)}.\n\n${markdownOf(report)}\n`
}

/** Three lines for the README: what most callers do. */
function linesOfLatest(history: History): string {
  const latest = latestOf(history)
  const value = (row: Row): string => {
    const result = latest.results[row]
    return result ? shown(result.value, targetOf(row).unit) : 'not measured'
  }
  const [met = ''] = summaryOf(reportOf(latest)).split(';')
  return [
    `A read of an agent costs ${value('read')} the CPU of a bare Koa and node:sqlite doing the same, a synced create`,
    `${value('create')}, a template run with its result ${value('runAwaited')} that create, an MCP call ${value('mcpCall')} our REST`,
    `read: ${met}. [docs/performance.md](docs/performance.md) has every row, and how to read it.`,
  ].join('\n')
}
