import type { CollectionDefinition } from '#src/ports/documents.ts'
import { textSteps } from '#src/core/input/text-steps.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { checkedId } from '../checked.ts'

/** A stored row: the id, the wire text, and the JSON of the hidden members, if there are any. */
export type StoredRow = readonly [id: string, doc: string, hidden?: string | null]

export type Members = Record<string, unknown>

/** The row's two parts, parsed: the public one, and the hidden one that never leaves the store. */
export interface Parts {
  shown: Members
  hidden: Members
}

export function toParts([, doc, hiddenDoc]: StoredRow): Parts {
  // Both columns hold the JSON of an object: this file alone writes them.
  const shown = JSON.parse(doc) as Members
  const hidden = hiddenDoc ? (JSON.parse(hiddenDoc) as Members) : {}
  return { shown, hidden }
}

export function hiddenText({ hidden }: Parts): string | null {
  return Object.keys(hidden).length > 0 ? JSON.stringify(hidden) : null
}

/** The document made of a row's parts. */
export function joined(id: string, { shown, hidden }: Parts): Members & { id: string } {
  return Object.assign(shown, hidden, { id })
}

/** A document as its row; later changes of the object do not affect it. */
export function toRow(definition: CollectionDefinition, document: { id: string }): StoredRow {
  const id = checkedId(document.id)
  const parts = partsOf(definition, document)
  return [id, JSON.stringify(parts.shown), hiddenText(parts)]
}

/** The same in steps, for a large document. */
export function* rowSteps(
  definition: CollectionDefinition,
  document: { id: string },
): Steps<StoredRow> {
  const id = checkedId(document.id)
  const { shown, hidden } = partsOf(definition, document)
  const hasHidden = Object.keys(hidden).length > 0
  return [id, yield* textSteps(shown), hasHidden ? yield* textSteps(hidden) : null]
}

function partsOf(definition: CollectionDefinition, document: object): Parts {
  if (definition.hidden.length === 0) return { shown: document as Members, hidden: none }
  // A clone keeps the shape of the document, and undefined members are not written.
  const shown: Members = { ...document }
  const hidden: Members = {}
  for (const name of definition.hidden) {
    const value = shown[name]
    if (value === undefined) continue
    shown[name] = undefined
    // A hidden id is only in the key column.
    if (name !== 'id') hidden[name] = value
  }
  return { shown, hidden }
}

const none: Members = {}
