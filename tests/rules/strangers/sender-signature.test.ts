import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { proofOf, type Lock, type SentHeaders } from '#src/runs/triggers/sender-signature.ts'

const now = new Date('2026-03-02T09:00:00Z')
const at = now.getTime() / 1000
const body = '{"order": 17, "city": "Zürich"}'
const secret = 'a secret of the tests'

const hex = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex')
const base64 = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64')
const key = Buffer.from('the bytes of a key')
const whsec = `whsec_${key.toString('base64')}`

const proven = (
  verify: Lock['verify'],
  sent: SentHeaders,
  with_: { secret?: string; body?: string } = {},
) => proofOf({ verify, secret: with_.secret ?? secret }, Buffer.from(with_.body ?? body), sent, now)

const github = (text = body) => ({ hub_signature: `sha256=${hex(secret, text)}` })
const stripe = (time: number | string = at, more = '') => ({
  stripe_signature: `t=${time},v1=${hex(secret, `${time}.${body}`)}${more}`,
})
const slack = (time: number | string = at) => ({
  slack_timestamp: String(time),
  slack_signature: `v0=${hex(secret, `v0:${time}:${body}`)}`,
})
const standard = (time: number | string = at, id = 'msg_1') => ({
  webhook_id: id,
  webhook_timestamp: String(time),
  webhook_signature: `v1,${base64(key, `${id}.${time}.${body}`)}`,
})

describe('the signature of a sender', () => {
  it('of GitHub is that of its own documentation', () => {
    const signature = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const published = { secret: "It's a Secret to Everybody", body: 'Hello, World!' }
    expect(proven('github', { hub_signature: `sha256=${signature}` }, published)).toEqual({
      once: signature,
    })
  })

  it('of Slack is that of its own documentation', () => {
    const told = 'a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
    const form =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const lock = { verify: 'slack', secret: '8f742231b10e8888abcd99yyyzzz85a5' } as const
    const sent = { slack_timestamp: '1531420618', slack_signature: `v0=${told}` }
    const then = new Date(1531420618_000)
    expect(proofOf(lock, Buffer.from(form), sent, then)).toEqual({ once: told })
  })

  it('of Standard Webhooks is that of its own documentation', () => {
    const lock = { verify: 'standard', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } as const
    const sent = {
      webhook_id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      webhook_timestamp: '1614265330',
      webhook_signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const then = new Date(1614265330_000)
    expect(proofOf(lock, Buffer.from('{"test": 2432232314}'), sent, then)).toEqual({
      once: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    })
  })

  it.each([
    ['github', github()],
    ['stripe', stripe()],
    ['stripe', stripe(at, `,v1=${hex('another', 'x')},v0=${hex(secret, 'x')}`)],
    [
      'stripe',
      {
        stripe_signature: `t=${at},v1=${'0'.repeat(64)},${stripe().stripe_signature.split(',')[1]}`,
      },
    ],
    ['slack', slack()],
    ['slack', slack(at - 300)],
    ['slack', slack(at + 300)],
    ['service', { signature: hex(secret, body) }],
  ] as const)('of %s is taken: %j', (verify, sent) => {
    expect(proven(verify, sent)).toBeDefined()
  })

  it('of Standard Webhooks may be one of several, under a text or base64', () => {
    expect(proven('standard', standard(), { secret: whsec })).toEqual({ once: 'msg_1' })
    const two = {
      ...standard(),
      webhook_signature: `v1,AAAA v1a,BBBB ${standard().webhook_signature}`,
    }
    expect(proven('standard', two, { secret: whsec })).toEqual({ once: 'msg_1' })
    const plain = {
      ...standard(),
      webhook_signature: `v1,${base64(secret, `msg_1.${at}.${body}`)}`,
    }
    expect(proven('standard', plain)).toEqual({ once: 'msg_1' })
  })

  it('of Standard Webhooks is of one call alone: none whose id holds a dot', () => {
    const lock = { verify: 'standard', secret: whsec } as const
    const sent = standard(at, 'msg_1')
    expect(proofOf(lock, Buffer.from(body), sent, now)).toEqual({ once: 'msg_1' })
    // The same text is signed, with another end of the id.
    const begun = `${at}.${body}`
    const signature = `v1,${base64(key, `msg.1.${begun}`)}`
    const one = { webhook_id: 'msg.1', webhook_timestamp: String(at), webhook_signature: signature }
    expect(proofOf(lock, Buffer.from(body), one, now)).toBeUndefined()
    const timed = `v1,${base64(key, `msg.${at}.${begun}`)}`
    const shared = { webhook_timestamp: String(at), webhook_signature: timed }
    const first = { ...shared, webhook_id: 'msg' }
    const second = { ...shared, webhook_id: `msg.${at}` }
    expect(proofOf(lock, Buffer.from(begun), first, now)).toEqual({ once: 'msg' })
    expect(proofOf(lock, Buffer.from(body), second, now)).toBeUndefined()
  })

  it.each(['github', 'stripe', 'slack', 'service', 'standard'] as const)(
    'of %s is none under the bare beginning of a secret, which everybody knows',
    (verify) => {
      const bare = 'whsec_'
      const sent = {
        signature: hex(bare, body),
        hub_signature: `sha256=${hex(bare, body)}`,
        stripe_signature: `t=${at},v1=${hex(bare, `${at}.${body}`)}`,
        slack_timestamp: String(at),
        slack_signature: `v0=${hex(bare, `v0:${at}:${body}`)}`,
      }
      expect(proven(verify, sent, { secret: bare })).toBeUndefined()
    },
  )

  it.each(['whsec_', 'whsec_!!!'])(
    'of Standard Webhooks is none under a key without bytes: %s',
    (none) => {
      const sent = { ...standard(), webhook_signature: `v1,${base64('', `msg_1.${at}.${body}`)}` }
      expect(proven('standard', sent, { secret: none })).toBeUndefined()
    },
  )

  it.each([
    ['nothing', 'github', {}],
    ['another body', 'github', github('x')],
    ['no prefix', 'github', { hub_signature: hex(secret, body) }],
    ['SHA-1', 'github', { hub_signature: 'sha1=0123' }],
    [
      'the signature of another sender',
      'github',
      { ...stripe(), ...slack(), signature: hex(secret, body) },
    ],
    ['our own', 'stripe', { signature: hex(secret, body) }],
    ['no time', 'stripe', { stripe_signature: `v1=${hex(secret, `${at}.${body}`)}` }],
    [
      'a time that is not signed',
      'stripe',
      { stripe_signature: stripe(at - 10).stripe_signature.replace(String(at - 10), String(at)) },
    ],
    ['an old time', 'stripe', stripe(at - 301)],
    ['a time to come', 'stripe', stripe(at + 301)],
    ['an old scheme', 'stripe', { stripe_signature: `t=${at},v0=${hex(secret, `${at}.${body}`)}` }],
    ['no number', 'stripe', stripe('NaN')],
    [
      'the eleventh of many',
      'stripe',
      {
        stripe_signature: `t=${at}${`,v1=${'0'.repeat(64)}`.repeat(10)},v1=${hex(secret, `${at}.${body}`)}`,
      },
    ],
    ['an old time', 'slack', slack(at - 301)],
    ['a time to come', 'slack', slack(at + 301)],
    ['a fraction', 'slack', slack('1772442000.0')],
    ['no time', 'slack', { slack_signature: slack().slack_signature }],
    [
      'another version',
      'slack',
      { ...slack(), slack_signature: slack().slack_signature.replace('v0', 'v1') },
    ],
    ['no id', 'standard', { ...standard(), webhook_id: '' }],
    ['another id', 'standard', { ...standard(), webhook_id: 'msg_2' }],
    ['an old time', 'standard', standard(at - 301)],
    [
      'another version',
      'standard',
      { ...standard(), webhook_signature: standard().webhook_signature.replace('v1', 'v1a') },
    ],
    ['upper case', 'service', { signature: hex(secret, body).toUpperCase() }],
  ] as const)('is not %s, of %s', (_, verify, sent) => {
    expect(proven(verify, sent, verify === 'standard' ? { secret: whsec } : {})).toBeUndefined()
  })
})
