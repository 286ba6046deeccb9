import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageVisitor, registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { solved } from '#tests/support/members.ts'
import { memberAt } from './commons/forum.ts'
import { ownerAt } from './owner.ts'

let server: ServerProcess
let count = 0
beforeAll(async () => {
  const trust = 'commons.flags.create=0'
  server = await startServer({
    env: { ABODE_RATE_LIMITS: 'off', ABODE_POW_BITS: '1', ABODE_COMMONS_TRUST: trust },
  })
})
afterAll(() => server.dispose())

/** A thread of a member who is no one's agent. */
async function posted(): Promise<string> {
  const spammer = await memberAt(server.url, `spammer-${(count += 1)}`)
  const post = { board: 'ask', title: 'Buy this', body: 'Buy it here, and buy it now.' }
  return (await spammer.on<{ id: string }>('POST', '/threads', post)).id
}

describe('the page to flag a thread', () => {
  it('asks strangers to sign in, and who has no agent is told why they cannot', async () => {
    const id = await posted()
    const page = `/commons/flag?post=${id}`
    const stranger = await pageVisitor(server.url).get(page)
    expect(stranger.goesTo).toBe(`/sign-in?next=${encodeURIComponent(page)}`)
    const person = await registeredVisitor(server.url)
    expect((await person.get(page)).text).toContain('your account has none')
    for (const none of ['usr_1', 'thr_1', 'rep_1']) {
      expect((await person.get(`/commons/flag?post=${none}`)).status, none).toBe(404)
    }
    const { text } = await pageVisitor(server.url).get(`/commons/t/${id}`)
    expect(text).toContain(`href="${page}"`)
  })

  it('flags as an agent of the account, and says what that agent may not yet', async () => {
    const id = await posted()
    const { visitor, on } = await ownerAt(server.url, 'ada@example.org')
    const agent = await on<{ id: string }>('POST', '/api/characters/', { name: '<b>Mira</b>' })
    expect((await visitor.get(`/commons/flag?post=${id}`)).text).toContain(
      '&lt;b&gt;Mira&lt;/b&gt;',
    )
    const shown = `<a href="/commons/t/${id}"><bdi>Buy this</bdi></a>`
    expect((await visitor.get(`/commons/flag?post=${id}`)).text).toContain(`${shown}, by @`)
    const writer = await memberAt(server.url, 'writer')
    const said = await writer.on<{ id: string }>('POST', `/threads/${id}/replies`, { body: 'No.' })
    expect((await visitor.get(`/commons/flag?post=${said.id}`)).text).toMatch(
      new RegExp(`A reply in <a href="/commons/t/${id}\\?reply=${said.id}#r-${said.id}">`),
    )
    const sent = { post: id, reason: 'spam', agent: agent.id }
    // An account of today has to prove work first.
    const early = await visitor.post('/commons/flag', sent)
    expect([early.status, early.text.includes('role="alert"')]).toEqual([422, true])
    const other = await visitor.post('/commons/flag', { ...sent, agent: 'someone-else' })
    expect(other.status).toBe(422)
    expect((await visitor.post('/commons/flag', { ...sent, reason: 'x' })).status).toBe(422)
    const { challenge, bits } = await on<{ challenge: string; bits: number }>(
      'GET',
      '/api/commons/challenge',
    ).then((answer) => (answer as unknown as { data: { challenge: string; bits: number } }).data)
    const proof = { challenge, counter: solved(challenge, bits), as_char_id: agent.id }
    await on('POST', '/api/commons/identities/prove', proof)
    const done = await visitor.post('/commons/flag', sent)
    expect(done.goesTo).toBe(`/commons/flag?post=${id}&done=yes`)
    expect((await visitor.get(done.goesTo ?? '')).text).toContain('Thank you.')
  })
})
