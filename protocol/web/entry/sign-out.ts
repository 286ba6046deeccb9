import { pageOperations } from '#src/catalog/pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import { isSignedOut, told, whoVisits, type Terms } from '../ask.ts'
import { localPath, type Paths } from '../paths.ts'
import { nextField } from './sign-in.ts'

/** The page to sign out; its form is also on other pages. */
export function signOutScreen(terms: Terms): Screen {
  const { paths } = terms
  return {
    async show(query, visitor): Promise<View | Leave> {
      const next = localPath(query.get('next'))
      const me = await whoVisits(terms, visitor)
      if (!me) return { goTo: next ?? paths.signIn }
      const main = html`<p>You are signed in as <bdi>${me.person.email}</bdi>.</p>
        ${signOutForm(paths, next, 'main')}
        <p><a href="${paths.settings()}">Stay signed in</a></p>`
      return { status: 200, title: 'Sign out', main }
    },
    async submit(form, visitor): Promise<Leave> {
      const goTo = localPath(form.get('next')) ?? paths.signIn
      if (!visitor.session) return { goTo }
      const { refusal } = await told(terms, pageOperations.logout, {}, { visitor })
      // Who may do nothing here any more may leave.
      const isOver = refusal && (isSignedOut(refusal) || refusal.code === 'account_suspended')
      if (refusal && !isOver) throw refusal
      return { goTo, session: 'ended' }
    },
  }
}

/** A form that signs out, and continues to this path. */
export function signOutForm(
  paths: Paths,
  next: string | undefined,
  look: 'main' | 'plain' | 'button',
): Html {
  return html`<form method="post" action="${paths.signOut}">
    ${nextField(next)}<button class="${look}">Sign out</button>
  </form>`
}

/** The navigation for a person who is signed in. */
export function ownNav(paths: Paths): Html {
  return html`<nav aria-label="Your account">
    <a href="${paths.home}">Today</a> <a href="${paths.settings()}">Settings</a>
    ${signOutForm(paths, undefined, 'plain')}
  </nav>`
}
