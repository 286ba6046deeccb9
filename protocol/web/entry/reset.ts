import { usableLink } from '#src/accounts/mail/link.ts'
import { pageOperations } from '#src/catalog/pages.ts'
import { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import { told, type Terms } from '../ask.ts'
import { problemOfAll, problemsOf, waitOf, type Problems } from '../fields.ts'
import { newPasswordField, passwordWords } from './credential-fields.ts'

/** The page of a link for a new password. Opening it changes nothing, so that a mail may be looked through. */
export function resetScreen(terms: Terms, code: string): Screen {
  const { paths } = terms
  return {
    async show(): Promise<View> {
      const refusal = await whyUnusable(terms, code)
      return refusal ? unusableView(refusal, paths.forgot) : choosingView({})
    },
    async submit(form, visitor): Promise<View | Leave> {
      const input = { code, password: form.get('password') ?? '' }
      const { refusal } = await told(terms, pageOperations.resetPassword, input, { visitor })
      if (!refusal) return { goTo: `${paths.signIn}?reset` }
      if (refusal.code === 'link_unusable') return unusableView(refusal, paths.forgot)
      const view = choosingView(problemsOf(refusal, { password: passwordWords }))
      return { ...view, status: refusal.status, ...waitOf(refusal) }
    },
  }
}

/** Why a link cannot be used; undefined if it can. */
async function whyUnusable(terms: Terms, code: string): Promise<Refusal | undefined> {
  try {
    await usableLink(terms, code, ['reset'])
    return undefined
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'link_unusable') return cause
    throw cause
  }
}

function choosingView(problems: Problems): View {
  const main = html`<p>
      Choose the password with which you sign in from now on. Wherever you are signed in, that ends.
    </p>
    <form method="post" novalidate class="card">
      ${problemOfAll(problems)} ${newPasswordField('New password', problems)}
      <button class="main">Set the password</button>
    </form>`
  return { status: 200, title: 'Set a new password', main }
}

function unusableView({ message, status }: Refusal, forgot: string): View {
  const main = html`<p>${message} A link works once, for an hour.</p>
    <p><a href="${forgot}">Have another one sent</a></p>`
  return { status, title: 'This link does not work', main }
}
