import type { ViewName } from '#src/core/html/view-names.ts'
import { approvalsView } from './approvals.ts'
import { runView } from './run.ts'
import { searchView } from './search.ts'
import { teamView } from './team.ts'
import type { View } from './view.ts'
import { weekView } from './week.ts'

/** Every view by its name. What an answer holds, each finds out as it shows it. */
export const views: Readonly<Record<ViewName, View<object>>> = {
  run: runView,
  approvals: approvalsView,
  team: teamView,
  week: weekView,
  search: searchView,
}
