/** Raw text, where an escape would be text too, or one character beyond Latin-1 that is not escaped itself. */
const wide = /String\.raw`(?:[^`\\]|\\.)*`|(?<!\\)[^\0-\xff]/gs

/**
 * The code with escapes for what is beyond Latin-1: V8 keeps the text of a module with one byte for each
 * character, but with two from the first that needs them. Raw text stays as it is.
 */
export function inOneByte(code: string): string {
  return code.replaceAll(wide, (found) => {
    if (found.length > 1) return found
    return String.raw`\u` + found.charCodeAt(0).toString(16).padStart(4, '0')
  })
}
