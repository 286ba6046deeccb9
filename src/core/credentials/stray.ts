import { isToken, type TokenPrefix } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { documentedAs } from '../schema.ts'
import { pointerStep } from '../text/text.ts'
import type { Steps } from '../turns/portions.ts'
import { namesAll, shapeOf, type Shape } from '../input/unknown-members.ts'

/** Members and items that are looked at in one step. */
const nodesInStep = 256

const ours = /(ab|abs|cmn|act|lse|ort)_[0-9A-Za-z]{38}/g

/** Whether a value is a text with a credential of this service in it. */
export function holdsCredential(value: unknown): boolean {
  return typeof value === 'string' && isCredential(value)
}

/**
 * The pointers of members of a document that its schema does not name and that hold a credential of this service, in
 * full, at any depth; `most` of them. What the schema names, a free `config` too, is not looked at.
 */
export function* strayCredentials(
  { document, input, http }: Operation,
  data: Readonly<Record<string, unknown>>,
  most: number,
): Steps<string[]> {
  if (http.raw) return []
  const schema = document === undefined ? undefined : input.shape[document]
  if (document === undefined || !schema) return []
  const shape = shapeOf(documentedAs.get(schema)?.schema ?? schema)
  if (shape && namesAll(shape, data[document])) return []
  const search = new Search(most)
  yield* search.document(shape, data[document], pointerStep(document))
  return search.found
}

class Search {
  readonly found: string[] = []
  readonly #most: number
  #nodes = 0

  constructor(most: number) {
    this.#most = most
  }

  *document(shape: Shape | undefined, value: unknown, at: string): Steps<void> {
    if (!shape || typeof value !== 'object' || value === null) return
    if (++this.#nodes % nodesInStep === 0) yield
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) yield* this.document(shape.item, item, `${at}/${i}`)
      return
    }
    for (const [name, member] of Object.entries(value)) {
      if (this.found.length >= this.#most) return
      const pointer = at + pointerStep(name)
      if (shape.members.has(name)) yield* this.document(shape.members.get(name), member, pointer)
      // A name is not said again that is a credential itself.
      else if (isCredential(name)) this.found.push(at)
      else if (yield* this.#isIn(member)) this.found.push(pointer)
    }
  }

  *#isIn(value: unknown): Steps<boolean> {
    if (++this.#nodes % nodesInStep === 0) yield
    if (typeof value === 'string') return isCredential(value)
    if (typeof value !== 'object' || value === null) return false
    for (const [name, member] of Object.entries(value)) {
      if (isCredential(name) || (yield* this.#isIn(member))) return true
    }
    return false
  }
}

/** Whether a text holds a credential of this service with its checksum: a text about keys holds none. */
function isCredential(text: string): boolean {
  for (const [token, prefix] of text.matchAll(ours)) {
    // The expression has no other prefixes.
    if (isToken(token, prefix as TokenPrefix)) return true
  }
  return false
}
