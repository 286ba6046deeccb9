/**
 * The characters that a reader does not see: controls, line separators, bidirectional marks and
 * overrides, zero-width and tag characters, blank fillers. Selectors of forms, as of emoji and of
 * ideographs in names, are left.
 */
export const hidden =
  /[\p{Cc}\u2028\u2029\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]]/v

/** Whether a name shows all of itself: no control, bidirectional or zero-width characters. */
export function isPlain(text: string): boolean {
  return !hidden.test(text)
}

/** A step of a JSON Pointer, escaped as RFC 6901 says. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The JSON Pointer of a path of names and positions; empty for the whole. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => pointerStep(typeof step === 'number' ? step : String(step))).join('')
}
