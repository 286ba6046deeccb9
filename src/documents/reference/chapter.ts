import type { Row } from './rows.ts'
import type { Entry } from './entries.ts'
import type { DocumentedGroup } from '../groups.ts'

/** The operations of one page, with the shapes that they name. */
export interface Chapter extends Omit<DocumentedGroup, 'operations'> {
  entries: readonly Entry[]
  shapes: readonly Shape[]
}

/** An object with its own name. */
export interface Shape {
  name: string
  description: string | undefined
  rows: readonly Row[]
}
