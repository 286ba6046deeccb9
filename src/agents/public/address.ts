/** An address that a page may use for a picture; null for any other, such as one that runs a script. */
export function shownAddress(url: string | null): string | null {
  return url !== null && /^(?:https?:\/\/|\/media\/)/i.test(url) ? url : null
}
