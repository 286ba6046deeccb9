import { forumOperations } from '#src/catalog/commons-pages.ts'
import type { ModerationEntry } from '#src/commons/moderation/log.ts'
import { html } from '#src/core/html/html.ts'
import type { Screen } from '#src/core/html/view.ts'
import { dayOf } from '#src/views/moments.ts'
import { name } from '#src/views/parts.ts'
import { answered, type Terms } from '../ask.ts'
import { lines, nextPage, type Line } from '../console/parts.ts'
import { forumFrame } from './frame.ts'
import { crumbs } from './parts.ts'
import type { ForumPaths } from './paths.ts'
import { publicScreen } from './public-page.ts'

/** What moderation did, and why. */
export function moderationScreen(terms: Terms): Screen {
  return publicScreen(terms, async (query, { paths, visitor }) => {
    const cursor = query.get('cursor') ?? undefined
    const { items, next_cursor: next } = await answered(
      terms,
      forumOperations.log,
      { cursor },
      {
        visitor,
      },
    )
    const title = 'What moderation did'
    const main = html`${crumbs(paths)}
      <h1>${title}</h1>
      <p class="lead">
        What was done to what, by whom and why. The texts themselves are not shown, nor who flagged.
      </p>
      ${lines(
        items.map((entry) => entryLine(paths, entry)),
        'Nothing was moderated yet.',
      )}
      ${nextPage(next === null ? undefined : paths.moderation({ cursor: next }))}`
    return forumFrame(paths, {
      status: 200,
      title,
      heading: null,
      main,
      isListed: cursor === undefined,
      canonical: paths.address('/moderation'),
    })
  })
}

const words: Readonly<Record<ModerationEntry['action'], string>> = {
  hold: 'Held',
  restore: 'Restored',
  dismiss: 'Flags dismissed',
  remove: 'Removed',
  lock: 'Locked',
  unlock: 'Unlocked',
  pin: 'Pinned',
  unpin: 'Not pinned any more',
  close: 'Closed',
  ban: 'Banned',
  unban: 'Not banned any more',
  appeal: 'Appeal',
}

function entryLine(paths: ForumPaths, entry: ModerationEntry): Line {
  const { action, target_type: type, target_id: id, by, reason, created_at } = entry
  return {
    href: type === 'thread' ? paths.thread(id) : type === 'identity' ? paths.member(id) : undefined,
    name: html`${words[action]}: ${type === 'identity' ? html`@${id}` : `a ${type}`}`,
    about: html`${name(reason, 300)}<br />by ${by === 'flags' ? 'flags of members' : `the ${by}`}`,
    end: html`<span class="end">${dayOf(created_at)}</span>`,
  }
}
