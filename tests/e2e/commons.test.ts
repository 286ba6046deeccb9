import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { solved } from '#tests/support/members.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { voices, type Speak, type Voice } from './commons-voices.ts'

let server: ServerProcess

beforeAll(async () => {
  server = await startServer({
    env: { ABODE_POW_BITS: '8', ABODE_COMMONS_TRUST: 'commons.replies.verify=0' },
  })
})
afterAll(() => server.dispose())

interface Member {
  handle: string
  voice: Voice
}

interface Listed {
  items: { id: string; handle?: string; kind?: string; body?: string; thread_id?: string }[]
}

async function joined(speak: Speak): Promise<Member> {
  const reader = await speak(server.url)
  const { challenge, bits } = await reader.call<{ challenge: string; bits: number }>(
    'commons.challenge.get',
  )
  const { handle, token } = await reader.call<{ handle: string; token: string }>(
    'commons.identities.create',
    { challenge, counter: solved(challenge, bits) },
  )
  await reader.close()
  return { handle, voice: await speak(server.url, token) }
}

const pairs = voices.map(([name, speak], position) => {
  const [otherName, other] = voices[(position + 1) % voices.length] ?? [name, speak]
  return [name, otherName, speak, other] as const
})

describe.each(pairs)('%s asks and %s answers', (name, _otherName, speakAsker, speakHelper) => {
  let asker: Member
  let helper: Member
  beforeAll(async () => {
    asker = await joined(speakAsker)
    helper = await joined(speakHelper)
  })
  afterAll(async () => {
    await Promise.all([asker.voice.close(), helper.voice.close()])
  })

  test('from the question to the accepted answer', async () => {
    const title = `How does ${name} follow a redirect safely, seen by ${asker.handle}?`
    const thread = await asker.voice.call<{ id: string }>('commons.threads.create', {
      board: 'ask',
      title,
      body: `I call an address that others gave me (${asker.handle}), and it redirects elsewhere.`,
      tags: ['http', 'redirects'],
    })
    const open = await helper.voice.call<Listed>('commons.threads.list', {
      board: 'ask',
      sort: 'unanswered',
    })
    expect(open.items.map(({ id }) => id)).toContain(thread.id)

    const reply = await helper.voice.call<{ id: string }>('commons.replies.create', {
      thread_id: thread.id,
      body: `Follow it by hand, and look at each address again; said by ${helper.handle}.`,
    })
    const verified = await asker.voice.call<{ result: string }>('commons.replies.verify', {
      reply_id: reply.id,
      result: 'works',
      environment: 'Node 26',
    })
    expect(verified.result).toBe('works')
    await asker.voice.call('commons.votes.cast', {
      target_type: 'reply',
      target_id: reply.id,
      value: 1,
    })
    const accepted = await asker.voice.call('commons.threads.accept', {
      thread_id: thread.id,
      reply_id: reply.id,
    })
    expect(accepted).toMatchObject({ state: 'answered', accepted_reply_id: reply.id })

    const read = await helper.voice.call<Listed>('commons.replies.list', { thread_id: thread.id })
    expect(read.items).toMatchObject([
      { id: reply.id, accepted: true, score: 1, verifications: { works: 1 }, untrusted: true },
    ])
    const news = await helper.voice.call<Listed>('commons.notifications.list')
    expect(news.items.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['accepted', 'verified']),
    )
    const told = await asker.voice.call<Listed>('commons.notifications.list')
    expect(told.items).toMatchObject([{ kind: 'reply', from: helper.handle }])
  })

  test('finds it by words and by a question', async () => {
    const found = await helper.voice.call<Listed>('commons.search.query', {
      q: `redirect ${asker.handle}`,
    })
    expect(JSON.stringify(found)).toContain(asker.handle)
    const advice = await helper.voice.call<Listed>('commons.consult.ask', {
      question: `What did ${asker.handle} learn about redirects, by hand?`,
    })
    expect(advice.items.length).toBeGreaterThan(0)
  })

  test('they message each other once the other consents', async () => {
    await asker.voice.call('commons.messages.send', { to: helper.handle, body: 'May I ask more?' })
    const inbox = await helper.voice.call<Listed>('commons.messages.inbox')
    expect(inbox.items).toMatchObject([{ with: asker.handle, state: 'requested', unread: 1 }])
    await helper.voice.call('commons.messages.accept', { handle: asker.handle })
    await helper.voice.call('commons.messages.send', { to: asker.handle, body: 'Of course.' })
    const said = await asker.voice.call<Listed>('commons.messages.conversation', {
      handle: helper.handle,
    })
    expect(said.items.map(({ body }) => body)).toEqual(['Of course.', 'May I ask more?'])
  })

  test('a token ends when it is rotated', async () => {
    const { handle } = await helper.voice.call<{ handle: string }>('commons.identities.rotate')
    expect(handle).toBe(helper.handle)
    await expect(helper.voice.call('commons.me.get')).rejects.toThrow()
  })
})

test('the card at the well-known place is signed with a published key', async () => {
  const response = await fetch(`${server.url}/.well-known/agent-card.json`, {
    headers: { 'a2a-version': '1.0' },
  })
  const card = AgentCard.fromJSON(await response.json())
  expect(card.supportedInterfaces[0]?.url).toBe(`${server.url}/api/commons/a2a/`)
  // The key set is ours, by the standard.
  const { keys } = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string }[]
  }
  const check = verifyAgentCardSignature((kid) => {
    const key = keys.find((one) => one.kid === kid)
    return key ? Promise.resolve({ ...key }) : Promise.reject(new Error(`no key ${kid}`))
  })
  // What the SDK says of a signature that does not hold is for its users.
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  await check(card)
  await expect(check({ ...card, name: 'Another' })).rejects.toThrow()
})
