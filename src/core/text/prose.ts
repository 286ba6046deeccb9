import { hiddenIn, nameOf, type Layout } from './hidden-characters.ts'
import { textUpTo } from '../schema-parts.ts'

/** Whether a text shows nothing at all. */
export function isBlank(text: string): boolean {
  return /^[\s\u2800]*$/.test(text)
}

/**
 * One line of 1 to `max` characters, at least one of them no white space: no control, bidirectional
 * or zero-width characters. Faults: `too_small`, `too_big`, `not_plain`.
 */
export function lineUpTo(max: number) {
  return written(max, 'line')
}

/**
 * Text of 1 to `max` characters, not all of them white space, with line breaks and tabs: no other
 * control, no bidirectional controls, and hidden characters only where a script or an emoji is
 * spelled with them. Kept as it is sent. Faults: `too_small`, `too_big`, `not_plain`.
 */
export function proseUpTo(max: number) {
  return written(max, 'prose')
}

// The messages name places and code points, and never repeat what was written.
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
