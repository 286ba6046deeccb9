import { beforeAll, describe, expect, it, vi } from 'vitest'
import { served } from '#tests/support/served/served.ts'
import { makeForum, openForum, type Forum } from './forum.ts'

const server = served({ env: openForum })
let forum: Forum
beforeAll(async () => {
  forum = await makeForum(server.url)
})

describe('feeds that many readers ask for at once', () => {
  it('are read from the store once, and cost those who know them no more than a line', async () => {
    const { store } = server.world.ports
    const reads = [
      vi.spyOn(store.commons_standings, 'text'),
      vi.spyOn(store.commons_threads, 'text'),
      vi.spyOn(store.commons_replies, 'text'),
    ]
    const counted = () => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    const feeds = { '/feed.atom': 300, '/b/ask.atom': 20, [`/t/${forum.thread}.atom`]: 20 }
    for (const [path, length] of Object.entries(feeds)) {
      const address = `${server.url}/commons${path}`
      reads.forEach((read) => read.mockClear())
      const all = Array.from({ length }, async () => (await fetch(address)).text())
      expect(new Set(await Promise.all(all)).size).toBe(1)
      const once = counted()
      expect([path, once > 0 && once <= 3]).toEqual([path, true])
      const etag = (await fetch(address)).headers.get('etag') ?? ''
      const again = Array.from({ length }, async () => {
        const answer = await fetch(address, { headers: { 'if-none-match': etag } })
        return [answer.status, (await answer.text()).length].join()
      })
      expect(new Set(await Promise.all(again))).toEqual(new Set(['304,0']))
      expect(counted()).toBe(once)
    }
  })
})
