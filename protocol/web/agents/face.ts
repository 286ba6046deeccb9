import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { mediaIdIn, mediaUrl } from '#src/agents/media/media.ts'
import { pathBelow } from '#src/core/html/below.ts'
import type { Character } from '#src/agents/character.ts'
import type { Terms } from '../ask.ts'

/** The picture of an agent where this service has it, else the first sign of its name. */
export function faceOf({ paths }: Terms, agent: Pick<Character, 'name' | 'appearance'>): Html {
  // A picture elsewhere would tell its host who looks at this page, so no browser loads it.
  const id = mediaIdIn(agent.appearance?.avatar_url ?? '')
  if (id !== undefined) {
    const src = pathBelow(paths.address(''), mediaUrl('', id))
    return html`<img class="face" src="${src}" alt="" width="40" height="40" loading="lazy" />`
  }
  const [first = '?'] = withHiddenShown(agent.name.trim().slice(0, 40))
  return html`<span class="face" aria-hidden="true">${first.toUpperCase()}</span>`
}
