import { pageOperations } from '#src/catalog/pages.ts'
import { html } from '#src/core/html/html.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import { told, type Terms } from '../ask.ts'
import { problemOfAll, problemsOf, waitOf, type Problems } from '../fields.ts'
import { emailField } from './credential-fields.ts'

/** The page on which a link for a new password is asked for. It tells no one who has registered. */
export function forgotScreen(terms: Terms): Screen {
  const { paths, hasMail, entrance } = terms
  const isOffered = (): boolean => hasMail && entrance.settings.signIn.passwords
  return {
    async show(query): Promise<View | Leave> {
      if (!isOffered()) return { goTo: paths.signIn }
      return query.has('sent') ? sentView(paths.signIn) : askingView('', {})
    },
    async submit(form, visitor): Promise<View | Leave> {
      if (!isOffered()) return { goTo: paths.signIn }
      const email = form.get('email') ?? ''
      const { refusal } = await told(terms, pageOperations.requestReset, { email }, { visitor })
      if (!refusal) return { goTo: `${paths.forgot}?sent` }
      const view = askingView(email, problemsOf(refusal, words))
      return { ...view, status: refusal.status, ...waitOf(refusal) }
    },
  }
}

const words: Problems = { email: 'Enter your e-mail address, such as ada@example.org.' }

function askingView(email: string, problems: Problems): View {
  const main = html`<p>We send you a mail with a link, with which you set a new password.</p>
    <form method="post" novalidate class="card">
      ${problemOfAll(problems)} ${emailField(email, problems)}
      <button class="main">Send me a link</button>
    </form>`
  return { status: 200, title: 'Forgot your password?', main }
}

function sentView(signIn: string): View {
  const main = html`<p>
      If someone has registered with this address, a mail with a link is on its way. The link works
      for an hour, once.
    </p>
    <p>Nothing there after a few minutes? Look among unwanted mail, and check how you spelt it.</p>
    <p><a href="${signIn}">Back to signing in</a></p>`
  return { status: 200, title: 'Look into your mail', main }
}
