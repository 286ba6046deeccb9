import { pageOperations } from '#src/catalog/pages.ts'
import { answered, type Terms } from '../ask.ts'
import type { ConsoleScreen } from '../console/screen.ts'

/** Where a person chooses which of their accounts the pages show. */
export function accountScreen(terms: Terms): ConsoleScreen {
  const { account: here, home: goTo } = terms.paths
  return {
    here,
    isOfPerson: true,
    show: () => Promise.resolve({ goTo }),
    async submit(form, { visitor }) {
      const chosen = { account_id: form.get('account') }
      await answered(terms, pageOperations.sessions.choose, chosen, { visitor })
      return { goTo }
    },
  }
}
