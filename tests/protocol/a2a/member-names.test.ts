import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inCamelCase } from '#protocol/a2a/request/member-names.ts'

describe('params in the names of Protobuf', () => {
  it('are read as those of JSON, but for what is the sender’s own', () => {
    const own = { my_note: { is_mine: 1 } }
    const sent = {
      message: {
        message_id: '1',
        parts: [{ media_type: 'text/plain' }, { data: own }],
        metadata: own,
      },
      configuration: { return_immediately: true, accepted_output_modes: ['a_b'] },
    }
    expect(inCamelCase(sent)).toEqual({
      message: {
        messageId: '1',
        parts: [{ mediaType: 'text/plain' }, { data: own }],
        metadata: own,
      },
      configuration: { returnImmediately: true, acceptedOutputModes: ['a_b'] },
    })
  })

  it.for([
    { message_id: 'snake', messageId: 'camel' },
    { messageId: 'camel', message_id: 'snake' },
  ])('give way to those of JSON: %j', (sent) => {
    expect(inCamelCase(sent)).toEqual({ messageId: 'camel' })
  })

  it('are left as they are where there are none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (/[a-z]_[a-z]/.test(JSON.stringify(value))) return
        expect(inCamelCase(value)).toBe(value)
      }),
    )
  })

  it('make no prototype', () => {
    const sent: unknown = JSON.parse('{"__proto__":{"a":1},"a_b":1}')
    expect(JSON.stringify(inCamelCase(sent))).toBe('{"aB":1,"__proto__":{"a":1}}')
  })
})
