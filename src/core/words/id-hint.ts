import { nearest } from '../input/nearest.ts'

/** As many ids of the caller's own are compared with one that leads to nothing: the newest. */
export const idsAtMost = 200
/** Ids that are drawn by lot are alike in a third of their letters by chance. */
const lettersAtMost = 4

/** What is there instead of something that is not. */
interface Own {
  /** Ids that the caller may see: of its own account, and where its key is scoped, of its agent. */
  ids: readonly unknown[]
  /** The call that reads one of them, as a reference; without it the id is named alone. */
  read?: (id: string) => string
  /** The call that lists them. */
  list: string
}

/** The hint for an id that leads to nothing: the nearest of the caller's own, and where they are listed. */
export function idHint(sought: string, { ids, read = (id) => `"${id}"`, list }: Own): string {
  const texts = ids.filter((id) => typeof id === 'string')
  const meant = nearest(sought, texts, undefined, lettersAtMost)
  return `${meant === undefined ? '' : `Did you mean ${read(meant)}? `}${list} lists those that there are.`
}
