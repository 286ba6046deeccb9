import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { beginOfDay, dayMs } from './dates.ts'
import { inZone } from './moments.ts'
import { icon, leftOut, opens, type Icon, type Look } from './parts.ts'
import type { Showing, ViewCall } from './view.ts'

/** What a day shows of a fire, or of several alike. */
export interface Fire {
  /** Milliseconds since the epoch. */
  at: number
  tone: Look['tone'] | 'coming'
  sign: Icon
  /** What happened, or will. */
  words: string
  /** Whose it is, where a week has those of several tasks. */
  of?: Html
  /** What tells more of it. */
  more?: ViewCall | undefined
}

/** A day in the reader's zone. */
export interface Day {
  /** Its name. */
  day: string
  isToday: boolean
  fires: readonly Fire[]
}

/** So many are seen of a day, and so many more where one asks for them. */
const shownADay = 8
const moreADay = 52

/**
 * Days in a row, each with its fires.
 * @param first a moment of the first of them
 */
export function daysFrom(
  first: number,
  many: number,
  fires: readonly Fire[],
  { now, zone }: Pick<Showing, 'now' | 'zone'>,
): Day[] {
  const byDay = Map.groupBy(fires, ({ at }) => inZone(at, 'day', zone))
  const today = inZone(now, 'day', zone)
  // A day is 23 to 25 hours long, and noon is always in it.
  const noon = beginOfDay(first, zone) + dayMs / 2
  return Array.from({ length: many }, (_, i) => {
    const day = inZone(noon + i * dayMs, 'day', zone)
    return { day, isToday: day === today, fires: byDay.get(day) ?? [] }
  })
}

/** Days next to each other, or below each other where there is little room. */
export function weekOf(days: readonly Day[], at: Showing): Html {
  return html`<ol class="week">
    ${days.map((day, index) => dayOf(day, index, at))}
  </ol>`
}

function dayOf({ day, isToday, fires }: Day, index: number, at: Showing): Html {
  const sorted = fires.toSorted((a, b) => a.at - b.at)
  const more = sorted.slice(shownADay, shownADay + moreADay)
  return html`<li class="${isToday ? 'day today' : 'day'}">
    <h2>${day}${isToday && html`<span class="word">, today</span>`}</h2>
    <div>
      ${fires.length === 0 && html`<p class="soft">–<span class="word"> nothing</span></p>`}
      ${firesOf(sorted.slice(0, shownADay), at)}
      ${
        more.length > 0 &&
        html`<details id="day-${index}">
          <summary>${count(sorted.length - shownADay, 'more', 'more')}</summary>
          ${firesOf(more, at)} ${leftOut(sorted.length - shownADay - moreADay, 'fire')}
        </details>`
      }
    </div>
  </li>`
}

function firesOf(fires: readonly Fire[], at: Showing): Html | undefined {
  if (fires.length === 0) return undefined
  return html`<ul>
    ${fires.map((fire) => fireOf(fire, at))}
  </ul>`
}

function fireOf({ at: when, tone, sign, words, of, more }: Fire, at: Showing): Html {
  const said = withHiddenShown(words.slice(0, 300))
  const label = html`${icon(sign)}<time datetime="${new Date(when).toISOString()}"
      >${inZone(when, 'clock', at.zone)}</time
    >${of}<span class="word">: ${said}</span>`
  return html`<li class="fire ${tone}" title="${said}">
    ${more ? opens(more, { label }, at) : html`<span class="opens">${label}</span>`}
  </li>`
}
