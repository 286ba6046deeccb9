import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Misused } from '#adapters/commands/arguments.ts'
import { askedFor } from '#adapters/commands/invitations/arguments.ts'
import { invitationDays, invitationUses } from '#src/accounts/invitation.ts'
import {
  program,
  runCommand,
  runToEnd,
  startServer,
  surroundings,
  type Ended,
  type ServerProcess,
} from '#tests/support/process.ts'
import { oneStore, type Place } from '#tests/support/stores.ts'

const demo = fileURLToPath(new URL('../../../examples/demo/play.ts', import.meta.url))
const masterKey = hash('sha256', 'a key of the tests', 'hex')
const contact = 'https://example.org/ask'

interface Answered {
  status: number
  body: { code?: string; hint?: string; api_key?: string; error?: { hint?: string } }
}

async function post(url: string, path: string, body: string | object): Promise<Answered> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // What comes is looked at by the tests.
  return { status: response.status, body: (await response.json()) as Answered['body'] }
}

const lastLine = ({ out }: Ended): string => out.trimEnd().split('\n').at(-1) ?? ''

describe.each(oneStore())('invitations made while a server runs on $name', (kind) => {
  let place: Place
  let server: ServerProcess
  let env: Record<string, string>
  const invite = (...words: string[]) => runCommand('invite', words, env)
  const claim = (invitation?: string) => post(server.url, '/api/agent-claim', { invitation })

  beforeAll(async () => {
    place = await kind.place()
    const shared = {
      ABODE_MASTER_KEY: masterKey,
      ABODE_SIGN_UP: 'invited',
      ABODE_COMMONS: 'off',
      ABODE_CONTACT: contact,
      ...(place.uri !== undefined && { MONGODB_URI: place.uri }),
    }
    server = await startServer({ dataDir: place.folder, env: shared })
    env = { DATA_DIR: place.folder, ...shared }
  })
  afterAll(async () => {
    await server.end('SIGTERM')
    await place.remove()
  })

  it('let one in, whose code is the last line and is good for a week', async () => {
    expect(await claim()).toMatchObject({ status: 403, body: { code: 'sign_up_closed' } })
    const made = await invite()
    expect(made).toMatchObject({ code: 0, err: '' })
    const code = lastLine(made)
    expect(code).toMatch(/^[A-Za-z0-9_-]{16,}$/)
    const [, until = ''] = /good until (\S+)\. /.exec(made.out) ?? []
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(6.99 * 86_400_000)
    expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(7 * 86_400_000)
    expect(await claim(code)).toMatchObject({ status: 200 })
    const again = await claim(code)
    expect(again).toMatchObject({ status: 403, body: { code: 'sign_up_closed' } })
    expect(again.body.hint).toContain(contact)
  })

  it('let in as many as they were made for, and no one once they are revoked', async () => {
    const made = await invite('--uses', '3', '--days', '1', '--json')
    const { code, id, uses } = JSON.parse(made.out) as { code: string; id: string; uses: number }
    expect(uses).toBe(3)
    expect((await claim(code)).status).toBe(200)
    expect((await invite('list')).out).toMatch(new RegExp(`^${id}  open +2 of 3 left`, 'm'))
    expect((await invite('list', '--json')).out).not.toContain(code)
    expect(await invite('revoke', id)).toMatchObject({ code: 0 })
    expect((await claim(code)).status).toBe(403)
    expect(await invite('revoke', code)).toMatchObject({ code: 65, out: '' })
  })

  it('work without the Commons', async () => {
    const threads = await post(server.url, '/api/commons/threads', {})
    expect(threads.status).toBe(404)
    expect(threads.body.error?.hint).toContain(contact)
    const card = await fetch(`${server.url}/.well-known/agent-card.json`)
    expect(await card.json()).toMatchObject({ name: 'Abode', url: `${server.url}/a2a/` })
  })
})

describe('the command that invites', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-invite-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('ends with 64 for words that it does not know, and says how it is called', async () => {
    const { code, out, err } = await runCommand('invite', ['mkae'], { DATA_DIR: folder })
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toContain('abode invite')
  })

  it.each([
    ['no number of uses', ['--uses', 'many']],
    ['no uses', ['--uses', '0']],
    ['too many days', ['--days', '366']],
    ['an option that there is not', ['--hours', '3']],
    ['nothing to revoke', ['revoke']],
    ['options that are for another command', ['list', '--uses', '3']],
  ])('also refuses %s', (_, words) => {
    const bounds = { uses: invitationUses, days: invitationDays }
    expect(() => askedFor(words, bounds)).toThrow(Misused)
  })

  it('ends with 78 where no server has been, and leaves nothing there', async () => {
    const { code, err } = await runCommand('invite', [], { DATA_DIR: folder })
    expect(code).toBe(78)
    expect(err).toContain(folder)
    expect(await readdir(folder)).toEqual([])
  })

  it('ends with 78 for settings that are wrong, one line each', async () => {
    const env = { DATA_DIR: folder, ABODE_SIGN_UP: 'shut', ABODE_CONTACT: 'me' }
    const { code, err } = await runCommand('invite', [], env)
    expect(code).toBe(78)
    expect(err.trimEnd().split('\n')).toEqual([
      'ABODE_SIGN_UP must be one of open, invited, closed, not "shut"',
      'ABODE_CONTACT must be an e-mail address, or an absolute http or https address, not "me"',
    ])
  })
})

describe('a closed server', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ env: { ABODE_SIGN_UP: 'closed', ABODE_CONTACT: contact } })
  })
  afterAll(() => server.dispose())

  it('says so as it starts', () => {
    expect(server.lines.join('\n')).toContain('"sign_up":"closed"')
  })

  it('says so to any body', async () => {
    for (const path of ['/api/agent-claim', '/api/auth/register']) {
      const { status, body } = await post(server.url, path, '{"name": ')
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'sign_up_closed' })
      expect(body.hint).toContain(contact)
    }
  })

  it('answers the next request on the connection whose body it has not read', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(100_000) })
    for (let i = 0; i < 3; i++) {
      expect((await post(server.url, '/api/agent-claim', body)).status).toBe(403)
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
    }
  })

  it('is told of by the relay of MCP, with what to do', async () => {
    const args = [program, 'mcp', '--url', server.url]
    const home = await mkdtemp(join(tmpdir(), 'abode-home-'))
    const env = { ...surroundings(), HOME: home, XDG_DATA_HOME: home }
    const child = spawn(process.execPath, args, { env })
    const params = { name: 'account_get', arguments: {} }
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`,
    )
    // At the end of its input it gives what is under way a moment, and a busy machine takes longer.
    const [told] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    child.stdin.end()
    expect(told).toContain('This server gives no new accounts.')
    expect(told).toContain(`(${contact})`)
    expect(told).toContain('ABODE_KEY')
    await once(child, 'exit')
    await rm(home, { recursive: true, force: true })
  })

  it('is told of by the demo, with what to do', async () => {
    const { code, err } = await runToEnd(demo, [server.url], {})
    expect(code).toBe(1)
    expect(err).toContain('sign_up_closed')
    expect(err).toContain(contact)
    expect(err).toContain('ABODE_INVITATION')
  })
})
