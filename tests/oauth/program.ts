import * as oauth from 'oauth4webapi'
import type { Browser, Shown } from './browser.ts'
import { randomHex } from '#src/core/ids.ts'

const local = { [oauth.allowInsecureRequests]: true } as const

/** A program that asks persons for access, by the addresses that the service names. */
export interface Program {
  server: oauth.AuthorizationServer
  client: oauth.Client
  redirect: string
}

/** A request under way: what the program keeps until the browser comes back. */
export interface Begun {
  address: string
  verifier: string
  state: string
}

/** What a program may ask for besides. */
export interface Asked {
  scope?: string
  resource?: string
  prompt?: string
  [parameter: string]: string | undefined
}

export async function discovered(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...local })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** A program that has registered itself. */
export async function registered(
  url: string,
  metadata: Record<string, unknown> = {},
): Promise<Program> {
  const server = await discovered(url)
  const redirect = 'http://127.0.0.1:4567/callback'
  const response = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'Test program',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    local,
  )
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  return { server, client, redirect }
}

/** The address to which the program sends the browser. */
export async function begun(
  { server, client, redirect }: Program,
  asked: Asked = {},
): Promise<Begun> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = randomHex(8)
  const address = new URL(server.authorization_endpoint ?? '')
  const parameters: Asked = {
    client_id: client.client_id,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...asked,
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return { address: address.href, verifier, state }
}

/** The tokens for the code with which the browser came back. */
export async function exchanged(
  { server, client, redirect }: Program,
  { verifier, state }: Begun,
  { goesTo }: Pick<Shown, 'goesTo'>,
  more: Record<string, string> = {},
): Promise<oauth.TokenEndpointResponse> {
  const answer = oauth.validateAuthResponse(server, client, new URL(goesTo), state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    answer,
    redirect,
    verifier,
    { ...local, additionalParameters: more },
  )
  return oauth.processAuthorizationCodeResponse(server, client, response)
}

/** Further tokens for a refresh token. */
export async function refreshed(
  { server, client }: Program,
  token: string,
  more: Record<string, string> = {},
): Promise<oauth.TokenEndpointResponse> {
  const options = { ...local, additionalParameters: more }
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    token,
    options,
  )
  return oauth.processRefreshTokenResponse(server, client, response)
}

/** Ends a token, as a program does that signs its person out. */
export async function revoked({ server, client }: Program, token: string): Promise<void> {
  const response = await oauth.revocationRequest(server, client, oauth.None(), token, local)
  await oauth.processRevocationResponse(response)
}

/** The form of the page on which a person decides, filled in as it came. */
export function consenting(shown: Shown, change: Record<string, string> = {}): [string, string][] {
  const account = /name="account" value="([^"]*)"/.exec(shown.text)?.[1]
  const scopes = [...shown.text.matchAll(/name="allowed" value="(\w+)"/g)].map(
    ([, one = '']) => one,
  )
  const asIs: [string, string][] = [
    ['action', 'allow'],
    ...(account === undefined ? [] : [['account', account] as [string, string]]),
    ...scopes.map((scope): [string, string] => ['allowed', scope]),
  ]
  return [...asIs.filter(([name]) => !(name in change)), ...Object.entries(change)]
}

/** Lets a person who is signed in agree; ends where the browser goes back to the program. */
export async function agreedIn(
  browser: Browser,
  request: Begun,
  change: Record<string, string> = {},
): Promise<Shown> {
  const page = await browser.follow(await browser.get(request.address))
  if (page.status !== 200) return page
  const here = consentOf(page)
  return browser.follow(await browser.post(here, consenting(page, change)))
}

/** The address of the page that was shown, from its own link back. */
export function consentOf({ text }: Shown): string {
  return /name="next" value="([^"]*)"/.exec(text)?.[1] ?? ''
}
