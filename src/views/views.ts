import type { ViewName } from '#src/core/html/view-names.ts'
import { runView } from './run.ts'
import type { View } from './view.ts'

/** Every view by its name. What an answer holds, each checks as it shows it. */
export const views: Readonly<Record<ViewName, View<object>>> = { run: runView }
