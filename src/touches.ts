import { accountTouches } from './accounts/touches.ts'
import { connectionTouches } from './agents/connections/touches.ts'
import { identityTouches } from './commons/identity.ts'
import type { Manner, Touch } from './core/told/touch.ts'
import { eventTouches } from './events/touches.ts'
import { knowledgeTouches } from './knowledge/touches.ts'
import { moneyTouches } from './money/touches.ts'
import type { CollectionName } from './ports/documents.ts'
import { runTouches } from './runs/touches.ts'

/** What writes touch, of all districts: a store names it to other processes, so that no writer has to. */
export const touches: readonly Touch[] = [
  ...accountTouches,
  ...connectionTouches,
  ...identityTouches,
  ...eventTouches,
  ...knowledgeTouches,
  ...runTouches,
  ...moneyTouches,
]

const byCollection = new Map(
  [...Map.groupBy(touches, (row) => row.in)].map(([name, rows]): [CollectionName, Touch] => [
    name,
    {
      in: name,
      members: [...new Set(rows.flatMap(({ members }) => members))],
      ofDeleted: rows.some(({ ofDeleted }) => ofDeleted),
      names: (document, how) => rows.flatMap((row) => row.names(document, how)),
    },
  ]),
)

/** The rows of one collection together; undefined where its writes touch nothing with a name. */
export function touchOf(collection: CollectionName): Touch | undefined {
  return byCollection.get(collection)
}

/** The paths that a change sets, for the rows. */
export function changedBy(change: object): Manner {
  return new Set(Object.values(change).flatMap((paths: object) => Object.keys(paths)))
}
