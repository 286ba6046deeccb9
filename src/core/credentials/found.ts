/** A credential in a text. */
export interface Found {
  /** A stable name of its kind, such as `github_token`. */
  kind: string
  /** Where it begins, as an index of the text. */
  at: number
}

/** A credential and where it ends, during the search. */
export interface Span extends Found {
  end: number
}

/** The match of a sticky pattern at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Every place of a substring, in order. */
export function* placesOf(part: string, text: string): Generator<number> {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) yield at
}
