import { documentName, loopName, touch, touchOfCallers } from '#src/core/told/touch.ts'

/** Who is cached as a caller is looked up again when these change. */
export const accountTouches = [
  touchOfCallers('accounts', ['proven_at', 'completed_at', 'closing_due_at']),
  touchOfCallers('api_keys', ['last_used_at', 'networks', 'networks_count']),
  touchOfCallers('sessions', ['last_used_at']),
  touchOfCallers('persons'),
  touchOfCallers('connections', ['last_used_at']),
  touchOfCallers('oauth_artifacts'),
  // A new one counts too: its person may have been cached as acting for another account.
  touch({
    in: 'memberships',
    ofDeleted: true,
    names: ({ id }) => [documentName('memberships', id)],
  }),
  touch({
    in: 'mails',
    names: (_, how) => (how === 'inserted' ? [loopName('mails')] : []),
  }),
]
