import type { Attack } from './attack-types.ts'
import { calls } from './calls.ts'

const redirect = 'https://program.example/back'
const lanes = 4

/** What strangers may ask of the authorization server, without a key and without a person. */
export const programAttack: Attack = {
  name: 'programs',
  what: 'programs without a key that register, begin, ask for tokens and guess codes, on 20 connections',
  given: ['200', '201', '303'],
  async run({ url }, answers, signal) {
    const client_id = await registered(url)
    const terms = { answers, signal }
    let described = 0
    const begin = (id: string) =>
      fetch(`${url}/oauth/authorize?${request(id)}`, { redirect: 'manual', signal })
    const post = (path: string, form: Record<string, string>) =>
      fetch(url + path, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
        signal,
      })
    await Promise.all([
      calls(lanes, terms, () => register(url, signal)),
      calls(lanes, terms, () => begin(client_id)),
      calls(lanes, terms, () => begin(`https://127.0.0.1/${described++}.json`)),
      calls(lanes, terms, () =>
        post('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'abr_x', client_id }),
      ),
      calls(lanes / 2, terms, () => post('/oauth/device-authorization', { client_id })),
      calls(lanes / 2, terms, () => post('/oauth/device', { user_code: 'BBBB-CCCC', xsrf: 'x' })),
    ])
  },
}

function register(url: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'x'.repeat(8000),
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    }),
    ...(signal && { signal }),
  })
}

async function registered(url: string): Promise<string> {
  // The answer of the service itself.
  const { client_id } = (await (await register(url)).json()) as { client_id: string }
  return client_id
}

/** A request as long as headers may be. */
function request(client_id: string): string {
  const query = {
    client_id,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 's'.repeat(14_000),
  }
  return new URLSearchParams(query).toString()
}
