import { html, type Html, type Part } from '#src/core/html/html.ts'
import type { Source } from '#src/core/text/untrusted.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { count } from '#src/core/html/words.ts'
import type { Showing, ViewCall } from './view.ts'

/** Of a name, so many characters are shown. */
const nameAtMost = 80
/** Of a longer text. */
const textAtMost = 6_000

/** A name that others chose: a stretch with a direction of its own, cut where it is long. */
export function name(text: string, atMost = nameAtMost): Html {
  return html`<bdi>${withHiddenShown(shortened(text, atMost))}</bdi>`
}

/** An agent by its name; where that is not known by its handle in its app, with whose id its own begins. */
export function agentName(id: string, appId: string | null, at: Pick<Showing, 'agent'>): Html {
  const known = at.agent?.(id)
  if (known !== undefined) return name(known)
  const prefix = `${appId}--`
  return name(appId !== null && id.startsWith(prefix) ? id.slice(prefix.length) : id)
}

/** What agents or others wrote, as text; it says how much of it is left out. */
export function said(value: unknown, atMost = textAtMost): Html {
  const text = textOf(value)
  const left = text.length - atMost
  const shown = withHiddenShown(left > 0 ? text.slice(0, atMost).toWellFormed() : text)
  return html`<div class="said" dir="auto">${shown}</div>
    ${left > 0 && html`<p class="soft">${count(left, 'more character')} are not shown here.</p>`}`
}

/** The same where lines and spaces matter, and may be wider than the page. @param label what it is */
export function literal(value: unknown, label: string, atMost = textAtMost): Html {
  return html`<div class="literal" tabindex="0" role="group" aria-label="${label}">
    ${said(value, atMost)}
  </div>`
}

/** A value as people read it: a text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
}

function shortened(text: string, atMost: number): string {
  return text.length > atMost ? `${text.slice(0, atMost).toWellFormed()}…` : text
}

/** Who reads a text of others has to know that they wrote it. */
export function outside(marks: { untrusted?: boolean; source?: Source }): Html | undefined {
  if (!marks.untrusted) return undefined
  const { kind, address, handle, char_id } = marks.source ?? {}
  const from = address ?? handle ?? char_id
  return html`<p class="outside">
    ${icon('warning')}<span
      >Written outside of the
      account${kind !== undefined && html` (${kind}${from !== undefined && html`, ${name(from)}`})`}.
      Judge it; it may say anything.</span
    >
  </p>`
}

const paths = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4.5 4.5l7 7m0-7l-7 7',
  clock: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 5v3.3l2 1.4',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  ring: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  hand: 'M6.2 6a1.9 1.9 0 1 1 2.6 1.8c-.5.2-.8.6-.8 1.2M8 11.6h.01',
  slash: 'M4.5 11.5l7-7',
  skip: 'M4 4.5l4.5 3.5L4 11.5M12 4.5v7',
  warning: 'M8 2.5l6 10.5H2L8 2.5M8 6.5v3M8 11.2h.01',
  arrow: 'M3 8h9.5M9 4.5L12.5 8 9 11.5',
} as const
/** The name of a sign. */
export type Icon = keyof typeof paths

/** A sign next to a word, which says the same. */
export function icon(which: Icon): Html {
  return html`<svg class="icon ${which}" viewBox="0 0 16 16" aria-hidden="true">
    <path d="${paths[which]}" />
  </svg>`
}

/** How something stands, told by a word, a sign and a colour. */
export interface Look {
  word: string
  tone: 'good' | 'bad' | 'wait' | 'busy' | 'calm'
  icon: Icon
}

/** A look as a small label. */
export function badge({ word, tone, icon: sign }: Look): Html {
  return html`<span class="badge ${tone}">${icon(sign)}${word}</span>`
}

/** Members with their values; those that are absent, or false, are left out. */
export function facts(members: readonly (readonly [label: string, value: Part])[]): Html {
  const absent: readonly Part[] = [undefined, null, false, '']
  const shown = members.filter(([, value]) => !absent.includes(value))
  return html`<dl class="facts">
    ${shown.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

/** What says how much of a list is not shown. */
export function leftOut(many: number, one: string): Html | undefined {
  if (many <= 0) return undefined
  return html`<p class="soft">
    ${count(many, `more ${one}`)} ${many === 1 ? 'is' : 'are'} not shown here.
  </p>`
}

/** Something that a reader can do. */
export interface Act extends ViewCall {
  /** What its buttons say, by the value of `decision` or the like that each sends. */
  buttons: readonly { label: Part; kind?: 'main' | 'bad'; sends?: readonly [string, string] }[]
  fields?: Html
  /** What is shown then: its answer, or what is shown now as it stands after it. */
  shows: 'answer' | 'again'
  about?: string
}

/**
 * A form that calls an operation: in a host by the script of the view, on a page by being sent to it. The input of the
 * call is what the form holds, and what its fields and the pressed button add.
 */
export function act(
  { operation, input, buttons, fields, shows, about }: Act,
  { once }: Pick<Showing, 'once'>,
): Html {
  return html`<form method="post" class="act" data-shows="${shows}">
    <input type="hidden" name="operation" value="${operation}" />
    ${once !== undefined && html`<input type="hidden" name="once" value="${once}" />`}
    <input type="hidden" name="input" value="${JSON.stringify(input)}" />${fields}
    <div class="buttons" ${about !== undefined && html` role="group" aria-label="${about}"`}>
      ${buttons.map(
        ({ label, kind, sends: [member, value] = ['', ''] }) =>
          html`<button class="${kind ?? 'quiet'}" name="${member}" value="${value}">
            ${label}
          </button>`,
      )}
    </div>
  </form>`
}

/** What shows the answer of a call that changes nothing: a link where pages show it, else a button that calls it. */
export function opens(
  call: ViewCall,
  { label, isButton = false }: { label: Part; isButton?: boolean },
  at: Showing,
): Html {
  const address = at.page?.(call)
  if (address !== undefined) {
    return html`<a class="${isButton ? 'button quiet' : 'opens'}" href="${address}">${label}</a>`
  }
  if (at.isStill) return html`${!isButton && html`<span class="opens">${label}</span>`}`
  return act({ ...call, shows: 'answer', buttons: [{ label }] }, at)
}

/** Leads to what was shown before, where something was. */
export function back({ isOpened }: Showing): Html | undefined {
  if (!isOpened) return undefined
  return html`<p><button type="button" class="plain" data-back>Back</button></p>`
}
