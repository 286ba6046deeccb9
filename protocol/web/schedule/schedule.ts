import { runOperations } from '#src/catalog/run-pages.ts'
import { beginOfDay, dayMs } from '#src/views/dates.ts'
import { weekView } from '#src/views/week.ts'
import { answered, type Terms } from '../ask.ts'
import { namesOfWork } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { showingOf } from '../console/view-frame.ts'

const daysBefore = 2
const days = 7

/** The week of the account, of a team or of an agent: what was started and skipped, and what is to come. */
export function scheduleScreen(terms: Terms): ConsoleScreen {
  return {
    here: terms.paths.schedule(),
    async show(query, looking) {
      const input = inputOf(query, looking)
      const calendar = await answered(terms, runOperations.calendar, input, looking.as)
      const names = await namesOfWork(looking, calendar.items)
      const main = weekView.show(calendar, showingOf(looking, { input, names }))
      return { title: 'Schedule', heading: null, main, place: 'schedule' }
    },
  }
}

/** The days around today, if no others are asked for. */
function inputOf(query: URLSearchParams, { at }: Looking) {
  const begin = beginOfDay(at.now - daysBefore * dayMs, at.zone)
  const end = beginOfDay(begin + (days + 0.5) * dayMs, at.zone)
  const asked = ['to', 'char_id', 'app_id', 'cursor'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const from = query.get('from')
  const span = { from: from ?? iso(begin), ...(from === null && { to: iso(end) }) }
  return { ...span, ...Object.fromEntries(asked) }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
