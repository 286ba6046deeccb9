import type { Page } from 'playwright-core'

/** A page, or a frame in one. */
type Place = Pick<Page, 'evaluate'>

/** How a page looks. */
export interface Looks {
  /** Whether something is wider than the screen. */
  isTooWide: boolean
  isDark: boolean
  /** How each text stands out from what is behind it, from 1 to 21; of a text its begin. */
  contrasts: { text: string; ratio: number }[]
  /** How wide the line is around what has the focus. */
  outlinePixels: number
}

/** What a page is made of. */
export interface Parts {
  /** The heights of what one presses or fills in. */
  controlHeights: number[]
  /** The ids in the page, each as often as it is there. */
  ids: string[]
  /** For each field that is shown, how many labels it has. */
  labels: number[]
  scriptsAndPictures: number
  language: string
}

// Runs in the page, where the types are those of a browser.
const script = String.raw`(() => {
  const numbers = (color) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const known = new Map()
  const luminance = (color) => {
    if (!known.has(color)) known.set(color, luminanceOf(color))
    return known.get(color)
  }
  const luminanceOf = (color) => {
    const [r, g, b] = numbers(color).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    const [, , , alpha = 1] = numbers(backgroundColor)
    return alpha === 0 ? behind(element.parentElement) : backgroundColor
  }
  const isText = (node) => node.nodeType === 3 && node.textContent.trim() !== ''
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    [...element.childNodes].some(isText),
  )
  const contrasts = texts.map((element) => {
    const [front, back] = [getComputedStyle(element).color, behind(element)].map(luminance)
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
    return { text: element.textContent.slice(0, 100), ratio }
  })
  const { scrollWidth, clientWidth } = document.documentElement
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return {
    isTooWide: scrollWidth > clientWidth,
    isDark: luminance(behind(document.body)) < 0.5,
    contrasts,
    outlinePixels: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
  }
})()`

// In one call: each look at one element from outside takes as long as the whole of this.
const scriptOfParts = String.raw`(() => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const inputs = all('input').filter(isShown)
  const fields = [...inputs, ...all('select, textarea')]
  return {
    controlHeights: [...inputs, ...all('button, a.button, select').filter(isShown)].map(
      // A box is pressed by its whole label.
      (element) => (element.closest('label') ?? element).getBoundingClientRect().height,
    ),
    ids: all('[id]').map(({ id }) => id),
    labels: fields.map(({ labels }) => labels.length),
    scriptsAndPictures: all('script, img').length,
    language: document.documentElement.lang,
  }
})()`

export function partsOf(page: Place): Promise<Parts> {
  return page.evaluate<Parts>(scriptOfParts)
}

export function looksOf(page: Place): Promise<Looks> {
  return page.evaluate<Looks>(script)
}
