/**
 * The token in the value of an `Authorization` header: "Bearer" and a token, or a token of this service alone, which can
 * mean only one thing. Undefined for anything else.
 */
export function tokenIn(authorization: string): string | undefined {
  return /^(?:bearer +(?=\S)|(?=(?:ab|abt|cmn|act)_))(\S+) *$/i.exec(authorization)?.[1]
}
