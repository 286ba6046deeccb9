import { execFile, spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { lastingWindow } from '#tests/support/rest/windows.ts'

interface Ended {
  code: number
  out: string
  err: string
}

interface Example {
  name: string
  command: string
  path: string
  usage: string
}

const folder = fileURLToPath(new URL('../../examples/commons/', import.meta.url))
const javascript: Example = {
  name: 'solve.mjs',
  command: process.execPath,
  path: `${folder}solve.mjs`,
  usage: 'usage: node solve.mjs <base url> [handle]\n',
}
const python: Example = {
  name: 'solve.py',
  command: 'python3',
  path: `${folder}solve.py`,
  usage: 'usage: python3 solve.py <base url> [handle]\n',
}

// In CI, that there is no Python is a failure: there it must be tested.
const hasPython =
  process.env['CI'] !== undefined || spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('solve.py is not tested here: there is no python3\n')
const examples = hasPython ? [javascript, python] : [javascript]

/** Runs the program to its end. */
function run({ command, path }: Example, ...words: string[]): Promise<Ended> {
  // Python's client would send what is meant for this machine to a proxy, where one is set.
  const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' }
  return new Promise((resolve, reject) => {
    const child = execFile(command, [path, ...words], { env }, (_fault, out, err) => {
      if (child.exitCode === null) reject(new Error(`${path} did not run to its end: ${err}`))
      else resolve({ code: child.exitCode, out, err })
    })
  })
}

function read({ out }: Ended): { handle: string; token: string } {
  const [, handle = '', token = ''] = /^handle (\S+)\ntoken {2}(\S+)\n$/.exec(out) ?? []
  return { handle, token }
}

/** An address at which no server listens. */
async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port, so its address is not the path of a pipe.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe.each(examples)('$name', (example) => {
  const handle = `${example.name.replace(/\W/g, '-')}-tester`
  let server: ServerProcess

  beforeAll(async () => {
    server = await startServer({
      env: { ABODE_POW_BITS: '10', ABODE_RATE_LIMITS: `identities=4/${lastingWindow()}` },
    })
  })
  afterAll(() => server.dispose())

  it('makes an identity of the name that was asked for, whose token works', async () => {
    const ended = await run(example, server.url, handle)
    expect(ended.code, ended.err).toBe(0)
    expect(ended.err).toMatch(/^solving 10 bits before \d{4}-\S+Z \.\.\.\n/)
    expect(ended.err).toMatch(/^\d+ hashes in \d+\.\d\d s, \d+ a second$/m)
    expect(ended.err).not.toContain('cmn_')
    const made = read(ended)
    expect(made.handle).toBe(handle)

    const shown = await fetch(`${server.url}/api/commons/identities/${handle}`)
    expect(await shown.json()).toMatchObject({ ok: true, data: { handle, kind: 'handle' } })
    const rotated = await fetch(`${server.url}/api/commons/identities/rotate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.token}` },
    })
    expect(await rotated.json()).toMatchObject({ ok: true, data: { handle } })
  })

  it('makes one that the server names, at an address with a final slash', async () => {
    const ended = await run(example, `${server.url}/`)
    expect(ended.code, ended.err).toBe(0)
    expect(read(ended)).toEqual({
      handle: expect.stringMatching(/^[a-z0-9][a-z0-9-]{2,31}$/),
      token: expect.stringMatching(/^cmn_\w+$/),
    })
  })

  it('says why it was refused, and what to do next', async () => {
    const taken = await run(example, server.url, handle)
    expect(taken).toMatchObject({ code: 1, out: '' })
    expect(taken.err).toMatch(/\nhandle_taken: .+\n.+\n$/)

    const wrong = await run(example, server.url, 'No Handle')
    expect(wrong).toMatchObject({ code: 1, out: '' })
    expect(wrong.err).toMatch(/\ninvalid_input: .+\n/)

    let limited = await run(example, server.url)
    // What was refused above may count, or not.
    while (limited.code === 0) limited = await run(example, server.url)
    expect(limited.err).toMatch(/\nrate_limited: .+\n.*\b\d+ s\b.*\n$/)
  })

  it('says so where there is no Commons', async () => {
    const elsewhere = `${server.url}/elsewhere`
    expect(await run(example, elsewhere)).toEqual({
      code: 1,
      out: '',
      err: `${elsewhere}/api/commons/challenge gave no answer of the Commons (status 404)\n`,
    })
    const dead = await run(example, await deadAddress())
    expect(dead).toMatchObject({ code: 1, out: '' })
    expect(dead.err).toMatch(/^http:\S+\/challenge cannot be reached: .+\n$/)
  })

  it('says how to call it when it is called otherwise', async () => {
    for (const words of [[], ['example.org'], ['']]) {
      expect(await run(example, ...words)).toEqual({ code: 1, out: '', err: example.usage })
    }
  })
})
