import { describe, expect, it } from 'vitest'
import { withEffects, type Effect, type EffectPorts } from '#src/core/effects.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'

const ports = {} as EffectPorts
const writes: Write[] = [{ in: 'meta', insert: { id: 'a', value: 'b' } }]

describe('the effects of a commit', () => {
  it('come once it is durable, each in its turn, with what was written', async () => {
    const seen: string[] = []
    const named =
      (name: string): Effect =>
      (within, given) => {
        expect([within, given]).toEqual([ports, writes])
        seen.push(name)
      }
    const commit = async (): Promise<void> => {
      await Promise.resolve()
      seen.push('durable')
    }
    const store = { commit } as unknown as Store
    await withEffects(store, [named('first'), named('second')], () => ports).commit(writes)
    expect(seen).toEqual(['durable', 'first', 'second'])
  })

  it('do not come where it fails', async () => {
    const commit = () => Promise.reject(new Unmet('meta', 0))
    const fail: Effect = () => expect.fail('nothing was written')
    const store = withEffects({ commit } as unknown as Store, [fail], () => ports)
    await expect(store.commit(writes)).rejects.toThrow(Unmet)
  })
})
