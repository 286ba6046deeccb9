import { html, type Html } from '#src/core/html/html.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import { whoVisits, type Terms } from '../ask.ts'
import { entered, entryStatus, wayIn, waysTo, type Entry } from './entry.ts'
import { entryForm } from './form.ts'
import { localPath, type Paths } from '../paths.ts'

/** The page to sign in and to register, which leads back to where the person came from. */
export function signInScreen(terms: Terms): Screen {
  const { paths } = terms
  return {
    async show(query, visitor): Promise<View | Leave> {
      const next = localPath(query.get('next'))
      if (await whoVisits(terms, visitor)) return { goTo: next ?? paths.home }
      const way = query.has('register') ? 'register' : 'sign_in'
      const done = query.has('reset') ? { done: passwordSet } : {}
      return viewOf(terms, { way, ...done }, next)
    },
    async submit(form, visitor): Promise<View | Leave> {
      const next = localPath(form.get('next'))
      const way = wayIn(form.get('action'))
      if (!way) return viewOf(terms, { way: 'sign_in' }, next)
      const answer = await entered(terms, way, { form, next }, visitor)
      if ('way' in answer) return viewOf(terms, answer, next)
      return { goTo: next ?? paths.home, session: answer.session }
    },
  }
}

const passwordSet = 'Your new password is set: sign in with it.'

function viewOf(terms: Terms, entry: Entry, next: string | undefined): View {
  const { paths, signUp } = terms
  const ways = waysTo(terms, next)
  const isNew = entry.way === 'register' && ways.passwords
  const place = { otherWay: otherWay(paths, isNew, next), hidden: nextField(next), signUp, ways }
  const main = entryForm(entry, place)
  return { title: isNew ? 'Register' : 'Sign in', main, ...entryStatus(entry, ways) }
}

function otherWay(paths: Paths, isNew: boolean, next: string | undefined): string {
  const query = new URLSearchParams({
    ...(!isNew && { register: '' }),
    ...(next !== undefined && { next }),
  })
  return query.size === 0 ? paths.signIn : `${paths.signIn}?${query.toString()}`
}

/** Tells the form where to continue to. */
export function nextField(next: string | undefined): Html {
  return html`${next !== undefined && html`<input type="hidden" name="next" value="${next}" />`}`
}
