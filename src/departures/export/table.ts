import { marked } from '#src/core/text/untrusted.ts'
import { forumSections } from './forum.ts'
import { heldSection, holders, knownTexts, ownSection, type Section } from './sections.ts'

const { agents, apps, runs, posts } = holders
const ofOwner = (owner_id: string) => ({ owner_id })
const ofAccount = (account_id: string) => ({ account_id })
const ofAgent = (char_id: string) => ({ char_id })

type Shown = Record<string, unknown>

/** The names of secrets and where they may be sent; a value is in no export. */
function namesOf({ secrets }: Shown): unknown {
  const named = Object.entries((secrets ?? {}) as Record<string, { updated_at?: string }>)
  return named.map(([name, { updated_at }]) => ({ name, updated_at }))
}

function unsealed({ secrets: _sealed, ...revision }: Shown): unknown {
  return revision
}

/** What another account has delivered, as who ordered it is shown it. */
function bought(order: Shown): unknown {
  return { ...order, ...marked({ kind: 'order', char_id: String(order.char_id) }) }
}

/** What agents of others have written below a post. */
function commented(comment: Shown): unknown {
  return { ...comment, ...marked({ kind: 'comment', char_id: String(comment.author_id) }) }
}

/** Everything of an account, in the order in which it is exported. */
export const sections: readonly Section[] = [
  ownSection(
    'account',
    (s) => s.accounts,
    (id) => ({ id }),
  ),
  ownSection('member', (s) => s.memberships, ofAccount),
  ownSection('api_key', (s) => s.api_keys, ofAccount),
  ownSection('connection', (s) => s.connections, ofAccount),
  ownSection('notice', (s) => s.notices, ofOwner),
  ownSection('notification_settings', (s) => s.notification_settings, ofAccount),
  ownSection('subscribed_browser', (s) => s.push_subscriptions, ofAccount),
  ownSection('passkey', (s) => s.passkeys, ofAccount),
  ownSection('audit', (s) => s.audit, ofAccount),
  ownSection('event', (s) => s.account_events, ofOwner),
  ownSection('budget', (s) => s.budgets, ofOwner),
  ownSection('spent', (s) => s.spend_sums, ofOwner),
  ownSection(
    'wallet',
    (s) => s.wallets,
    (id) => ({ id }),
  ),
  ownSection(
    'wallet_line',
    (s) => s.wallet_transactions,
    (wallet) => ({ wallet }),
  ),
  ownSection('order_sold', (s) => s.orders, ofOwner),
  ownSection(
    'order_bought',
    (s) => s.orders,
    // What it ordered of itself is there already.
    (buyer_id) => ({ buyer_id, owner_id: { $ne: buyer_id } }),
    bought,
  ),
  ownSection('subscription', (s) => s.subscriptions, ofAccount),
  ownSection('app', (s) => s.apps, ofOwner),
  heldSection(
    'app_revision',
    apps,
    (s) => s.app_revisions,
    (app_id) => ({ app_id }),
    unsealed,
  ),
  ownSection('agent', (s) => s.characters, ofOwner),
  heldSection('agent_revision', agents, (s) => s.character_revisions, ofAgent),
  heldSection('task', agents, (s) => s.tasks, ofAgent),
  heldSection(
    'secret_names',
    agents,
    (s) => s.secrets,
    (id) => ({ id }),
    namesOf,
  ),
  heldSection('friend', agents, (s) => s.edges, ofAgent),
  heldSection('connected_server', agents, (s) => s.outbound_connections, ofAgent),
  heldSection('file', agents, (s) => s.media, ofAgent),
  heldSection('memory', agents, (s) => s.memory, ofAgent),
  heldSection(
    'knowledge',
    agents,
    (s) => s.knowledge_items,
    async (char_id, { store }) => {
      const kept = await store.knowledge_shelves.get(char_id)
      return kept && { shelf: kept.shelf }
    },
  ),
  heldSection('knowledge_text', agents, (s) => s.knowledge_chunks, knownTexts),
  heldSection(
    'message_sent',
    agents,
    (s) => s.messages,
    // With its account: an id may have belonged to another before.
    (from, { accountId }) => ({
      from,
      from_owner: accountId,
      deleted_by: { $ne: accountId },
    }),
  ),
  heldSection(
    'message_received',
    agents,
    (s) => s.messages,
    (to, { accountId }) => ({
      to,
      to_owner: accountId,
      deleted_by: { $ne: accountId },
      // What an agent of the account has sent is there already.
      from_owner: { $ne: accountId },
    }),
  ),
  ownSection('post', (s) => s.posts, ofOwner),
  ownSection(
    'comment_written',
    (s) => s.post_comments,
    (author_owner) => ({ author_owner }),
  ),
  heldSection(
    'comment_received',
    posts,
    (s) => s.post_comments,
    (post_id, { accountId }) => ({ post_id, author_owner: { $ne: accountId } }),
    commented,
  ),
  ...forumSections,
  ownSection('run', (s) => s.runs, ofOwner),
  heldSection(
    'approval',
    runs,
    (s) => s.approvals,
    async (id, { store }) => {
      const [asked] = await store.runs.pick(['approval_id'], { id })
      const approval = asked?.[0]
      return typeof approval === 'string' ? { id: approval } : undefined
    },
  ),
  heldSection(
    'run_event',
    runs,
    (s) => s.run_events,
    (run_id) => ({ run_id }),
  ),
]
