import type { SignIn } from '#src/core/settings.ts'
import type { StoredPerson } from '#src/accounts/people/person.ts'
import { signInReturnPath } from '#src/accounts/people/attempt.ts'
import type { Browser, Shown } from '#tests/oauth/browser.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import {
  sentBackTo,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from '#tests/support/oauth/authorization-server.ts'
import type { StoreKind } from '#tests/support/stores.ts'

/** The provider of a company, and the address of a person there. */
export const company = 'Corp <b>& Sons</b>'
export const domain = 'corp.example'
export const ada = `ada@${domain}`

/** A server on which persons sign in by providers of their own. */
export interface Provided extends PlayedServer {
  /** Of the company, which speaks for its domain. */
  company: TestAuthorizationServer
  /** Speaks for no domain. */
  other: TestAuthorizationServer
  /** Where a person leaves for one of them. */
  leaving(provider: TestAuthorizationServer, more?: Record<string, string>): string
  /** The person goes to the provider, and has not come back yet: the path with which they do. */
  leaves(browser: Browser, path: string): Promise<string>
  /** The person goes on to the address of a provider, and comes back. */
  returns(browser: Browser, address: string): Promise<Shown>
  /** Goes there and comes back. */
  signsIn(browser: Browser, provider?: TestAuthorizationServer): Promise<Shown>
  /** Who is signed in at a browser; undefined if no one is. */
  me(browser: Browser): Promise<{ id: string; email: string } | undefined>
  persons(): Promise<StoredPerson[]>
}

/** @param more settings in addition to the providers */
export async function provided(
  kind: StoreKind,
  { passwords = true, inIdToken = true, env = {} }: Partial<Terms> = {},
): Promise<Provided> {
  // A loopback redirect is good for any port.
  const redirect = `http://127.0.0.1${signInReturnPath}`
  const start = () => startAuthorizationServer(redirect, { registers: false, inIdToken })
  const [own, other] = await Promise.all([start(), start()])
  own.person = { sub: 'ada-1', email: ada, email_verified: true }
  other.person = { sub: 'eve-1', email: 'eve@mail.example', email_verified: true }
  const client = { client_id: 'by-hand', client_secret: 'by-hand-secret' }
  const providers = [
    { issuer: own.issuer, name: company, domains: [domain], ...client },
    { issuer: other.issuer, name: 'Mail', ...client },
  ]
  const server = await openServer(kind, {
    ABODE_SIGN_IN: JSON.stringify({ passwords, providers }),
    ...env,
  })
  const { url, world } = server
  const made: Provided = {
    ...server,
    company: own,
    other,
    leaving: ({ issuer }, more = {}) =>
      `/sign-in/with?${new URLSearchParams({ issuer, ...more }).toString()}`,
    async leaves(browser, path) {
      const { goesTo, status, text } = await browser.get(path)
      if (goesTo === '') throw new Error(`it does not leave: ${status} ${text}`)
      const back = await sentBackTo(`${url}${signInReturnPath}`, goesTo)
      return back.pathname + back.search
    },
    async returns(browser, address) {
      const back = await sentBackTo(`${url}${signInReturnPath}`, address)
      return browser.get(back.pathname + back.search)
    },
    signsIn: async (browser, provider = own) =>
      browser.get(await made.leaves(browser, made.leaving(provider))),
    async me(browser) {
      const { status, text } = await browser.call('/api/auth/me')
      if (status !== 200) return undefined
      const { person } = JSON.parse(text) as { person: { id: string; email: string } }
      return person
    },
    persons: () => world.ports.store.persons.find({}),
    async close() {
      await server.close()
      own.close()
      other.close()
    },
  }
  return made
}

interface Terms extends Pick<SignIn, 'passwords'> {
  /** Whether ID tokens name the address. */
  inIdToken: boolean
  env: Record<string, string>
}
