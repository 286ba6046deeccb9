import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call } from '#tests/support/rest/call.ts'
import { Browser } from '../browser.ts'
import { personAt } from '../person.ts'
import { agreeAt, connectDevice } from './person.ts'

const redirect_uri = 'http://127.0.0.1:4567/callback'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

describe('openid-client, which knows the issuer alone', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
  })
  afterAll(() => server.dispose())

  function registeredWith(metadata: Partial<openid.ClientMetadata>): Promise<openid.Configuration> {
    const known = { client_name: 'A program', token_endpoint_auth_method: 'none', ...metadata }
    const options = { execute: [openid.allowInsecureRequests] }
    return openid.dynamicClientRegistration(new URL(server.url), known, openid.None(), options)
  }

  async function asked(config: openid.Configuration, more: Record<string, string> = {}) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid read',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      ...more,
    })
    return { address, checks: { pkceCodeVerifier, expectedState } }
  }

  test('runs the code flow with PKCE, knows who signed in, and refreshes', async () => {
    const config = await registeredWith({ redirect_uris: [redirect_uri] })
    const expectedNonce = openid.randomNonce()
    const { address, checks } = await asked(config, { nonce: expectedNonce })
    const back = await agreeAt(await personAt(server.url), address.href)
    const tokens = await openid.authorizationCodeGrant(config, back, { ...checks, expectedNonce })
    expect(tokens.scope?.split(' ')).toContain('read')
    const { sub = '' } = tokens.claims() ?? {}
    expect(sub).not.toBe('')
    expect(await call(server.url, 'GET', '/api/account', tokens.access_token)).toHaveProperty('id')
    const more = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(more.access_token).not.toBe(tokens.access_token)
    expect(await call(server.url, 'GET', '/api/account', more.access_token)).toHaveProperty('id')
  })

  test('runs the device flow', async () => {
    const grants = { grant_types: [deviceGrant, 'refresh_token'], response_types: [] }
    const config = await registeredWith({ ...grants, redirect_uris: [] })
    const device = await openid.initiateDeviceAuthorization(config, { scope: 'read' })
    await connectDevice(await personAt(server.url), device.user_code)
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.05 })
    expect(tokens.scope).toBe('read')
    expect(await call(server.url, 'GET', '/api/account', tokens.access_token)).toHaveProperty('id')
  })

  test('may be come back to from the page for signing in too, by who has agreed before', async () => {
    const config = await registeredWith({ redirect_uris: [redirect_uri] })
    const { address } = await asked(config)
    const browser = new Browser(server.url)
    const page = await browser.follow(await browser.get(address.href))
    expect(page.text).toContain('E-mail address')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("form-action 'self' http://127.0.0.1:4567")
  })
})
