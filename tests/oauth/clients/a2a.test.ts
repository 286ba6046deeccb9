import type { AgentCard, SendMessageRequest } from '@a2a-js/sdk'
import {
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomHex } from '#src/core/ids.ts'
import { saying } from '#tests/e2e/a2a-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call } from '#tests/support/rest/call.ts'
import type { Browser } from '../browser.ts'
import { agreedIn, begun, exchanged, registered } from '../program.ts'
import { personAt } from '../person.ts'
import { agreeAt, connectDevice } from './person.ts'

type Flow = NonNullable<ReturnType<typeof flowIn>>
type Flows<Case> = Extract<Flow, { $case: Case }>['value']

/** The flow that a scheme of the card describes. */
function flowIn(card: AgentCard, name: string) {
  const scheme = card.securitySchemes[name]?.scheme
  return scheme?.$case === 'oauth2SecurityScheme' ? scheme.value.flows?.flow : undefined
}

function flowOf<Case extends Flow['$case']>(card: AgentCard, name: string, kind: Case) {
  const flow = flowIn(card, name)
  if (flow?.$case !== kind) throw new Error(`the card has no flow ${kind}`)
  return flow.value as Flows<Case>
}

async function answered(address: string, form: Record<string, string>) {
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams(form) })
  // The test says what it expects of it.
  return (await response.json()) as Record<string, string>
}

/** The tokens of a program that names no resource, and so may call REST, and open agents to others. */
async function tokensFor(url: string, person: Browser) {
  const program = await registered(url)
  const request = await begun(program, { scope: 'read write admin' })
  return exchanged(program, request, await agreedIn(person, request))
}

/** The official client, which sends a token once it is refused without one. */
function clientFor(address: string, token: () => Promise<string>) {
  let known: string | undefined
  const headers = async (): Promise<Record<string, string>> =>
    known === undefined ? {} : { authorization: `Bearer ${known}` }
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers,
    async shouldRetryWithHeaders(_, { status }) {
      if (status !== 401) return undefined
      known = await token()
      return headers()
    },
  })
  const transports = [new JsonRpcTransportFactory({ fetchImpl })]
  return new ClientFactory({ transports }).createFromUrl(address)
}

describe('the A2A client signs a person in by what a card says', () => {
  let server: ServerProcess
  let person: Browser
  let door = ''
  let card: AgentCard
  beforeAll(async () => {
    server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
    person = await personAt(server.url)
    const tasks = [{ task_id: 'echo', name: 'E', runtime: 'template', prompt: 'Heard: {{input}}' }]
    // Only for the account itself and its friends, so that it is refused without a credential.
    const visibility = { profile_visibility: 'public', ability_access: { chat: 'friends' } }
    const agent = { id: 'ada', name: 'Ada', heart: { tasks }, visibility }
    const { access_token: token } = await tokensFor(server.url, person)
    await call(server.url, 'POST', '/api/characters/', token, agent)
    door = `${server.url}/a2a/ada/`
    card = await new DefaultAgentCardResolver().resolve(door)
  })
  afterAll(() => server.dispose())

  const message: SendMessageRequest = saying('hello')

  test('in a browser, with the code flow of the card and nothing else', async () => {
    const { authorizationUrl, tokenUrl } = flowOf(card, 'oauth2', 'authorizationCode')
    const { client, redirect: redirect_uri } = await registered(server.url)
    const { client_id } = client
    let asked = 0
    const agent = await clientFor(door, async () => {
      asked += 1
      const code_verifier = oauth.generateRandomCodeVerifier()
      const address = new URL(authorizationUrl)
      const parameters = {
        client_id,
        redirect_uri,
        response_type: 'code',
        scope: card.securityRequirements[1]?.schemes['oauth2']?.list.join(' ') ?? '',
        state: randomHex(8),
        code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) {
        address.searchParams.set(name, value)
      }
      const back = await agreeAt(person, address.href)
      const code = back.searchParams.get('code') ?? ''
      const form = {
        grant_type: 'authorization_code',
        code,
        code_verifier,
        redirect_uri,
        client_id,
      }
      const tokens = await answered(tokenUrl, form)
      expect(tokens['scope']).toBe('read run')
      return tokens['access_token'] ?? ''
    })
    expect(JSON.stringify(await agent.sendMessage(message))).toContain('Heard: hello')
    expect(asked).toBe(1)
  })

  test('on a device, with the device flow of the card', async () => {
    const { deviceAuthorizationUrl, tokenUrl } = flowOf(card, 'device', 'deviceCode')
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const grants = { grant_types: [grant_type], response_types: [], redirect_uris: [] }
    const { client } = await registered(server.url, grants)
    const { client_id } = client
    const agent = await clientFor(door, async () => {
      const device = await answered(deviceAuthorizationUrl, { client_id })
      await connectDevice(person, device['user_code'] ?? '')
      const { device_code = '' } = device
      const tokens = await answered(tokenUrl, { grant_type, device_code, client_id })
      return tokens['access_token'] ?? ''
    })
    expect(JSON.stringify(await agent.sendMessage(message))).toContain('Heard: hello')
  })
})
