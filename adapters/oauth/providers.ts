import type * as Library from 'oauth4webapi'
import * as z from 'zod'
import { methodFor } from '#src/core/authorization/client-method.ts'
import type { ProvidedIdentity, Providers } from '#src/ports/oauth.ts'
import type { Streamer } from '#src/ports/sender.ts'
import { answerWithinMs, askOver, type Ask } from './ask.ts'
import { failure } from './failures.ts'
import { exchanged } from './grants.ts'
import { providerAt } from './metadata.ts'
import { askingAddress, throughLibrary, type Way } from './way.ts'

/** How long what a provider says of itself counts; the library keeps its keys as long. */
const freshMs = 300_000

/** Longest subject in characters, by OpenID Connect, and longest address. */
const Subject = z.string().min(1).max(255)
const Email = z.string().max(254).regex(z.regexes.html5Email)

/**
 * Providers of OpenID Connect by `oauth4webapi`.
 * @param guarded may reach the origins of the issuers, wherever they are
 * @param timeoutMs for one answer
 */
export function openProviders(guarded: Streamer, timeoutMs = answerWithinMs): Providers {
  const ask = askOver(guarded, timeoutMs)
  const through = throughLibrary(ask)
  const described = remembered(ask)
  return {
    askingAddress: ({ issuer, client, scopes }, { nonce, ...attempted }) =>
      through(async (way) =>
        askingAddress(way, await described(issuer), {
          clientId: client.id,
          scopes,
          ...attempted,
          more: { nonce },
        }),
      ),
    identity: ({ issuer, client }, returned) =>
      through(async (way) => {
        const as = await described(issuer)
        const self = { client_id: client.id }
        const method = methodFor(as, client.secret !== null)
        const sent = await exchanged(way, as, { ...client, method }, returned)
        const said = await way.library.processAuthorizationCodeResponse(as, self, sent, {
          expectedNonce: returned.nonce,
          requireIdToken: true,
        })
        await way.library.validateApplicationLevelSignature(as, sent, way.options)
        const claims = way.library.getValidatedIdTokenClaims(said)
        if (!claims) throw failure('unusable')
        if (claims['email'] !== undefined || as.userinfo_endpoint === undefined) {
          return identityOf(claims, claims)
        }
        return identityOf(claims, await userinfo(way, as, self, said.access_token, claims.sub))
      }),
  }
}

type Description = Awaited<ReturnType<typeof providerAt>>

/** Asks each issuer what it says of itself, for a while and for all at once. */
function remembered(ask: Ask): (issuer: string) => Promise<Description> {
  const known = new Map<string, { said: Promise<Description>; until: number }>()
  return (issuer) => {
    const found = known.get(issuer)
    if (found && performance.now() < found.until) return found.said
    const said = providerAt(ask, issuer)
    known.set(issuer, { said, until: performance.now() + freshMs })
    // A failure counts for those alone who wait for it.
    said.catch(() => known.delete(issuer))
    return said
  }
}

async function userinfo(
  { library, options }: Way,
  as: Library.AuthorizationServer,
  self: Library.Client,
  token: string,
  subject: string,
): Promise<Library.UserInfoResponse> {
  const sent = await library.userInfoRequest(as, self, token, options)
  return library.processUserInfoResponse(as, self, subject, sent)
}

function identityOf(
  { iss, sub }: Pick<Library.IDToken, 'iss' | 'sub'>,
  about: Readonly<Record<string, unknown>>,
): ProvidedIdentity {
  const subject = Subject.safeParse(sub)
  if (!subject.success) throw failure('unusable')
  const email = Email.safeParse(about['email'])
  return {
    issuer: iss,
    subject: subject.data,
    email: email.data ?? null,
    isVerified: about['email_verified'] === true,
  }
}
