import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { SignInProvider } from '#src/core/settings.ts'
import { field } from '../fields.ts'
import type { Paths } from '../paths.ts'
import { nextField } from '../entry/sign-in.ts'

/** A person who has left to sign in with a provider. */
export interface Left {
  paths: Paths
  /** Undefined if there is no such. */
  provider?: SignInProvider | undefined
  /** The path to go on to afterwards. */
  next?: string | undefined
}

/** Leads on to the provider: by a link, since a browser asks of a form where all of its redirects lead. */
export function goOnView({ provider }: Left, address: string): View {
  const name = provider?.name ?? ''
  const main = html`<p>You sign in with <bdi>${name}</bdi>, and come back here afterwards.</p>
    <p class="actions">
      <a class="button main" href="${address}">Go on to <bdi>${name}</bdi></a>
    </p>`
  return { status: 200, title: 'Go on to sign in', main }
}

/** After a person has not come in. */
export function notSignedInView(
  left: Left,
  { status, why }: { status: number; why: string },
): View {
  const main = html`<p class="problem" role="alert">${why}</p>
    ${otherWays(left)}`
  return { status, title: 'You are not signed in', main }
}

/** Asks a newcomer for an invitation. */
export function invitationView(left: Left & { provider: SignInProvider }, signUp: SignUp): View {
  const { paths, provider, next } = left
  const main = html`<p>
      <bdi>${provider.name}</bdi> says who you are. You have no account here yet, and accounts are
      given by invitation. ${whomToAsk(signUp)}
    </p>
    <form method="post" action="${paths.signInWith()}" novalidate class="card">
      ${nextField(next)}<input type="hidden" name="issuer" value="${provider.issuer}" />
      ${field({
        name: 'invitation',
        label: 'Invitation code',
        attributes: html`type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
        maxlength="200" required`,
        problems: {},
      })}
      <button class="main">Go on</button>
    </form>
    ${otherWays(left)}`
  return { status: 403, title: 'By invitation', main }
}

function otherWays({ paths, provider, next }: Left): Html {
  const again = provider && paths.signInWith({ issuer: provider.issuer, next })
  const other = next === undefined ? paths.signIn : paths.signInFor(next)
  return html`<p>
    ${again !== undefined && html`<a href="${again}" rel="nofollow">Try again</a> or `}
    <a href="${other}">see all ways to sign in</a>
  </p>`
}
