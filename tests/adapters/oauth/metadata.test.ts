import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOAuth } from '#adapters/oauth/oauth.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import type { OAuth } from '#src/ports/oauth.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

const known = '/.well-known/oauth-protected-resource'
let web: WebServer
let other: WebServer
let oauth: OAuth
/** Waits less long. */
let hasty: OAuth
let asked: string[]

beforeEach(async () => {
  web = await startWebServer()
  other = await startWebServer()
  asked = []
  const allow = [web.origin, other.origin]
  const sender = openSender({ allow, userAgent: 'abode-tests' })
  oauth = openOAuth(sender)
  hasty = openOAuth(sender, 300)
})
afterEach(() => {
  web.close()
  other.close()
})

function answer(response: ServerResponse, body: unknown, status = 200): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

function serve(at: WebServer, path: string, body: unknown, status?: number): string {
  return at.on(path, (_, response) => {
    asked.push(path)
    answer(response, body, status)
  })
}

const resource = (more: object = {}) => ({
  resource: `${web.origin}/mcp`,
  authorization_servers: ['https://as.example'],
  ...more,
})
const of = (challenge?: string, by = oauth) =>
  by.resource(`${web.origin}/mcp?toolsets=core`, challenge)

describe('what a protected resource says of itself', () => {
  it('is found at the well-known address of its path, then of its origin', async () => {
    serve(web, known, resource({ resource: web.origin }))
    expect(await of()).toMatchObject({ resource: web.origin, issuer: 'https://as.example' })
    serve(web, `${known}/mcp`, resource({ scopes_supported: ['a', 'b c', 7, 'a'] }))
    expect(await of()).toEqual({
      resource: `${web.origin}/mcp`,
      issuer: 'https://as.example',
      scopes: ['a'],
      name: null,
    })
  })

  it('is asked for where the challenge says, with the scopes that it names', async () => {
    const at = serve(web, '/about', resource({ scopes_supported: ['a'] }))
    const challenge = `Basic realm="x", Bearer error=invalid_token, scope="b c", resource_metadata="${at}"`
    expect(await of(challenge)).toMatchObject({ scopes: ['b', 'c'] })
    expect(asked).toEqual(['/about'])
  })

  it('is the same with a last slash', async () => {
    serve(web, `${known}/mcp`, resource({ resource: `${web.origin}/mcp/` }))
    expect((await of())?.resource).toBe(`${web.origin}/mcp/`)
  })

  it('is not asked for at another origin', async () => {
    const at = serve(other, '/about', resource())
    expect(await of(`Bearer resource_metadata="${at}"`)).toBeUndefined()
    expect(asked).toEqual([])
  })

  it.each([
    ['nothing', undefined],
    ['a page', '<html>'],
    ['a list', []],
  ])('is none where there is %s', async (_, body) => {
    if (body !== undefined) serve(web, `${known}/mcp`, body)
    expect(await of()).toBeUndefined()
  })

  it.each([
    ['another origin', () => other.origin],
    ['another path', () => `${web.origin}/mc`],
    ['a path below', () => `${web.origin}/mcp/more`],
    ['a longer name', () => `${web.origin}/mcp2`],
    ['a query', () => `${web.origin}/mcp?toolsets=core`],
    ['a fragment', () => `${web.origin}/mcp#x`],
    ['no address', () => 'mcp'],
    ['nothing', () => undefined],
  ])('is refused where it is about %s', async (_, about) => {
    serve(web, `${known}/mcp`, resource({ resource: about() }))
    await expect(of()).rejects.toMatchObject({ fault: 'other_resource' })
  })

  it.each([
    [[]],
    [['http://as.example']],
    [['https://user:password@as.example']],
    [['javascript:alert(1)']],
    [[7]],
    ['https://as.example'],
  ])('is refused where its authorization servers are %j', async (authorization_servers) => {
    serve(web, `${known}/mcp`, resource({ authorization_servers }))
    await expect(of()).rejects.toMatchObject({ fault: 'unusable' })
  })

  it('is refused where it is huge, and ends where it is slow', async () => {
    serve(web, `${known}/mcp`, resource({ more: 'x'.repeat(70_000) }))
    await expect(of()).rejects.toMatchObject({ fault: 'unusable' })
    web.on(`${known}/mcp`, (_, response) => void response.writeHead(200).write('{'))
    await expect(of(undefined, hasty)).rejects.toMatchObject({ fault: 'unreachable' })
  })

  it('is waited for no longer where it is slow at every place', async () => {
    for (const path of [`${known}/mcp`, known]) {
      web.on(path, (_, response) => {
        asked.push(path)
        setTimeout(() => response.writeHead(404).end(), 200)
      })
    }
    await expect(of(undefined, hasty)).rejects.toMatchObject({ fault: 'unreachable' })
    expect(asked).toHaveLength(2)
  })

  it('is not followed inside the network', async () => {
    web.on(`${known}/mcp`, (_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.9:1/' }).end()
    })
    await expect(of()).rejects.toMatchObject({ fault: 'unreachable' })
    const guarded = openOAuth(openSender({ allow: [], userAgent: 'abode-tests' }))
    await expect(guarded.resource(`${web.origin}/mcp`, undefined)).rejects.toThrow('does not call')
  })

  it('is not asked for where tokens could be read on their way', async () => {
    expect(await oauth.resource('http://tools.example/mcp', undefined)).toBeUndefined()
  })
})

describe('what an authorization server says of itself', () => {
  const oauthAt = '/.well-known/oauth-authorization-server'
  const openidAt = '/.well-known/openid-configuration'
  const server = (path = '', more: object = {}) => ({
    issuer: web.origin + path,
    authorization_endpoint: `${web.origin}/authorize`,
    token_endpoint: `${web.origin}/token`,
    code_challenge_methods_supported: ['plain', 'S256'],
    ...more,
  })

  it.each([
    ['in the form of OAuth', `${oauthAt}/tenant`],
    ['in the form of OpenID, inserted', `${openidAt}/tenant`],
    ['in the form of OpenID, appended', `/tenant${openidAt}`],
  ])('is found %s', async (_, path) => {
    serve(web, path, server('/tenant'))
    expect(await oauth.server(`${web.origin}/tenant`)).toMatchObject({
      issuer: `${web.origin}/tenant`,
      token_endpoint: `${web.origin}/token`,
    })
  })

  it('is the same with a last slash', async () => {
    serve(web, oauthAt, server('/'))
    expect((await oauth.server(web.origin)).issuer).toBe(`${web.origin}/`)
  })

  it.each([
    ['other_issuer', { issuer: 'https://as.example' }],
    ['other_issuer', { issuer: undefined }],
    ['no_pkce', { code_challenge_methods_supported: ['plain'] }],
    ['no_pkce', { code_challenge_methods_supported: undefined }],
    ['unusable', { token_endpoint: undefined }],
    ['unusable', { token_endpoint: 'http://as.example/token' }],
    ['unusable', { authorization_endpoint: 'javascript:alert(1)' }],
    ['unusable', { authorization_endpoint: 'https://user:password@as.example/' }],
  ])('is refused as %s with %j', async (fault, more) => {
    serve(web, oauthAt, server('', more))
    await expect(oauth.server(web.origin)).rejects.toMatchObject({ fault })
  })

  it('is refused where there is nothing', async () => {
    await expect(oauth.server(web.origin)).rejects.toMatchObject({ fault: 'unusable' })
    await expect(oauth.server('http://as.example')).rejects.toMatchObject({ fault: 'unusable' })
  })

  it.each(['https://127.0.0.9', 'https://169.254.169.254', 'https://10.0.0.1', 'http://[::1]:9'])(
    'is not asked at %s, nor are its places there',
    async (inside) => {
      await expect(oauth.server(inside)).rejects.toThrow('does not call')
      serve(web, oauthAt, server('', { token_endpoint: inside, registration_endpoint: inside }))
      const found = await oauth.server(web.origin)
      const grant = { refreshToken: 'r', resource: web.origin }
      const client = { id: 'c', secret: null, method: 'none' } as const
      await expect(oauth.refresh(found, client, grant)).rejects.toThrow('does not call')
    },
  )

  it('leaves out what of its further places is none', async () => {
    const more = { registration_endpoint: 'file:///x', revocation_endpoint: 7, scopes_supported: 7 }
    serve(web, oauthAt, server('', more))
    expect(await oauth.server(web.origin)).toEqual({
      issuer: web.origin,
      authorization_endpoint: `${web.origin}/authorize`,
      token_endpoint: `${web.origin}/token`,
    })
  })

  it('is sent codes and tokens at its own places alone, by no redirect', async () => {
    serve(other, '/token', { access_token: 'a', token_type: 'bearer' })
    serve(web, oauthAt, server())
    web.on('/token', (_, response) => {
      response.writeHead(307, { location: `${other.origin}/token` }).end()
    })
    const found = await oauth.server(web.origin)
    const client = { id: 'c', secret: null, method: 'none' } as const
    const grant = { refreshToken: 'r', resource: web.origin }
    await expect(oauth.refresh(found, client, grant)).rejects.toThrow('redirected')
    expect(asked).toEqual([oauthAt])
  })

  it.each([
    ['a token that no header holds', { access_token: 'a\nb', token_type: 'bearer' }],
    ['a token of another kind', { access_token: 'a', token_type: 'DPoP' }],
    ['no token', { token_type: 'bearer' }],
    ['a huge token', { access_token: 'a'.repeat(9000), token_type: 'bearer' }],
  ])('is refused with %s', async (_, body) => {
    serve(web, oauthAt, server())
    serve(web, '/token', body)
    const found = await oauth.server(web.origin)
    const client = { id: 'c', secret: null, method: 'none' } as const
    const grant = { refreshToken: 'r', resource: web.origin }
    await expect(oauth.refresh(found, client, grant)).rejects.toMatchObject({ fault: 'unusable' })
  })

  it('is quoted by its error code alone', async () => {
    serve(web, oauthAt, server())
    serve(web, '/token', { error: 'invalid_grant', error_description: '<b>secret words</b>' }, 400)
    const found = await oauth.server(web.origin)
    const client = { id: 'c', secret: null, method: 'none' } as const
    const grant = { refreshToken: 'r', resource: web.origin }
    await expect(oauth.refresh(found, client, grant)).rejects.toMatchObject({
      fault: 'refused',
      error: 'invalid_grant',
      message: 'The authorization server refused: invalid_grant.',
    })
    serve(web, '/token', { error: '<script>' }, 400)
    await expect(oauth.refresh(found, client, grant)).rejects.toMatchObject({
      error: undefined,
      message: 'The authorization server refused.',
    })
  })
})
