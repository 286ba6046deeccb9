import { describe, expect, it } from 'vitest'
import { KeptReplies } from '#adapters/http/html/kept-replies.ts'

const replyOf = (body: string, seconds = 60) => ({
  reply: { status: 200, headers: {}, body },
  seconds,
})

describe('what is the same for everyone', () => {
  it('is made once for all who ask at once, and kept for a while', async () => {
    const kept = new KeptReplies()
    let made = 0
    const make = () => Promise.resolve(replyOf(`made ${(made += 1)}`))
    const all = await Promise.all(Array.from({ length: 1000 }, () => kept.replyTo('/a', make)))
    expect([made, new Set(all.map(({ body }) => body)).size]).toEqual([1, 1])
    await kept.replyTo('/a', make)
    expect(made).toBe(1)
    await kept.replyTo('/b', () => Promise.resolve(replyOf('never kept', 0)))
    await kept.replyTo('/b', make)
    expect(made).toBe(2)
  })

  it('fails for no one because it failed for another, and is then made again', async () => {
    const kept = new KeptReplies()
    const fails = () => Promise.reject(new Error('over a limit'))
    const [one, other] = await Promise.allSettled([
      kept.replyTo('/a', fails),
      kept.replyTo('/a', () => Promise.resolve(replyOf('made'))),
    ])
    expect([one.status, other.status]).toEqual(['rejected', 'fulfilled'])
    expect((await kept.replyTo('/a', () => Promise.resolve(replyOf('again')))).status).toBe(200)
  })

  it('is forgotten, the oldest first, where there is much of it', async () => {
    const kept = new KeptReplies()
    const large = 'x'.repeat(1_000_000)
    for (let i = 0; i < 20; i++) await kept.replyTo(`/${i}`, () => Promise.resolve(replyOf(large)))
    let made = 0
    const make = () => Promise.resolve(replyOf(`made ${(made += 1)}`))
    await kept.replyTo('/19', make)
    expect(made).toBe(0)
    await kept.replyTo('/0', make)
    expect(made).toBe(1)
  })
})
