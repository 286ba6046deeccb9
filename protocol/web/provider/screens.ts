import { pageOperations } from '#src/catalog/pages.ts'
import { begunAttempt, openedAttempt } from '#src/accounts/people/attempt.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave, Screen, View } from '#src/core/html/view.ts'
import type { SignInProvider } from '#src/core/settings.ts'
import { OAuthFailure } from '#src/ports/oauth.ts'
import { told, type Terms } from '../ask.ts'
import { localPath } from '../paths.ts'
import { goOnView, invitationView, notSignedInView, type Left } from './views.ts'
import { sayingOf, waitOf } from '../fields.ts'

/** Where a person leaves to sign in with a provider. */
export function providerScreen(terms: Terms): Screen {
  const begun = async (
    asked: URLSearchParams,
    leave: (left: Left, address: string) => View | Leave,
  ): Promise<View | Leave> => {
    const left = leftFor(terms, asked.get('issuer'), localPath(asked.get('next')))
    if (!left) return notSignedInView({ paths: terms.paths }, { status: 404, why: noSuchWay })
    const { provider, next = null } = left
    // Nothing longer is an invitation.
    const invitation = asked.get('invitation')?.trim().slice(0, 200) || null
    try {
      const { address, kept } = await begunAttempt(terms.entrance, provider, { next, invitation })
      return { ...leave(left, address), attempt: kept }
    } catch (cause) {
      if (!(cause instanceof OAuthFailure)) throw cause
      const why = `${provider.name} cannot be used now. ${cause.message}`
      return notSignedInView(left, { status: 502, why })
    }
  }
  return {
    show: (query) => begun(query, (_, address) => ({ goTo: address })),
    submit: (form) => begun(form, goOnView),
  }
}

/** Where a provider sends a person back. What they bring counts in the browser in which they left, and once. */
export function providerReturnScreen(terms: Terms): Screen {
  const { entrance, paths } = terms
  return {
    async show(query, visitor) {
      const attempt = openedAttempt(entrance, visitor.attempt)
      const left = attempt && leftFor(terms, attempt.issuer, attempt.next ?? undefined)
      if (!left || visitor.attempt === undefined) {
        return notSignedInView({ paths }, { status: 403, why: unknown })
      }
      const input = { attempt: visitor.attempt, answer: query.toString() }
      const answer = await told(terms, pageOperations.signIn, input, { visitor })
      if (answer.refusal) return refusedView(terms, left, answer.refusal)
      return { goTo: left.next ?? paths.settings(), session: answer.session }
    },
  }
}

const noSuchWay = 'There is no such way to sign in here.'
const unknown =
  'This return belongs to no sign-in that you have begun in this browser, or it came too late.'

function leftFor(
  { entrance, paths }: Terms,
  issuer: string | null,
  next: string | undefined,
): (Left & { provider: SignInProvider }) | undefined {
  const provider = entrance.settings.signIn.providers.find((one) => one.issuer === issuer)
  return provider && { paths, provider, next }
}

function refusedView(
  { signUp }: Terms,
  left: Left & { provider: SignInProvider },
  refusal: Refusal,
): View {
  if (refusal.code === 'sign_up_closed' && signUp.mode === 'invited') {
    return invitationView(left, signUp)
  }
  const { code, hint, status } = refusal
  const why = [sayingOf(refusal), hint].filter((text) => text !== undefined).join(' ')
  // A 401 would name a method by which the browser itself could sign in; there is none.
  return {
    ...notSignedInView(left, { status: code === 'login_failed' ? 403 : status, why }),
    ...waitOf(refusal),
  }
}
