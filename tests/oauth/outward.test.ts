import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEmail, registering } from '#tests/accounts/people/page-visitor.ts'
import { begun as consentBegun } from '#src/agents/connections/consent.ts'
import type { Store } from '#src/ports/store.ts'
import { connecting, type Connecting } from '#tests/agents/connections/connected.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { oneStore } from '#tests/support/stores.ts'
import { Browser } from './browser.ts'
import { agreedIn } from './program.ts'

describe.each(oneStore())('an agent at another such service, both on $name', (kind) => {
  let other: PlayedServer
  let store: Store
  let made: Connecting
  let browser: Browser
  beforeEach(async () => {
    other = await openServer(kind)
    store = await kind.open()
    made = await connecting(store, { also: [other.url] })
    browser = new Browser(other.url)
    await browser.post('/sign-in', registering(newEmail()))
    const brain = { mcps: [{ name: 'other', url: `${other.url}/mcp/account?toolsets=core` }] }
    const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'Do it.' }] }
    const character = { id: 'cleo', name: 'Cleo', brain, heart }
    await made.world.ask('characters.create', { character }, { token: made.person.token })
  })
  afterEach(async () => {
    await made.close()
    await store.close()
    await other.close()
  })

  const ran = async () => {
    made.model.plays({ text: ['Done.'] })
    return made.ran('t', 'cleo')
  }
  const consents = async (): Promise<void> => {
    const session = made.person.token
    const address = await consentBegun(made.world.ports, await made.connection(), { session })
    const request = { address: address ?? expect.fail(), verifier: '', state: '' }
    const { goesTo } = await agreedIn(browser, request)
    expect((await made.returns(new URL(goesTo).searchParams)).outcome).toBe('connected')
  }
  const connectedThere = async (): Promise<{ id: string }[]> => {
    return other.world.ports.store.connections.find({})
  }

  it('works for the person there after one consent', async () => {
    expect(await ran()).toMatchObject({ degraded: ['other'] })
    expect(await made.connection()).toMatchObject({
      resource: `${other.url}/mcp/account`,
      issuer: other.url,
    })
    await consents()
    made.model.plays({ calls: [{ name: 'other_account_get', arguments: {} }] })
    const run = await ran()
    expect(run).not.toHaveProperty('degraded')
    const answered = (await made.events(run)).find(({ type }) => type === 'tool.answered')
    expect(answered?.data).not.toHaveProperty('is_error')
    expect(answered?.data.result).toContain('"plan"')
    expect(await connectedThere()).toHaveLength(1)
  })

  it('needs consent again once the person there has ended it', async () => {
    await ran()
    await consents()
    const [connection] = await connectedThere()
    const form = { action: 'end_connection', connection_id: connection?.id ?? '' }
    await browser.post('/settings', form)
    expect(await connectedThere()).toEqual([])
    expect(await ran()).toMatchObject({ degraded: ['other'] })
    expect(await made.connection()).toMatchObject({ state: 'needs_consent', reason: 'ended' })
    await consents()
    expect(await ran()).not.toHaveProperty('degraded')
  })

  it('ends there with the connection here', async () => {
    await ran()
    await consents()
    const { id } = await made.connection()
    await made.world.ask('connections.revoke', { id }, { token: made.person.token })
    expect(await connectedThere()).toEqual([])
  })
})
