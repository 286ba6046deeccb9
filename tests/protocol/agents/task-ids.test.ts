import { describe, expect, it } from 'vitest'
import { TaskIds } from '#protocol/a2a/ids.ts'
import { sealer } from '#src/core/seal.ts'

const ids = new TaskIds(sealer(Buffer.alloc(32, 1)))
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const own = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/

describe('the ids of a task by a message', () => {
  it('are two UUIDs of our own making', () => {
    for (let n = 0; n < 20; n++) {
      const { taskId, contextId } = ids.ofMessage('acc_1', `message ${n}`)
      expect(taskId).toMatch(own)
      expect(contextId).toMatch(own)
      expect(contextId).not.toBe(taskId)
    }
  })

  it('are the same for the message again, and others for any other', () => {
    const of = (owner: string, messageId: string) => ids.ofMessage(owner, messageId)
    expect(of('acc_1', 'm')).toEqual(of('acc_1', 'm'))
    const other = new TaskIds(sealer(Buffer.alloc(32, 2)))
    const made = [
      of('acc_1', 'm'),
      of('acc_2', 'm'),
      of('acc_1', 'n'),
      of('acc_1m', ''),
      other.ofMessage('acc_1', 'm'),
    ]
    for (const name of ['taskId', 'contextId'] as const) {
      expect(new Set(made.map((one) => one[name])).size).toBe(made.length)
    }
  })

  it('are new each time the message gets a new answer', () => {
    const made = [ids.next(), ids.next()].flatMap(({ taskId, contextId }) => [taskId, contextId])
    expect(new Set(made).size).toBe(4)
    for (const id of made) expect(id).toMatch(uuid)
  })

  it('hold each part of what they are made of', () => {
    // The marks of a UUID take the place of two digits; all the others differ between messages.
    const made = Array.from({ length: 200 }, (_, n) => ids.ofMessage('acc_1', `${n}`).taskId)
    const at = (place: number) => new Set(made.map((id) => id.replaceAll('-', '')[place])).size
    const varied = Array.from({ length: 32 }, (_, place) => at(place) > 8)
    expect(varied.filter((is) => !is)).toHaveLength(2)
    expect([varied[12], varied[16]]).toEqual([false, false])
  })
})
