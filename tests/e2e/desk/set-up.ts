import { readFileSync } from 'node:fs'
import { app, secrets, type Desk } from './desk.ts'
import type { Shop } from './shop.ts'
import type { Step } from './step.ts'

const example = new URL('../../../examples/support-desk.json', import.meta.url)
const person = { email: 'lead@ternandtide.example', password: 'a few words in a row' }

/** The values of the secrets that the app asks for, by agent. */
export const values = {
  frontdesk: { HELPDESK_TOKEN: 'token-of-the-help-desk-0123456789' },
  resolver: { SHOP_API_KEY: 'key-of-the-shop-0123456789' },
  billing: { SHOP_API_KEY: 'key-of-the-shop-0123456789' },
}

/** The example as its owner fills it in. */
function manifest(shop: Shop): string {
  return shop
    .atHome(readFileSync(example, 'utf8'))
    .replace('replace-with-a-secret-shared-with-the-web-form', secrets.tickets)
    .replace('replace-with-a-secret-shared-with-the-form-for-returns', secrets.returns)
    .replace('replace-with-a-secret-of-your-own', secrets.operations)
}

/** An account that a person holds, with the app and its secrets. */
export function setUp(desk: Desk, shop: Shop): Step[] {
  let claim = { token: '', claim_url: '', api_key: '' }
  const isClaim = async (state: string): Promise<boolean> => {
    const path = `/api/agent-claim/status?token=${claim.token}`
    return (await desk.asStranger<{ status: string }>(path)).status === state
  }
  return [
    {
      does: 'an agent asks for a key',
      async act() {
        claim = await desk.asStranger('/api/agent-claim', { body: {}, once: 'claim' })
        desk.key = claim.api_key
      },
      isDone: () => isClaim('active'),
    },
    {
      does: 'a person registers',
      async act() {
        const { headers } = await desk.send('/api/auth/register', { body: person, fromPage: true })
        desk.cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
      },
      isDone: async () => (await desk.asPerson<object>('/api/auth/me')) !== undefined,
    },
    {
      does: 'the person takes the account over',
      async act() {
        const claim_code = claim.claim_url.split('/').at(-1)
        await desk.asPerson('/api/agent-claim/complete', { body: { claim_code } })
        desk.accountId = (await desk.ask<{ id: string }>('/api/account')).id
      },
      isDone: () => isClaim('claimed'),
    },
    {
      does: 'the app is provisioned',
      act: () => desk.ask('/api/agent-apps/', { body: manifest(shop), once: 'provision' }),
      isDone: async () => shop.operations.idsOf('agent_app.provisioned').length > 0,
    },
    {
      does: 'its secrets are set',
      async act() {
        for (const [agent, own] of Object.entries(values)) {
          const list = Object.entries(own).map(([name, value]) => ({ name, value }))
          const path = `/api/characters/${app}--${agent}/secrets`
          await desk.ask(path, { method: 'PUT', body: { secrets: list } })
        }
      },
      isDone: async () => true,
    },
  ]
}
