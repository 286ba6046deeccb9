// Control characters, bidirectional marks and overrides, zero-width characters, the byte order mark.
const hidden =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u

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
