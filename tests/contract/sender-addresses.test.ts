import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'
import type { buildConnector } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isOpenAddress } from '#adapters/sender/addresses.ts'
import { guardedConnector } from '#adapters/sender/connect.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { OutboundFailure, type Outbound, type Sender } from '#src/ports/sender.ts'
import { forms, inwardNames } from './sender-forms.ts'

const userAgent = 'abode-test'

let hits = 0
let port = 0
let location = ''
let sender: Sender
let redirector: Server
const canaries: Server[] = []

const lookup: LookupFunction = (hostname, options, callback) => {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  // The names of this machine are in no zone of the test: the guard must know them by itself.
  const addresses = (inwardNames[name] ?? ['127.0.0.1']).map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }))
  if (options.all) callback(null, addresses)
  else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
}

beforeAll(async () => {
  for (const host of ['127.0.0.1', '::1']) {
    const canary = createServer(({ headers }, response) => {
      // A client of another test may still ask for what had this port before: it has a name of its own.
      if ((headers['user-agent'] ?? userAgent) === userAgent) hits += 1
      response.end('inside')
    })
    canary.listen(port, host)
    await once(canary, 'listening')
    // A listening server has an address with a port, and no path of a pipe.
    port = (canary.address() as AddressInfo).port
    canaries.push(canary)
  }
  redirector = createServer((_request, response) => {
    response.writeHead(307, { location }).end()
  }).listen(0, '127.0.0.1')
  await once(redirector, 'listening')
  sender = openSender({ allow: [originOf(redirector)], userAgent, lookup })
})

afterAll(async () => {
  await sender.close()
  for (const server of [...canaries, redirector]) server.close()
})

beforeEach(() => {
  hits = 0
})

describe.each(forms.map((form) => ({ form })))('the address $form', ({ form }) => {
  test('is not called', async () => {
    const failed = await failureOf({ method: 'POST', url: at(form), body: 'x', redirects: 3 })
    expect(failed.fault).toMatch(/^address_(?:refused|invalid)$/)
    expect(failed.message).not.toMatch(/127|inside|PORT|93\.184/)
    expect(hits).toBe(0)
  })

  test('is not called by way of a redirect', async () => {
    location = Buffer.from(at(form))
      .toString('latin1')
      .replaceAll(/[\r\n]/g, '')
    const outcome = await sender
      .send({ method: 'GET', url: `${originOf(redirector)}/`, redirects: 3 })
      .catch((error: unknown) => error)
    // An empty or relative address leads back to the redirector, until the redirects are used up.
    expect(outcome).toBeInstanceOf(OutboundFailure)
    expect(hits).toBe(0)
  })
})

test('there are at least 89 forms, most of which would reach the canary unguarded', async () => {
  const named = forms.filter((form) => form.includes('PORT') && URL.canParse(at(form)))
  const open = named.map(at).filter((url) => new URL(url).protocol === 'http:')
  await Promise.all(open.map(reach))
  expect(new Set(forms).size).toBeGreaterThanOrEqual(89)
  expect(hits).toBeGreaterThan(40)
})

test('an objection is raised without resolving names, and only to what would be refused', () => {
  const silent = forms.filter((form) => sender.objection(at(form)) === undefined)
  expect(silent.every((form) => /\.test\.?:PORT/.test(form))).toBe(true)
  expect(silent.length).toBeLessThanOrEqual(Object.keys(inwardNames).length + 1)
  expect(sender.objection('https://hooks.example.com/x')).toBeUndefined()
  expect(sender.objection('http://93.184.215.14/')).toBeUndefined()
  expect(sender.objection('http://[2606:4700::1111]/')).toBeUndefined()
  expect(sender.objection(`${originOf(redirector)}/`)).toBeUndefined()
  expect(sender.objection('ftp://example.com/')).toMatch(/http or https/)
  expect(sender.objection('https://a:b@example.com/')).toMatch(/user name or a password/)
  expect(sender.objection('http://10.0.0.1/')).toMatch(/private/)
})

test('addresses of the open internet are open', () => {
  const open = ['93.184.215.14', '1.1.1.1', '::ffff:1.1.1.1', '2606:4700::1111']
  expect(open.filter((address) => !isOpenAddress(address))).toEqual([])
  expect(isOpenAddress('example.com')).toBe(false)
  expect(isOpenAddress('')).toBe(false)
})

test('an origin that is let through is reached, and no other port or scheme of its host', async () => {
  const canary = `http://127.0.0.1:${port}`
  const trusting = openSender({ allow: [canary, `http://[::1]:${port}/`], userAgent, lookup })
  const answer = await trusting.send({ method: 'GET', url: `${canary}/a?b` })
  expect(answer).toMatchObject({ status: 200, body: 'inside' })
  await trusting.send({ method: 'GET', url: `http://0x7f.1:${port}/` })
  await trusting.send({ method: 'GET', url: `http://[0:0::1]:${port}/` })
  expect(hits).toBe(3)
  for (const url of [
    `https://127.0.0.1:${port}/`,
    originOf(redirector),
    at('http://127.0.0.2:PORT'),
  ]) {
    expect((await failureOf({ method: 'GET', url }, trusting)).fault).toBe('address_refused')
  }
  await trusting.close()
})

test('of a name with open and private addresses only the open ones are connected to', async () => {
  const resolve: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '93.184.215.14', family: 4 },
      { address: '::1', family: 6 },
    ])
  const used: unknown[] = []
  // A connector that tells which addresses it was given instead of connecting to them.
  const build: typeof buildConnector = (options) => (target, callback) => {
    const lookup = options && 'lookup' in options ? options.lookup : undefined
    lookup?.(target.hostname, { all: true }, (_error, all) => used.push(all))
    lookup?.(target.hostname, {}, (_error, one) => used.push(one))
    callback(new Error('not connected'), null)
  }
  const connect = guardedConnector(build, new Set(), resolve)
  connect({ hostname: 'mixed.test', host: 'mixed.test', protocol: 'http:', port: '' }, () => {})
  expect(used).toEqual([[{ address: '93.184.215.14', family: 4 }], '93.184.215.14'])
})

test('an address in a URL is judged when it is connected to, where no name is looked up', () => {
  const outcomes: unknown[] = []
  const build: typeof buildConnector = () => () => void outcomes.push('connected')
  const connect = guardedConnector(build, new Set(['http://127.0.0.1:1']))
  for (const hostname of ['127.0.0.1', '::1', '::ffff:7f00:1', '93.184.215.14']) {
    const host = `${hostname}:2`
    connect(
      { hostname, host, protocol: 'http:', port: '2' },
      (...[error]) => void outcomes.push(error),
    )
  }
  connect({ hostname: '127.0.0.1', host: '127.0.0.1:1', protocol: 'http:', port: '1' }, () => {})
  const refused = expect.objectContaining({ fault: 'address_refused' })
  expect(outcomes).toEqual([refused, refused, refused, 'connected', 'connected'])
})

test('the HTTP client is loaded by the first address that may be called', async () => {
  const script = `
    import { createRequire } from 'node:module'
    import { openSender } from '#adapters/sender/fetch.ts'
    const isLoaded = () => Object.keys(createRequire(process.cwd() + '/x').cache)
      .some((path) => path.includes('undici'))
    const sender = openSender({ allow: [process.argv[1]], userAgent: 'x' })
    const seen = []
    for (const url of ['http://10.0.0.1/', process.argv[1]]) {
      await sender.send({ method: 'GET', url }).catch(() => undefined)
      seen.push(isLoaded())
    }
    console.log(JSON.stringify(seen))
    await sender.close()`
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    originOf(redirector),
  ])
  expect(JSON.parse(await text(child.stdout))).toEqual([false, true])
})

function at(form: string): string {
  return form.replaceAll('PORT', String(port))
}

function originOf(server: Server): string {
  // A listening server has an address with a port, and no path of a pipe.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function failureOf(request: Outbound, by = sender): Promise<OutboundFailure> {
  const outcome = await by.send(request).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(OutboundFailure)
  // Checked in the line above.
  return outcome as OutboundFailure
}

/** Calls an address as a careless server would. */
async function reach(url: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const request = get(url, { lookup, timeout: 500 }, (response) => {
      response.resume().on('close', resolve)
    })
    request.on('error', () => resolve())
    request.on('timeout', () => request.destroy())
  })
}
