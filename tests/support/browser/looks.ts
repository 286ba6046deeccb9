import type { Page } from 'playwright-core'

/** How a page looks. */
export interface Looks {
  /** Whether something is wider than the screen. */
  isTooWide: boolean
  isDark: boolean
  /** How each text stands out from what is behind it, from 1 to 21. */
  contrasts: { text: string; ratio: number }[]
  /** How wide the line is around what has the focus. */
  outlinePixels: number
}

// Runs in the page, where the types are those of a browser.
const script = String.raw`(() => {
  const numbers = (color) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (color) => {
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
    return { text: element.textContent, ratio }
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

export function looksOf(page: Page): Promise<Looks> {
  return page.evaluate<Looks>(script)
}
