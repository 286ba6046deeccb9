/**
 * Characters that a reader does not see: controls, line separators, bidirectional marks and overrides,
 * zero-width and tag characters, blank fillers. Variation selectors, as in emoji and in ideographs of
 * names, are not among them.
 */
export const hidden =
  /[\p{Cc}\u2028\u2029\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]]/v

/** Whether a name has no hidden characters: no control, bidirectional or zero-width ones. */
export function isPlain(text: string): boolean {
  return !hidden.test(text)
}

/** A step of a JSON Pointer, escaped by RFC 6901. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A name or position as it stood before it became a step of a JSON Pointer. */
export function stepOf(escaped: string): string {
  return escaped.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The name of the member that a JSON Pointer leads to, or of the list of which it is an item; empty for all. */
export function memberOf(pointer: string): string {
  return stepOf(
    pointer
      .split('/')
      .slice(1)
      .findLast((step) => !/^\d+$/.test(step)) ?? '',
  )
}

/** The JSON Pointer of a path of names and positions; empty for the whole document. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => pointerStep(typeof step === 'number' ? step : String(step))).join('')
}
