import type { History } from './history.ts'
import { shown, titleOf } from './report.ts'
import type { Sizes } from './sizes.ts'
import { verdictOf } from './target.ts'
import { rows, targetOf, type Row } from './targets.ts'

const columns = 3
const panel = { width: 320, height: 84, gap: 14 } as const
/** Where the line of a panel is drawn, below its two lines of title. */
const area = { top: 34, height: 40, width: 190 } as const
const charactersALine = 52
const margin = 20
/** Above the highest value, so that a point is not cut. */
const headroom = 1.15
const edge = 5

const style = `
  text { font: 11px system-ui, sans-serif; fill: #57606a }
  .title { fill: #24292f }
  .value { font-weight: 600 }
  .axis { stroke: #d0d7de }
  .target { stroke: #8c959f; stroke-dasharray: 4 3 }
  .line { fill: none; stroke-width: 1.5 }
  .met { stroke: #1a7f37; fill: #1a7f37 } .missed { stroke: #9a6700; fill: #9a6700 }
  .ALARM { stroke: #cf222e; fill: #cf222e } .none { stroke: #0969da; fill: #0969da }
  text.value { stroke: none } polyline { fill: none !important }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #f0f6fc } .axis { stroke: #3d444d } .target { stroke: #656c76 }
    .met { stroke: #3fb950; fill: #3fb950 } .missed { stroke: #d29922; fill: #d29922 }
    .ALARM { stroke: #f85149; fill: #f85149 } .none { stroke: #4493f8; fill: #4493f8 }
  }`

/**
 * Every row that was ever measured, in a panel of its own: its figures over the releases, with a dashed
 * line at its target, and the latest figure with its verdict in words. Readable on light and on dark.
 */
export function plotOf(history: History, sizes: Sizes): string {
  const { releases } = history
  const drawn = rows.filter((row) => releases.some(({ results }) => results[row]))
  const lines = Math.ceil(drawn.length / columns)
  const width = columns * (panel.width + panel.gap) - panel.gap + 2 * margin
  const top = 2 * margin + 16
  const height = top + lines * (panel.height + panel.gap) + margin
  const names = releases.map(({ label }, at) => `${at + 1} ${label}`).join(' · ')
  const panels = drawn.map((row, at) => {
    const x = margin + (at % columns) * (panel.width + panel.gap)
    const y = top + Math.floor(at / columns) * (panel.height + panel.gap)
    return `<g transform="translate(${x} ${y})">${panelOf(row, history, sizes)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Every row of the bench over the releases</title><style>${style}</style>`,
    `<text x="${margin}" y="${margin}" class="title">Releases: ${escaped(names)}</text>`,
    `<text x="${margin}" y="${margin + 16}">Each panel begins at 0; dashed: the target</text>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

function panelOf(row: Row, { releases }: History, sizes: Sizes): string {
  const own = targetOf(row)
  const { target, unit } = own
  const points = releases.flatMap(({ results }, at) => {
    const value = results[row]?.value
    return value === undefined ? [] : [{ at, value }]
  })
  const latest = points.at(-1)?.value ?? Number.NaN
  const verdict = verdictOf(own, latest)
  const most = Math.max(...points.map(({ value }) => value), target ?? 0, 0) * headroom || 1
  const xOf = (at: number): number =>
    releases.length < 2
      ? area.width / 2
      : edge + (at / (releases.length - 1)) * (area.width - 2 * edge)
  const yOf = (value: number): number => area.top + area.height * (1 - Math.max(0, value) / most)
  const places = points.map(({ at, value }) => [number(xOf(at)), number(yOf(value))] as const)
  const kind = verdict ?? 'none'
  const base = area.top + area.height
  const bound = target === undefined ? '' : `${own.least ? '≥' : '≤'} ${shown(target, unit)}`
  return [
    ...titleLines(titleOf(row, sizes)).map(
      (line, at) => `<text class="title" y="${12 + at * 14}">${escaped(line)}</text>`,
    ),
    `<line class="axis" x1="0" x2="${area.width}" y1="${base}" y2="${base}"/>`,
    target === undefined
      ? ''
      : `<line class="target" x1="0" x2="${area.width}" y1="${number(yOf(target))}" y2="${number(yOf(target))}"/>`,
    `<polyline class="line ${kind}" points="${places.map((place) => place.join(',')).join(' ')}"/>`,
    ...places.map(([x, y]) => `<circle class="${kind}" cx="${x}" cy="${y}" r="3"/>`),
    `<text class="value ${kind}" x="${area.width + 10}" y="${area.top + 14}">${shown(latest, unit)}</text>`,
    `<text x="${area.width + 10}" y="${area.top + 30}">${[bound, verdict].filter(Boolean).join(', ')}</text>`,
  ].join('')
}

/** A title on two lines at most, cut between words. */
function titleLines(title: string): string[] {
  if (title.length <= charactersALine) return [title]
  const cut = title.lastIndexOf(' ', charactersALine)
  return [title.slice(0, cut), title.slice(cut + 1)]
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
