import { afterEach, beforeEach, expect, it } from 'vitest'
import { begun } from '#src/agents/connections/consent.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { connecting, type Connecting } from './connected.ts'

let store: Store
let made: Connecting
beforeEach(async () => {
  store = await (oneStore()[0] ?? expect.fail()).open()
  made = await connecting(store)
  await made.ran('api')
})
afterEach(async () => {
  await made.close()
  await store.close()
})

/** Where the person is sent by a server that is known by this address, to one that says this of itself. */
async function sentTo(publicUrl: string, more: object): Promise<URL> {
  const { ports } = made.world
  const server = await ports.oauth.server(made.authorization.issuer)
  const oauth = { ...ports.oauth, server: async () => ({ ...server, ...more }) }
  const settings = { ...ports.settings, publicUrl }
  const session = made.person.token
  const address = await begun({ ...ports, oauth, settings }, await made.connection(), { session })
  return new URL(address ?? expect.fail('a client has to be given'))
}

const registrations = (): number =>
  made.authorization.asked.filter((one) => one === 'POST /reg').length

it('is its own document where the other side takes it and can read it', async () => {
  const more = { client_id_metadata_document_supported: true }
  const url = await sentTo('https://abode.example', more)
  expect(url.searchParams.get('client_id')).toBe('https://abode.example/oauth/client.json')
  expect(url.searchParams.get('redirect_uri')).toBe('https://abode.example/oauth/callback')
  expect(registrations()).toBe(0)
  // Without TLS no one may take it.
  const plain = await sentTo('http://127.0.0.1:8080', more)
  expect(plain.searchParams.get('client_id')).not.toContain('/oauth/')
  expect(registrations()).toBe(1)
})

it('asks with PKCE, the resource, its scopes and a state', async () => {
  const { searchParams: sent } = await sentTo('http://127.0.0.1:8080', {})
  expect(Object.fromEntries(sent)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    resource: (await made.connection()).resource,
    scope: 'tools offline_access',
    prompt: 'consent',
    state: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
})

it('adds to the query that the other side has already', async () => {
  const authorization_endpoint = 'https://as.example/go?tenant=one&state=theirs'
  const { searchParams: sent } = await sentTo('http://127.0.0.1:8080', { authorization_endpoint })
  expect(sent.get('tenant')).toBe('one')
  expect(sent.getAll('state')).not.toContain('theirs')
})
