import { nearest } from '../input/nearest.ts'

/** As many ids of the caller's own are compared with one that leads to nothing: the newest. */
export const idsAtMost = 200
/** Ids that are drawn by lot are alike in a third of their letters by chance. */
const lettersAtMost = 4

/** What is there instead of something that is not. */
interface Own {
  /** Ids that the caller may see: of its own account, and where its key is scoped, of its agent. */
  ids: readonly unknown[]
  /** A mark of ids: what stands before it is left out by those who know what follows alone. */
  mark?: string
  /** The call that reads one of them, as a reference; without it the id is named alone. */
  read?: (id: string) => string
  /** The call that lists them. */
  list: string
}

/** The hint for an id that leads to nothing: the nearest of the caller's own, and where they are listed. */
export function idHint(sought: string, { ids, mark, read = (id) => `"${id}"`, list }: Own): string {
  const texts = ids.filter((id) => typeof id === 'string')
  const parts = mark === undefined ? none : partsOf(texts, mark)
  const meant =
    parts.get(sought) ?? likely(sought, texts) ?? parts.get(likely(sought, parts.keys()) ?? '')
  return `${meant === undefined ? '' : `Did you mean ${read(meant)}? `}${list} lists those that there are.`
}

const none: ReadonlyMap<string, string> = new Map()

function likely(sought: string, among: Iterable<string>): string | undefined {
  return nearest(sought, among, undefined, lettersAtMost)
}

/** Ids by what follows the mark in them; of equals the first. */
function partsOf(ids: readonly string[], mark: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const id of ids) {
    const [, ...after] = id.split(mark)
    const part = after.join(mark)
    if (part !== '' && !found.has(part)) found.set(part, id)
  }
  return found
}
