import { nextOf } from '#src/accounts/mail/newcomer.ts'
import { pageOperations } from '#src/catalog/pages.ts'
import { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import { told, type Terms } from '../ask.ts'
import { problemOfAll, problemsOf, sayingOf, waitOf, type Problems } from '../fields.ts'
import { localPath } from '../paths.ts'
import { codeField, passwordField } from './credential-fields.ts'

/** The page of a link that verifies an address. Opening it changes nothing, so that a mail may be looked through. */
export function verifyScreen(terms: Terms, code: string): Screen {
  const { paths, entrance, store, clock } = terms
  const followed = async (): Promise<string | null | Refusal> => {
    try {
      return await nextOf({ ...entrance, store, clock }, code)
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'link_unusable') return cause
      throw cause
    }
  }
  return {
    async show(): Promise<View> {
      const next = await followed()
      return next instanceof Refusal ? unusableView(next, paths.signIn) : askingView({})
    },
    async submit(form, visitor): Promise<View | Leave> {
      const next = await followed()
      if (next instanceof Refusal) return unusableView(next, paths.signIn)
      const typed = form.get('code_of_app')
      const more = typed === null ? {} : { code_of_app: typed }
      const input = { code, password: form.get('password') ?? '', ...more }
      const answer = await told(terms, pageOperations.verifyEmail, input, { visitor })
      const { refusal } = answer
      if (!refusal) return { goTo: localPath(next) ?? paths.home, session: answer.session }
      if (refusal.code === 'link_unusable') return unusableView(refusal, paths.signIn)
      if (refusal.code === 'second_factor_required') return askingView({}, true)
      if (typed !== null && refusal.code === 'login_failed') {
        const problems = { '': 'The password or the code is wrong.' }
        return { ...askingView(problems, true), status: 422 }
      }
      if (refusal.code === 'login_failed') {
        return { ...askingView({ password: wrongPassword }), status: 422 }
      }
      const isInvalid = refusal.kind === 'invalid'
      const problems = isInvalid ? problemsOf(refusal, {}) : { '': sayingOf(refusal) }
      return { ...askingView(problems), status: refusal.status, ...waitOf(refusal) }
    },
  }
}

const wrongPassword =
  'This is not the password that was chosen. If you did not choose one here, someone else has: do nothing.'

function askingView(problems: Problems, asksForCode = false): View {
  const main = html`<p>Enter the password that you have chosen here. Then you are signed in.</p>
    <form method="post" novalidate class="card">
      ${problemOfAll(problems)} ${passwordField(problems)}
      ${asksForCode && codeField(problems, 'Code of your app, or a recovery code', 'code_of_app')}
      <button class="main">Confirm my address</button>
    </form>`
  return { status: 200, title: 'Confirm your e-mail address', main }
}

function unusableView({ message, status }: Refusal, signIn: string): View {
  const main = html`<p>${message} A link works once, for a day.</p>
    <p><a href="${signIn}">Sign in</a>, or <a href="${signIn}?register">register again</a>.</p>`
  return { status, title: 'This link does not work', main }
}
