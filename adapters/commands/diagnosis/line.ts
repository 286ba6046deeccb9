/** What was looked at, how it is, and what to do where it is not well. */
export interface Line {
  of: string
  state: 'ok' | 'warn' | 'fail'
  says: string
  advice?: string
}

/** @param says how it is */
export function well(of: string, says: string): Line {
  return { of, state: 'ok', says }
}

/** @param advice what an operator does about it */
export function ill(of: string, state: 'warn' | 'fail', says: string, advice: string): Line {
  return { of, state, says, advice }
}

/** The words of an error, in one line. */
export function wordsOf(cause: unknown): string {
  const { message = String(cause), cause: inner } = cause instanceof Error ? cause : {}
  const more = inner instanceof Error ? `: ${inner.message}` : ''
  return `${message}${more}`.replaceAll(/\s+/g, ' ').slice(0, 300)
}
