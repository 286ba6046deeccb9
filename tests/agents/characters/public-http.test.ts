import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import { askerOf } from '#tests/support/world.ts'

describe('public reads over HTTP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'abode-public-'))
  let abode: Abode
  let url: string
  let key: string

  beforeAll(async () => {
    const env = { PORT: '0', DATA_DIR: folder, ABODE_LOG_LEVEL: 'silent', ABODE_WORK: 'api' }
    abode = await compose(readConfig(env))
    ;({ url } = await abode.listen())
    const world = askerOf(abode.core)
    ;({ key } = await world.account())
    const ability_access = { feed: 'public' }
    const visibility = { profile_visibility: 'public', show_in_directory: true, ability_access }
    const character = { id: 'ada', name: 'Ada', visibility, heart: { tasks: [{ name: 'T' }] } }
    await world.ask('characters.create', { character }, key)
  })
  afterAll(async () => {
    await abode.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const paths = ['', '/ada', '/ada/feed', '/ada/tasks']
  it.each(paths)('may be cached, revalidated, and requested from any page: %s', async (path) => {
    const at = `${url}/api/public/agents${path}`
    const first = await fetch(at, { headers: { origin: 'https://elsewhere.example' } })
    expect(first.status).toBe(200)
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    const again = await fetch(at, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const head = await fetch(at, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    const wrong = await fetch(at, { headers: { authorization: 'Bearer ab_nonsense' } })
    expect([wrong.status, await wrong.text()]).toEqual([200, await first.text()])
    const other = await fetch(at, { method: 'POST' })
    expect(other.status).toBe(405)
  })

  it('lead on by the addresses that a profile gives', async () => {
    const profile = (await (await fetch(`${url}/api/public/agents/ada`)).json()) as {
      links: Record<string, string>
    }
    expect(Object.keys(profile.links).toSorted()).toEqual(['a2a', 'card', 'feed', 'tasks'])
    // Its door takes POST alone.
    const { a2a, ...read } = profile.links
    expect((await fetch(a2a ?? '')).status).toBe(405)
    for (const link of Object.values(read)) expect((await fetch(link)).status).toBe(200)
  })

  it('change their tag with what they show', async () => {
    const at = `${url}/api/public/agents/ada`
    const etag = (await fetch(at)).headers.get('etag') ?? ''
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ public_bio: 'New' })
    const put = await fetch(`${url}/api/characters/ada/visibility`, {
      method: 'PUT',
      headers,
      body,
    })
    expect([put.status, put.headers.get('etag')]).toEqual([200, '"2"'])
    expect((await fetch(at, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })
})
