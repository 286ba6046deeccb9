import type { Touched } from '#src/ports/touched.ts'
import type { Note } from './change-store.ts'
import { everything } from './notes.ts'

/** Up to which note of each process this one has read. */
export class NoteOrder {
  readonly known = new Map<string, number>()

  /** What a note tells: nothing if it was read before, and everything after a gap. */
  touched({ origin, n, names }: Note): Touched | undefined {
    const before = this.known.get(origin) ?? 0
    if (n <= before) return undefined
    this.known.set(origin, n)
    return n > before + 1 || names.includes(everything) ? 'all' : new Set(names)
  }
}

/** What several notes tell together. */
export function together(told: readonly (Touched | undefined)[]): Touched | undefined {
  const names = new Set<string>()
  for (const touched of told) {
    if (touched === 'all') return 'all'
    for (const name of touched ?? []) names.add(name)
  }
  return names.size > 0 ? names : undefined
}
