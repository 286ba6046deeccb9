import { pageOperations } from '#src/catalog/pages.ts'
import { beginOfDay } from '#src/views/dates.ts'
import { answered, type Terms } from '../ask.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { namesOfWork } from '../console/names.ts'
import { homeView, welcomeView } from './views.ts'

/** What happens today: what waits for the person, what failed, what runs and what comes next. */
export function homeScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.home
  return {
    here,
    async show(_, looking) {
      const { overview, posts } = await today(looking)
      const isNew = overview.agents.count === 0 && overview.outcomes.completed.count === 0
      if (isNew) return welcomeView(looking)
      const { needs, next } = overview
      const { approvals, failed_runs, paused_tasks } = needs
      const about = [
        ...approvals.newest,
        ...failed_runs.newest,
        ...paused_tasks.first,
        ...next,
        ...posts.items,
      ]
      const names = await namesOfWork(looking, about)
      return homeView(looking, { overview, posts: posts.items, names })
    },
  }
}

async function today({ terms, as, at }: Looking) {
  const since = new Date(beginOfDay(at.now, at.zone)).toISOString()
  const [overview, posts] = await Promise.all([
    answered(terms, pageOperations.account.overview, { since }, as),
    answered(terms, pageOperations.feed, { limit: 5 }, as),
  ])
  return { overview, posts }
}
