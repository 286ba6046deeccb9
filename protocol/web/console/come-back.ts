import { html } from '#src/core/html/html.ts'
import type { Leave, View, Visitor } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { entered, entryStatus, wayIn, waysTo, type Entry } from '../entry/entry.ts'
import { entryForm } from '../entry/form.ts'

/** Fields that no page keeps for later. */
const neverKept: ReadonlySet<string> = new Set([
  'password',
  'own_password',
  'key_password',
  'new_password',
  'code',
  'ticket',
  'answer',
])

/** The fields of the forms to enter. */
const ofEntry: ReadonlySet<string> = new Set([
  'action',
  'email',
  'password',
  'pending',
  'code',
  'ticket',
  'answer',
])

/** Begins the names of fields that wait for their person to sign in again. */
const kept = 'typed.'

/**
 * A form that came after its session had ended: its person signs in on the spot, and what they had typed waits
 * meanwhile in the page, unsent.
 */
export async function comeBack(
  terms: Terms,
  here: string,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<View | Leave> {
  const typed = [...form].flatMap(([name, value]) => {
    if (name.startsWith(kept)) return [[name, value] as const]
    const isKept = !isOfEntry(form, name) && !neverKept.has(name)
    return isKept ? [[kept + name, value] as const] : []
  })
  const entry: Entry = { way: 'sign_in' }
  if (!isEntry(form)) return viewOf(terms, here, entry, typed)
  const way = wayIn(form.get('action')) ?? 'sign_in'
  const answer = await entered(terms, way, { form }, visitor)
  if ('way' in answer) return viewOf(terms, here, answer, typed)
  // The browser has its session with this page, whose form brings back what was typed.
  const main = html`<p>You are signed in again, and nothing was sent yet.</p>
    <form method="post" action="${here}">
      ${hiddenOf(typed)}<button class="main" name="action" value="${again}">
        Go on with what you had typed
      </button>
    </form>`
  return { status: 200, title: 'Signed in again', main, session: answer.session }
}

const again = 'show_typed'

/** What was typed before, if the form only brings it back to be looked at. */
export function typedIn(form: URLSearchParams): URLSearchParams | undefined {
  if (form.get('action') !== again) return undefined
  return new URLSearchParams(
    [...form].flatMap(([name, value]) =>
      name.startsWith(kept) ? [[name.slice(kept.length), value]] : [],
    ),
  )
}

function isEntry(form: URLSearchParams): boolean {
  const action = form.get('action')
  if (action === 'second_factor') return form.has('pending')
  if (action === 'passkey') return form.has('ticket')
  return action === 'sign_in' && form.has('password')
}

function isOfEntry(form: URLSearchParams, name: string): boolean {
  return isEntry(form) && ofEntry.has(name)
}

function viewOf(terms: Terms, here: string, entry: Entry, typed: readonly Typed[]): View {
  const { signUp, paths } = terms
  const ways = waysTo(terms, here)
  const place = {
    otherWay: `${paths.signIn}?register`,
    hidden: hiddenOf(typed),
    signUp,
    ways,
  }
  const main = html`<p role="status">
      You were signed out meanwhile. Sign in again: what you had typed is kept, and nothing was
      sent.
    </p>
    ${entryForm(entry, place)}`
  return { title: 'Sign in again', main, ...entryStatus(entry, ways) }
}

type Typed = readonly [name: string, value: string]

function hiddenOf(typed: readonly Typed[]) {
  return html`${typed.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`
}
