import { html, type Html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { BoundedCount } from '#src/core/counts/bounded.ts'

/** A part of a page with its heading. @param more what leads on, next to the heading */
export function part(title: Part, id: string, body: Part, more?: Part): Html {
  return html`<section class="part" aria-labelledby="${id}">
    <header>
      <h2 id="${id}">${title}</h2>
      ${more}
    </header>
    ${body}
  </section>`
}

/** One of a list: what it is, and how it stands. */
export interface Line {
  /** Where it leads; absent where it leads nowhere. */
  href?: string | undefined
  /** At its beginning, such as a picture. */
  before?: Part
  name: Part
  about?: Part
  /** At its end, such as a badge or a time. */
  end?: Part
}

/** A list of lines, or what is said where there are none. */
export function lines(all: readonly Line[], none: Part): Html {
  if (all.length === 0) return empty(none)
  return html`<ul class="lines">
    ${all.map((one) => html`<li>${lineOf(one)}</li>`)}
  </ul>`
}

/** One line, without its place in a list. */
export function lineOf({ href, before, name, about, end }: Line): Html {
  const inner = html`${before}<span class="about"
      ><strong>${name}</strong
      >${about !== undefined && html`<br /><span class="soft">${about}</span>`}</span
    >${end !== undefined && html`<span>${end}</span>`}`
  return href === undefined
    ? html`<div class="line-of">${inner}</div>`
    : html`<a class="line-of" href="${href}">${inner}</a>`
}

/** Says that there is nothing, and what to do about it. */
export function empty(words: Part): Html {
  return html`<div class="empty">${words}</div>`
}

/** A number with its name; in a tone where it asks for attention. */
export interface Figure {
  name: string
  value: Part
  tone?: 'bad' | 'wait' | undefined
}

/** The numbers of a page. */
export function numbers(figures: readonly Figure[]): Html {
  return html`<dl class="numbers">
    ${figures.map(
      ({ name, value, tone }) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="${tone ?? ''}">${value}</dd>
        </div>`,
    )}
  </dl>`
}

const format = new Intl.NumberFormat('en')

/** A count that may end before all were counted: `1,000+`. */
export function upTo({ count: many, more }: BoundedCount): string {
  return `${format.format(many)}${more ? '+' : ''}`
}

/** The same with what is counted: `12 runs`. */
export function countOf({ count: many, more }: BoundedCount, one: string): string {
  return more ? `more than ${count(many, one)}` : count(many, one)
}

/**
 * What follows the events of the account: after each event, and after each time that the stream was lost and found, the
 * parts of the page that are live are read again.
 * @param here the page itself, of which the same parts are taken
 */
export function live(eventsPath: string, here: string, body: Part): Html {
  const when = 'htmx:sse:after:message from:#live throttle:2s, htmx:sse:after:connection from:#live'
  return html`<div id="live" hx-sse:connect="${eventsPath}?from_now=true" hx-swap="none">
    ${body} ${readAgain(here, when)}
  </div>`
}

/** A part of a page that is live. */
export function livePart(id: string, body: Part): Html {
  return html`<div id="${id}" data-live>${body}</div>`
}

/** Has the live parts read again as often, where what goes on is in no event of the account. */
export function readEvery(seconds: number, here: string): Html {
  return readAgain(here, `every ${seconds}s`)
}

/** One look at the page, however many parts are taken from it. */
function readAgain(here: string, when: string): Html {
  return html`<div
    hidden
    hx-get="${here}"
    hx-swap="none"
    hx-select-oob="[data-live]:outerMorph"
    hx-trigger="${when}"
  ></div>`
}

/** A field to find something by. @param here the page itself, which then shows all of it again */
export function searchForm(here: string, label: string, text: string): Html {
  return html`<form class="tools" method="get" action="${here}" role="search">
    <div class="field wide">
      <label for="q">${label}</label>
      <input id="q" name="q" type="search" value="${text}" maxlength="200" dir="auto" />
    </div>
    <button>Find</button>
    ${text !== '' && html`<a class="button" href="${here}">Show all</a>`}
  </form>`
}

/** Where a list goes on. */
export function nextPage(href: string | undefined, words = 'Older'): Html | undefined {
  if (href === undefined) return undefined
  return html`<p class="pages"><a href="${href}" rel="next">${words}</a></p>`
}

/** The ways to pages that belong together. */
export function tabs(
  all: readonly { href: string; label: Part; isHere: boolean }[],
  label: string,
): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${all.map(
      ({ href, label: words, isHere }) =>
        html`<a href="${href}" ${isHere && html`aria-current="page"`}>${words}</a>`,
    )}
  </nav>`
}
