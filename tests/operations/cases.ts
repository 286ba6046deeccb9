import { agentApps } from './agent-apps.cases.ts'
import { agentPauses } from './agents/pauses.cases.ts'
import { channelCases } from './agents/channels.cases.ts'
import { channelsIn } from './agents/channels-in.cases.ts'
import { appPauses } from './apps/pauses.cases.ts'
import { appChanges } from './app-changes.cases.ts'
import { approvals } from './approvals.cases.ts'
import { edits } from './approvals/edits.cases.ts'
import type { Case } from './case.ts'
import { characters } from './characters.cases.ts'
import { commonsAgents } from './commons/agents.cases.ts'
import { commonsAppeals } from './commons/appeals.cases.ts'
import { commonsIdentities } from './commons/identities.cases.ts'
import { commonsThreads } from './commons/threads.cases.ts'
import { commonsModeration } from './commons/moderation.cases.ts'
import { commonsPeople } from './commons/people.cases.ts'
import { commonsReplies } from './commons/replies.cases.ts'
import { commonsSearch } from './commons/search.cases.ts'
import { commonsWebhooks } from './commons/webhooks.cases.ts'
import { generation } from './ai/generation.cases.ts'
import { conformance } from './conformance/conformance.cases.ts'
import { feed } from './feed/feed.cases.ts'
import { friendships } from './friends.cases.ts'
import { copies } from './copies/imports.cases.ts'
import { knowledge } from './knowledge.cases.ts'
import { memory } from './memory.cases.ts'
import { messages } from './messages.cases.ts'
import { mailed, mailedNewcomers, unmailed } from './people/mailed.cases.ts'
import { passkeys } from './people/passkeys.cases.ts'
import { passwordChanges } from './people/passwords.cases.ts'
import { closedNewcomers, invitedNewcomers } from './people/newcomers.cases.ts'
import { onboarding } from './onboarding.cases.ts'
import { claiming } from './people/claims.cases.ts'
import { factors } from './people/factor.cases.ts'
import { leaving } from './people/departures.cases.ts'
import { members } from './people/members.cases.ts'
import { people } from './people/people.cases.ts'
import { publicReads } from './agents/public.cases.ts'
import { buyers } from './payments/buyers.cases.ts'
import { orders } from './payments/orders.cases.ts'
import { payments } from './payments/payments.cases.ts'
import { notifications } from './people/notifications.cases.ts'
import { overviews } from './people/overview.cases.ts'
import { accountPolicy } from './people/policy.cases.ts'
import { photos } from './characters/photos.cases.ts'
import { references } from './agents/references.cases.ts'
import { unfinished } from './agents/unfinished.cases.ts'
import { removal } from './removal.cases.ts'
import { retries } from './retries.cases.ts'
import { revisions } from './revisions.cases.ts'
import { runLists } from './run-lists.cases.ts'
import { runs } from './runs.cases.ts'
import { schedules } from './schedules.cases.ts'
import { calendars } from './schedules/calendar.cases.ts'
import { scopedAgents } from './scopes/agents.cases.ts'
import { personGates } from './scopes/persons.cases.ts'
import { scopedSiblings } from './scopes/siblings.cases.ts'
import { secretPlaces } from './scopes/secrets.cases.ts'
import { scopedTasks } from './scopes/tasks.cases.ts'
import { weakGates } from './scopes/weak-gates.cases.ts'
import { secrets } from './secrets.cases.ts'
import { tasks } from './tasks.cases.ts'
import { triggers } from './triggers.cases.ts'
import { identity } from './agents/identity.cases.ts'
import { budgets } from './payments/budgets.cases.ts'
import { usage } from './payments/usage.cases.ts'
import { wallet } from './payments/wallet.cases.ts'
import { x402 } from './payments/x402.cases.ts'
import { visibility } from './agents/visibility.cases.ts'

/** The cases of every operation, by what the operations are about. */
export const chapters = {
  accounts: [
    ...onboarding,
    ...conformance,
    ...people,
    ...leaving,
    ...factors,
    ...passkeys,
    ...unmailed,
    ...passwordChanges,
    ...claiming,
    ...members,
    ...accountPolicy,
    ...overviews,
    ...notifications,
  ],
  agents: [
    ...characters,
    ...copies,
    ...visibility,
    ...identity.filter(({ op }) => op === 'identity.token'),
    ...references,
    ...unfinished.filter(({ op }) => op !== 'tasks.run'),
    ...publicReads,
    ...secrets,
    ...revisions,
    ...photos,
    ...messages,
    ...channelCases,
    ...channelsIn,
    ...removal.filter(({ op }) => op.startsWith('messages.')),
    ...friendships,
    ...memory,
    ...knowledge,
    ...feed,
    ...generation,
    ...scopedAgents,
    ...scopedSiblings,
  ],
  tasks: [
    ...tasks,
    ...scopedTasks,
    ...secretPlaces,
    ...weakGates,
    ...personGates,
    ...schedules,
    ...calendars,
    ...runs,
    ...runLists,
    ...retries,
    ...removal.filter(({ op }) => op.startsWith('runs.')),
    ...triggers,
    ...approvals,
    ...edits,
    ...unfinished.filter(({ op }) => op === 'tasks.run'),
    ...agentApps,
    ...appChanges,
    ...appPauses,
    ...agentPauses,
  ],
  payments: [...payments, ...wallet, ...usage, ...budgets, ...orders, ...buyers, ...x402],
  commons: [
    ...commonsIdentities,
    ...identity.filter(({ op }) => op === 'commons.identity_token'),
    ...commonsSearch,
    ...commonsThreads,
    ...commonsModeration,
    ...commonsAppeals,
    ...commonsPeople,
    ...commonsReplies,
    ...commonsAgents,
    ...commonsWebhooks,
  ],
} satisfies Record<string, readonly Case[]>

export type Chapter = keyof typeof chapters

/** What is played on servers of their own: where not everybody may come in (`newcomers.test.ts`), where mails are sent (`people/mailed.test.ts`). */
export const guarded = {
  invited: [...invitedNewcomers, ...mailedNewcomers],
  closed: closedNewcomers,
  mailed,
}

/** Every case of every operation. */
export const cases: readonly Case[] = [...Object.values(chapters), ...Object.values(guarded)].flat()
