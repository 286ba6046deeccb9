import { hiddenIn, nameOf, type Layout } from './hidden-characters.ts'
import { textUpTo } from '../schema-parts.ts'

/** Whether a text shows nothing at all. */
export function isBlank(text: string): boolean {
  return /^[\s\u2800]*$/.test(text)
}

/**
 * One line of 1 to `max` characters, not all of them whitespace: no control, bidirectional or zero-width
 * characters. Faults: `too_small`, `too_big`, `not_plain`.
 */
export function lineUpTo(max: number) {
  return written(max, 'line')
}

/**
 * Text of 1 to `max` characters, not all of them whitespace, with line breaks and tabs: no other control
 * characters, no bidirectional controls, and hidden characters only where a script or an emoji is spelled
 * with them. Stored as sent. Faults: `too_small`, `too_big`, `not_plain`.
 */
export function proseUpTo(max: number) {
  return written(max, 'prose')
}

// The messages name positions and code points, and never repeat the text.
function written(max: number, layout: Layout) {
  return textUpTo(max)
    .check(({ value, issues }) => {
      const fault = faultOf(value, layout)
      if (fault) {
        const { message, code } = fault
        issues.push({ code: 'custom', input: value, message, params: { code } })
      }
    })
    .meta({ minLength: 1, maxLength: max })
}

function faultOf(text: string, layout: Layout): { message: string; code: string } | undefined {
  const found = hiddenIn(text, layout)
  if (found) {
    const { codePoint, position, count } = found
    const others = count > 1 ? ` and ${count - 1} more of the kind` : ''
    const message = `must not hold ${nameOf(codePoint)} at character ${position}${others}`
    return { message, code: 'not_plain' }
  }
  if (isBlank(text)) {
    return { message: 'must not be empty or blank', code: 'too_small' }
  }
  return undefined
}
