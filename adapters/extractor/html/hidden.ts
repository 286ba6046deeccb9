import { isElement, nameOf, type PageDocument, type PageElement, type PageNode } from './dom.ts'
import { walk } from './walk.ts'

/** Elements that are never part of a page's text, shown or not. */
const unread = new Set(
  (
    'script style template noscript iframe frame frameset noframes noembed object embed applet svg' +
    ' canvas audio video map img picture select datalist textarea input button link base'
  ).split(' '),
)

/** The size of a page, counted while hidden parts are removed. */
export interface Extent {
  elements: number
  depth: number
}

/**
 * Removes what a page's reader is not shown: comments, scripts, and anything hidden by an attribute, an
 * inline style or a plain rule of the page's style sheets.
 */
export function removeHidden(document: PageDocument): Extent {
  const isRuled = rulesOf(document)
  const extent = { elements: 0, depth: 0 }
  const gone: PageNode[] = []
  let depth = 0
  walk(document, {
    enter(node) {
      const isGone = isElement(node) ? isHidden(node) || isRuled(node) : node.nodeType === 8
      if (isGone) gone.push(node)
      else if (isElement(node)) {
        extent.elements++
        depth++
        extent.depth = Math.max(extent.depth, depth)
      }
      return !isGone
    },
    leave: () => {
      depth--
    },
  })
  for (const node of gone) node.remove()
  return extent
}

function isHidden(element: PageElement): boolean {
  const name = nameOf(element)
  if (unread.has(name)) return true
  if (element.hasAttribute('hidden')) return true
  if (name === 'dialog' && !element.hasAttribute('open')) return true
  const style = element.getAttribute('style')
  return style !== null && hides(style, true)
}

const nothing = /^[-+]?0*\.?0*(?:px|em|rem|pt|%|ex|ch|vw|vh)?$/
const farAway = /^-\d{3,}/
const sides = ['left', 'top', 'right']

/** Whether a style hides its element. */
function hides(style: string, isItsOwn: boolean): boolean {
  const said = new Map<string, string>()
  for (const declaration of style.slice(0, 5_000).toLowerCase().split(';')) {
    const [name = '', value = ''] = declaration.split(':', 2)
    said.set(name.trim(), value.replace('!important', '').trim())
  }
  const is = (name: string, pattern: RegExp): boolean => pattern.test(said.get(name) ?? 'unsaid')
  if (is('display', /^none/) || is('visibility', /^(?:hidden|collapse)/)) return true
  if (is('content-visibility', /^hidden/) || is('text-indent', farAway)) return true
  if (is('position', /^(?:absolute|fixed)/) && sides.some((side) => is(side, farAway))) return true
  // In a style sheet these mostly wait for an animation, or are undone further down.
  if (!isItsOwn) return false
  if (is('opacity', nothing) || is('font-size', nothing) || is('color', /^transparent/)) return true
  if (is('clip', /^rect\((?:[01](?:px)?[\s,)]+){4}/)) return true
  if (is('clip-path', /^inset\((?:50|100)%/)) return true
  if (is('transform', /^scale\(0\)/) || is('max-height', nothing)) return true
  const isTiny = is('height', nothing) || is('width', nothing)
  return isTiny && is('overflow', /^(?:hidden|clip)/)
}

const rulesAtMost = 2_000

/**
 * Whether a rule hides an element: only rules with one name, class or id count, and none inside @media.
 */
function rulesOf(document: PageDocument): (element: PageElement) => boolean {
  const hiding = new Set<string>()
  for (const sheet of Array.from(document.querySelectorAll('style')).slice(0, 50)) {
    for (const selector of hidingSelectors(sheet.textContent ?? '')) {
      if (hiding.size < rulesAtMost) hiding.add(selector)
    }
  }
  if (hiding.size === 0) return () => false
  return (element) => {
    const name = nameOf(element)
    // The page itself is hidden only until its script has run.
    if (name === 'html' || name === 'body') return false
    const id = element.getAttribute('id')
    if (id !== null && (hiding.has(`#${id}`) || hiding.has(`${name}#${id}`))) return true
    const classes = (element.getAttribute('class') ?? '').slice(0, 2_000).split(/\s+/)
    return classes.some((one) => hiding.has(`.${one}`) || hiding.has(`${name}.${one}`))
  }
}

/** The simple selectors of hiding rules, outside of any nested block. */
function* hidingSelectors(sheet: string): Generator<string> {
  const text = sheet.slice(0, 500_000).replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g, ' ')
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{', at)
    if (open === -1) return
    const selectors = text.slice(at, open).trim()
    const close = selectors.startsWith('@') ? blockEnd(text, open) : text.indexOf('}', open)
    if (close === -1) return
    if (!selectors.startsWith('@') && hides(text.slice(open + 1, close), false)) {
      for (const selector of selectors.split(',')) {
        if (/^[a-z0-9]*[.#][\w-]+$/i.test(selector.trim())) yield selector.trim()
      }
    }
    at = close + 1
  }
}

function blockEnd(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}
