import { describe, expect, it } from 'vitest'
import { targetsOf } from '#src/agents/tasks/policy/targets.ts'

const calling = (api_url: string): string[] => [
  ...targetsOf({
    runtime: 'prompt',
    api_url,
    tools: [],
    output_sharing: null,
    social_posting: null,
    selected_secrets: [],
  }),
]

describe('the host that a task calls', () => {
  it.each([
    ['http://192.0.2.9/x', 'http://192.0.2.9'],
    ['http://3221225993/', 'http://192.0.2.9'],
    ['http://0xc0.0.2.9/', 'http://192.0.2.9'],
    ['http://[::ffff:192.0.2.9]/', 'http://192.0.2.9'],
    ['http://[::ffff:c000:209]:80/', 'http://192.0.2.9'],
    ['http://[0:0:0:0:0:FFFF:c000:0209]:8080/', 'http://192.0.2.9:8080'],
    ['http://[2001:DB8:0::1]/', 'http://[2001:db8::1]'],
    ['http://[::192.0.2.9]/', 'http://[::c000:209]'],
    ['http://[::ffff:1]/', 'http://[::ffff:1]'],
    ['http://[::ffff:0:192.0.2.9]/', 'http://[::ffff:0:c000:209]'],
    ['https://Pay.Example.:443/x', 'https://pay.example'],
    ['http://[::ffff:192.0.2.9%25eth0]/', '*'],
    ['http://{{host}}/', '*'],
  ])('%s is %s', (address, origin) => {
    expect(calling(address)).toEqual([`origin:${origin}`])
  })
})
