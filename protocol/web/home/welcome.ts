import type { Terms } from '../ask.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { welcomeView } from './views.ts'

/** The ways to begin, for a person whose account has no agents, and for any who ask. */
export function welcomeScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.welcome
  return {
    here,
    isOfPerson: true,
    show: (_, looking, typed) =>
      Promise.resolve(welcomeView(looking, typed?.get('link') ?? undefined)),
    submit(form) {
      const code = claimCodeOf(form.get('link') ?? '')
      return Promise.resolve({ goTo: code === undefined ? here : terms.paths.claim(code) })
    },
  }
}

/** The code of a claim link, or the code itself as someone may have copied it. */
function claimCodeOf(link: string): string | undefined {
  return /act_[A-Za-z0-9_-]{1,200}/.exec(link)?.[0]
}
