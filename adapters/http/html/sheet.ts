import { createHash } from 'node:crypto'
import type { Look } from '#src/core/html/view.ts'
import { documentPage, variedPage, type Page } from '../page.ts'
import { style } from './style.ts'
import { readingStyle } from './text-style.ts'

/** The style of pages, at an address of its own: a browser asks for it once, not with each page. */
export interface Sheet {
  path: string
  /** Names this very text, so that a browser that has kept an older one asks again. */
  version: string
  style: string
}

const css = 'text/css; charset=utf-8'
const aYear = 31_536_000

function sheetOf(name: string, text: string): Sheet {
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { path: `/assets/${name}.css`, version, style: text }
}

/** Of pages without a look of their own. */
export const plainSheet = sheetOf('plain', style)
/** Of guides and the reference. */
export const readingSheet = sheetOf('reading', style + readingStyle)
/** A few looks are shared by many pages. */
const sheets = new WeakMap<Look, Sheet>()

export function sheetFor(look: Look | undefined): Sheet {
  if (!look) return plainSheet
  const known = sheets.get(look)
  if (known) return known
  const made = sheetOf(look.name, style + look.style)
  sheets.set(look, made)
  return made
}

/** Where a page finds its sheet, below the root of the service. */
export function hrefOf({ path, version }: Sheet): string {
  return `${path}?v=${version}`
}

/**
 * The sheets by path. That of a version never changes; under another version, as a page of an older process names it,
 * there is the sheet of today, for a short time.
 */
export function sheetPages(looks: readonly Look[]): [path: string, Page][] {
  return [plainSheet, readingSheet, ...looks.map(sheetFor)].map((sheet) => {
    const text = () => Promise.resolve(sheet.style)
    const forever = { 'Cache-Control': `public, max-age=${aYear}, immutable` }
    const kept = documentPage(text, css, () => forever)
    return [sheet.path, variedPage('v', new Map([[sheet.version, kept]]), documentPage(text, css))]
  })
}
