/** Bytes of JSON that a text or value may take in the data of an event. */
const bytesAtMost = 12_000

/** A value for the data of an event, and whether something of it was left out. */
export interface Cut {
  value: unknown
  isCut: boolean
}

/** The value if it is short enough, else the beginning of its text (for JSON, as text). */
export function cut(value: unknown): Cut {
  const json = JSON.stringify(value ?? null)
  if (Buffer.byteLength(json) <= bytesAtMost) return { value: value ?? null, isCut: false }
  let text = (typeof value === 'string' ? value : json).slice(0, bytesAtMost)
  for (;;) {
    const bytes = Buffer.byteLength(JSON.stringify(text))
    if (bytes <= bytesAtMost) return { value: text.toWellFormed(), isCut: true }
    // Characters take up to six bytes, so the excess is cut in proportion.
    text = text.slice(0, Math.floor((text.length * bytesAtMost) / bytes))
  }
}
