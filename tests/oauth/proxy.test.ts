import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { oneStore } from '#tests/support/stores.ts'

/** An answer as it came. */
interface Came {
  status: number
  location: string
  cookies: string[]
  text: string
}

describe.each(['https://abode.example', 'https://abode.example/home'])(
  'behind a proxy with TLS, as %s',
  (publicUrl) => {
    let server: PlayedServer
    beforeAll(async () => {
      const [kind] = oneStore()
      if (!kind) throw new Error('no store')
      server = await openServer(kind, { PUBLIC_URL: publicUrl })
    })
    afterAll(() => server.close())

    /** What the proxy sends on: without TLS, with the name that it was called by, and without the path before it. */
    async function passedOn(path: string, sent?: { type: string; body: string }): Promise<Came> {
      const { promise, resolve, reject } = Promise.withResolvers<Came>()
      const headers = { host: 'abode.example', ...(sent && { 'content-type': sent.type }) }
      const method = sent ? 'POST' : 'GET'
      const asked = request(new URL(path, server.url), { method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          const { location = '', 'set-cookie': cookies = [] } = answered
          resolve({ status, location, cookies, text: Buffer.concat(chunks).toString() })
        })
      })
      asked.on('error', reject)
      asked.end(sent?.body)
      return promise
    }

    const form = 'application/x-www-form-urlencoded'
    const register = (metadata: object) =>
      passedOn('/oauth/register', { type: 'application/json', body: JSON.stringify(metadata) })

    test('every address that programs are told is public', async () => {
      const { text } = await passedOn('/.well-known/oauth-authorization-server')
      const metadata = JSON.parse(text) as Record<string, unknown>
      expect(metadata['issuer']).toBe(publicUrl)
      const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name))
      expect(addresses.length).toBeGreaterThan(5)
      for (const [name, address] of addresses) {
        expect(String(address), name).toMatch(new RegExp(`^${publicUrl}/(?:oauth|\\.well-known)/`))
      }
    })

    test('a browser is led on below the public address, with cookies for TLS alone', async () => {
      const redirect = 'https://host.example/callback'
      const { text } = await register({ redirect_uris: [redirect] })
      const { client_id = '' } = JSON.parse(text) as { client_id?: string }
      const asked = new URLSearchParams({
        client_id,
        redirect_uri: redirect,
        response_type: 'code',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
      })
      const { location, cookies } = await passedOn(`/oauth/authorize?${asked.toString()}`)
      expect(location).toMatch(new RegExp(`^${publicUrl}/oauth/consent/`))
      const { pathname } = new URL(publicUrl)
      const below = pathname === '/' ? '' : pathname
      expect(cookies.length).toBe(2)
      for (const cookie of cookies) {
        expect(cookie).toMatch(/; secure/i)
        expect(cookie).toMatch(new RegExp(`; path=${below}/oauth/(?:consent|authorize)/`))
      }
    })

    test('a device is sent to a page at the public address, whose form leads back to it', async () => {
      const { text } = await register({
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
        response_types: [],
      })
      const { client_id = '' } = JSON.parse(text) as { client_id?: string }
      const begun = await passedOn('/oauth/device-authorization', {
        type: form,
        body: new URLSearchParams({ client_id }).toString(),
      })
      expect(JSON.parse(begun.text)).toMatchObject({
        verification_uri: `${publicUrl}/oauth/device`,
      })
      const page = await passedOn('/oauth/device')
      expect(page.text).toContain(`action="${publicUrl}/oauth/device"`)
      expect(page.cookies.join()).toMatch(/abode_oauth=.*; secure/i)
    })
  },
)
