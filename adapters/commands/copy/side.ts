import type { Files } from '#src/ports/files.ts'
import type { Store } from '#src/ports/store.ts'
import { checkId, copyId } from '#adapters/compose/master-key.ts'

/** Everything that a server keeps. */
export interface Side {
  store: Store
  files: Files
}

/** The copy would differ from the original, or the target is not empty. */
export class NotCopied extends Error {
  override readonly name = 'NotCopied'
}

export function copiedByAnother(cause?: unknown): NotCopied {
  return new NotCopied(
    'Another call of copy-store, or a server, has written into the place of the copy meanwhile: let that call end, ' +
      'or stop it and call this one again.',
    { cause },
  )
}

/** Facts that a store keeps about itself, which are not copied. */
export const ownFacts: readonly string[] = [checkId, copyId]

/** What was done of a kind: what was written, and what was there already from a copy that was broken off. */
export interface Tally {
  copied: number
  there: number
}

const filesAtOnce = 100

/** The ids of all files, regardless of age. */
export async function* idsOf(files: Files): AsyncGenerator<string> {
  const later = new Date(Date.now() + 86_400_000)
  let after = ''
  for (;;) {
    const ids = await files.keptBefore(later, after, filesAtOnce)
    yield* ids
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}
