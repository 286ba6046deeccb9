import type { Row } from './rows.ts'
import type { Entry } from './entries.ts'
import type { DocumentedGroup } from '../groups.ts'

/** Operations that are told on one page, with the shapes that they name. */
export interface Chapter extends Omit<DocumentedGroup, 'operations'> {
  entries: readonly Entry[]
  shapes: readonly Shape[]
}

/** An object with a name of its own. */
export interface Shape {
  name: string
  description: string | undefined
  rows: readonly Row[]
}
