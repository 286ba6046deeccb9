import { Html, html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { View } from '#src/core/html/view.ts'
import { accountName } from '../holdings.ts'
import { signOutForm } from '../entry/sign-out.ts'
import type { HeldAccount, Me } from '../ask.ts'
import { namedRole } from '../members/roles.ts'
import type { Paths } from '../paths.ts'
import type { Looking } from './reader.ts'
import { placeIcon, type Place } from './icons.ts'
import { consoleLook } from './look.ts'

/** A page of the console. */
export interface ConsoleView extends Omit<View, 'status' | 'nav' | 'look'> {
  status?: number
  /** Where in the console it is, if it is a part of a place. */
  place?: Place
  /** Whether those may send its forms too who are no owner of the account. */
  isForAll?: boolean
}

/** Puts the page into the frame of the console: where one can go, and whose account it is. */
export function framed(looking: Looking, { place, isForAll, ...view }: ConsoleView): View {
  const { status = 200, main: whole, ...rest } = view
  const isReadOnly = !isForAll && looking.account.role !== 'owner'
  const main = html`${looking.isLost && lostNote(looking)}
  ${isReadOnly ? readOnly(looking, whole) : whole}`
  return { ...rest, main, status, nav: navOf(looking, place), look: consoleLook }
}

/** Tells that the account that was looked at is no longer theirs to see, until they go on with their own. */
function lostNote({ terms: { paths }, account }: Looking): Html {
  return html`<div class="problem" role="alert">
    <p>
      You are no member any more of the account that you had chosen. What you see here is of your
      own.
    </p>
    <form method="post" action="${paths.account}">
      <button name="account" value="${account.id}">Go on with my own account</button>
    </form>
  </div>`
}

/** A form that changes something: texts of others hold no markup, and no form is in another. */
const changing = ['<form method="post"', '</form>'] as const

/** What it says is wrong with what was sent. */
const wrong = ['<p class="problem" role="alert">', '</p>'] as const

/** Where the next of them begins and ends; undefined behind the last. */
function nextIn(text: string, [begin, end]: typeof changing | typeof wrong, from: number) {
  const begins = text.indexOf(begin, from)
  const ends = begins < 0 ? -1 : text.indexOf(end, begins)
  return ends < 0 ? undefined : { begins, ends: ends + end.length }
}

/** A page without the forms that only an owner may send; why one was refused that was sent all the same is still told. */
function readOnly({ account: { role } }: Looking, { text }: Html): Html {
  let left = ''
  let at = 0
  for (let form = nextIn(text, changing, 0); form; form = nextIn(text, changing, at)) {
    left += text.slice(at, form.begins)
    const problem = nextIn(text.slice(form.begins, form.ends), wrong, 0)
    if (problem) left += text.slice(form.begins + problem.begins, form.begins + problem.ends)
    at = form.ends
  }
  if (at === 0) return new Html(text)
  return html`<p class="soft">You are ${namedRole(role)} of this account: its owners change it.</p>
    ${new Html(left + text.slice(at))}`
}

function navOf({ terms: { paths }, me, account, needs }: Looking, here: Place | undefined): Html {
  const place = (name: Place, path: string, words: string, many = 0): Html =>
    html`<a href="${path}" ${name === here && html`aria-current="page"`}
      >${placeIcon(name)}<span>${words}</span>${many > 0 && numberOf(many)}</a
    >`
  return html`<nav class="places" aria-label="Places">
      ${place('today', paths.home, 'Today')} ${place('needs', paths.needs, 'Needs you', needs)}
      ${place('runs', paths.runs(), 'Runs')} ${place('schedule', paths.schedule(), 'Schedule')}
      ${place('agents', paths.agents, 'Agents')}
    </nav>
    <nav class="own" aria-label="Your account">
      ${place('settings', paths.settings(account.own ? undefined : account.id), 'Settings')}
    </nav>
    <div class="whose">
      ${accountChoice(paths, me, account)}
      <p class="soft"><bdi>${me.person.email}</bdi></p>
      ${signOutForm(paths, undefined, 'plain')}
    </div>`
}

/** Which account is shown, and the others that the person may look at. */
function accountChoice(paths: Paths, { accounts }: Me, shown: HeldAccount): Html {
  const others = accounts.filter(({ id }) => id !== shown.id)
  if (others.length === 0) return html`<p>${calledBy(shown)}</p>`
  return html`<details>
    <summary>${calledBy(shown)}</summary>
    <form method="post" action="${paths.account}">
      ${others.map(
        (one) =>
          html`<button class="plain" name="account" value="${one.id}">${calledBy(one)}</button>`,
      )}
    </form>
  </details>`
}

function calledBy(account: HeldAccount): Html {
  const isNameless = account.own && account.name === null
  return isNameless ? html`Your own account` : accountName(account)
}

const shownAtMost = 99

function numberOf(many: number): Html {
  const shown = many > shownAtMost ? `${shownAtMost}+` : String(many)
  return html`<span class="many" aria-label="${count(many, 'thing')} to decide">${shown}</span>`
}
