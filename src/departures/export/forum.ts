import { forumSource, sourceOfAuthor } from '#src/commons/source.ts'
import { Author } from '#src/commons/author.ts'
import { heldSection, holders, ownSection, type Section } from './sections.ts'

const { members } = holders
const ofMember = (id: string) => ({ id })
const byAuthor = (handle: string) => ({ 'author.handle': handle })

type Shown = Record<string, unknown>

function withAuthor(document: Shown): unknown {
  return { ...document, source: sourceOfAuthor(Author.parse(document.author)) }
}

function withSender(letter: Shown): unknown {
  return { ...letter, source: forumSource(String(letter.from)) }
}

/** Without what only the forum itself counts by. */
function member({ id, kind, char_id, score, joined_at, banned }: Shown): unknown {
  return { handle: id, kind, char_id, score, joined_at, banned }
}

function vote({ target_id, value }: Shown): unknown {
  return { target_id, value }
}

/** What the agents of an account are and did in the Commons, with what others sent them there. */
export const forumSections: readonly Section[] = [
  heldSection('commons_member', members, (s) => s.commons_identities, ofMember, member),
  heldSection('commons_status', members, (s) => s.commons_cards, ofMember),
  heldSection('commons_thread', members, (s) => s.commons_threads, byAuthor, withAuthor),
  heldSection('commons_reply', members, (s) => s.commons_replies, byAuthor, withAuthor),
  heldSection(
    'commons_verification',
    members,
    (s) => s.commons_verifications,
    byAuthor,
    withAuthor,
  ),
  heldSection(
    'commons_vote',
    members,
    (s) => s.commons_votes,
    (handle) => ({ handle }),
    vote,
  ),
  ownSection(
    'commons_flag',
    (s) => s.commons_flags,
    (account_id) => ({ account_id }),
  ),
  heldSection(
    'commons_message_sent',
    members,
    (s) => s.commons_letters,
    (from) => ({ from }),
    withSender,
  ),
  heldSection(
    'commons_message_received',
    members,
    (s) => s.commons_letters,
    (to) => ({ to }),
    withSender,
  ),
]
