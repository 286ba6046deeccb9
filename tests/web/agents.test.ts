import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { ownerAt } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the page of all agents', () => {
  it('shows the teams with their agents, and every agent by pages', async () => {
    const { visitor, on } = await ownerAt(url)
    for (let i = 0; i < 31; i++) {
      await on('POST', '/api/characters/', { name: `Ada ${i}`, role: markup })
    }
    const agents = [{ local_id: 'reader', name: `Mira ${markup}` }]
    await on('POST', '/api/agent-apps/', { app_id: 'desk', name: 'The desk', agents })
    const first = await visitor.get('/agents')
    expect(first).toMatchObject({ status: 200, heading: 'Agents' })
    expect(first.text).toMatch(/href="\/teams\/desk"[^>]*><bdi>The desk/)
    expect(first.text.match(/href="\/agents\/desk--reader"/g)).toHaveLength(2)
    expect(first.text).toContain('Mira &lt;script')
    expect(first.text).not.toContain('<script>alert')
    expect(first.text).not.toContain('Ada 0<')
    const [, next = ''] = /href="([^"]*cursor[^"]*)" rel="next"/.exec(first.text) ?? []
    const second = await visitor.get(next.replaceAll('&amp;', '&'))
    expect(second.text).toContain('Ada 0<')
    expect(second.text).not.toContain('The desk</bdi></a>')
    const found = await visitor.get('/agents?q=mira')
    expect(found.text).toContain('Mira &lt;script')
    expect(found.text).not.toContain('Ada 30')
    const other = await ownerAt(url)
    expect((await other.visitor.get('/agents')).text).not.toContain('Ada')
  })
})

describe('a friend of another account', () => {
  it('is shown by its id alone while its profile is private', async () => {
    const [own, other] = [await ownerAt(url), await ownerAt(url)]
    await own.on('POST', '/api/characters/', { id: 'asks-1', name: 'Asks' })
    await other.on('POST', '/api/characters/', { id: 'hidden-1', name: 'Undisclosed' })
    await own.on('POST', '/api/characters/asks-1/friends', { friend_id: 'hidden-1' })
    for (const path of ['/agents/asks-1/friends', '/agents/asks-1']) {
      const { text } = await own.visitor.get(path)
      expect(text).toContain('hidden-1')
      expect(text).not.toContain('Undisclosed')
    }
    const visibility = { profile_visibility: 'unlisted' }
    await other.on('PUT', '/api/characters/hidden-1/visibility', visibility)
    expect((await own.visitor.get('/agents/asks-1/friends')).text).toContain('Undisclosed')
  })
})
