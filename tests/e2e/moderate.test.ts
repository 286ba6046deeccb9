import { hash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Misused } from '#adapters/commands/arguments.ts'
import { askedFor } from '#adapters/commands/moderation/arguments.ts'
import { entryLine } from '#adapters/commands/moderation/lines.ts'
import { actions } from '#src/commons/moderation/log.ts'
import { solved } from '#tests/support/members.ts'
import { runCommand, startServer, type Ended, type ServerProcess } from '#tests/support/process.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores, type Place } from '#tests/support/stores.ts'

const masterKey = hash('sha256', 'a key of the tests', 'hex')

/** Runs the command to its end. */
const moderate = (words: readonly string[], env: Record<string, string>): Promise<Ended> =>
  runCommand('moderate', words, env)

interface Envelope {
  data: Record<string, unknown>
  error: { code: string } | null
}

describe.each(stores())('the command of the operator with a running server on $name', (kind) => {
  const { it: itOfCommand } = onFirstStore(kind)
  let place: Place
  let server: ServerProcess
  let env: Record<string, string>
  let token: string
  let handle: string
  let thread: string

  beforeAll(async () => {
    place = await kind.place()
    const own = { ABODE_POW_BITS: '2', ABODE_MASTER_KEY: masterKey }
    const shared = { ...own, ...(place.uri !== undefined && { MONGODB_URI: place.uri }) }
    server = await startServer({ dataDir: place.folder, env: shared })
    env = { DATA_DIR: place.folder, ...shared }
    const { challenge, bits } = await call('GET', 'challenge')
    const counter = solved(String(challenge), Number(bits))
    const joined = await call('POST', 'identities', { challenge, counter })
    token = String(joined.token)
    handle = String(joined.handle)
    const body = 'First line.\nSecond line: לשון הקודש, and the tab\there.'
    const made = await call('POST', 'threads', { board: 'ask', title: 'Why so red?', body })
    thread = String(made.id)
  })
  afterAll(async () => {
    await server.end('SIGTERM')
    await place.remove()
  })

  async function envelope(method: string, path: string, body?: object): Promise<Envelope> {
    const response = await fetch(`${server.url}/api/commons/${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    // The Commons answers all of its paths so.
    return (await response.json()) as Envelope
  }
  const call = async (...sent: [method: string, path: string, body?: object]) =>
    (await envelope(...sent)).data
  const ordered = (...words: string[]) => moderate(words, env)
  const because = ['--reason', 'It breaks the rules.']
  const publicState = async () => (await call('GET', `threads/${thread}`)).state

  it('holds and restores a thread, which the server knows at once', async () => {
    const held = await ordered('hold', thread, ...because)
    expect(held).toMatchObject({ code: 0, err: '' })
    expect(held.out).toMatch(
      new RegExp(`^\\d{4}-\\S+Z  hold ${thread} by operator: It breaks the rules\\.\\n$`),
    )
    expect(await publicState()).toBe('held')
    const again = await ordered('hold', thread, ...because)
    expect(again).toMatchObject({ code: 0, out: `${thread}: nothing to do, it is so already.\n` })
    expect(await ordered('restore', thread, ...because)).toMatchObject({ code: 0 })
    expect(await publicState()).toBe('open')
    const log = (await call('GET', 'moderation-log')).items as { action: string }[]
    expect(log.map(({ action }) => action)).toEqual(['restore', 'hold'])
  })

  it('bans a handle and lets it back, at once', async () => {
    const vote = { target_type: 'thread', target_id: thread, value: 1 }
    expect((await ordered('ban', `@${handle}`, ...because)).code).toBe(0)
    expect((await envelope('PUT', 'votes', vote)).error?.code).toBe('banned')
    expect((await ordered('unban', handle, ...because)).code).toBe(0)
    expect((await envelope('PUT', 'votes', vote)).error?.code).toBe('self_vote')
  })

  itOfCommand('ends with 78 with another master key', async () => {
    const other = { ...env, ABODE_MASTER_KEY: '0f'.repeat(32) }
    const { code, err } = await moderate(['log'], other)
    expect(code).toBe(78)
    expect(err).toContain('ABODE_MASTER_KEY is not the master key')
  })

  itOfCommand(
    'shows what there is on a thread and on a handle, for people and as JSON',
    async () => {
      const shown = await ordered('show', thread)
      expect(shown.out).toContain('Why so red?')
      expect(shown.out).toContain(
        '  | First line.\n  | Second line: לשון הקודש, and the tab\\u{9}here.\n',
      )
      const json = await ordered('show', `@${handle}`, '--json')
      expect(JSON.parse(json.out)).toMatchObject({
        type: 'identity',
        facts: { handle, banned: null },
      })
      const log = await ordered('log', `@${handle}`, '--limit', '1', '--json')
      expect(JSON.parse(log.out)).toMatchObject({ items: [{ action: 'unban', target_id: handle }] })
    },
  )

  itOfCommand('leaves moderation to the handles that are named at the next start', async () => {
    expect((await envelope('GET', 'moderation')).error?.code).toBe('forbidden')
    expect((await ordered('hold', thread, ...because)).code).toBe(0)
    await server.end('SIGTERM')
    const named = { ...env, ABODE_MODERATORS: `@${handle}` }
    server = await startServer({ dataDir: place.folder, env: named })
    const waiting = (await call('GET', 'moderation')).items
    expect(waiting).toMatchObject([{ target_id: thread, state: 'held', hold: { by: 'operator' } }])
    expect((await ordered('restore', thread, ...because)).code).toBe(0)
    expect((await call('GET', 'moderation')).items).toEqual([])
  })

  itOfCommand('refuses with 65 what is not there and what makes no sense', async () => {
    const unknown = await ordered('hold', `thr_${'0'.repeat(32)}`, ...because)
    expect(unknown).toMatchObject({ code: 65, out: '' })
    expect(unknown.err).toMatch(/^There is no such thread/)
    const senseless = await ordered('restore', thread, ...because, '--json')
    expect(senseless).toMatchObject({ code: 65, out: '' })
    expect(JSON.parse(senseless.err)).toMatchObject({ error: { code: 'invalid_input' } })
  })
})

describe('the command of the operator', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-moderate-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each([
    ['nothing', []],
    ['a reason that is no line', ['hold', `thr_${'0'.repeat(32)}`, '--reason', 'a\u001b[31mb']],
  ])('ends with 64 for %s, and says how it is called', async (_, words) => {
    const { code, out, err } = await moderate(words, { DATA_DIR: folder })
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toContain('abode moderate <command>')
    expect(err).not.toContain('\u001b')
  })

  it.each([
    ['a command that there is not', ['hodl', `thr_${'0'.repeat(32)}`, '--reason', 'x']],
    ['no reason', ['hold', `thr_${'0'.repeat(32)}`]],
    ['a reason of blanks', ['hold', `thr_${'0'.repeat(32)}`, '--reason', '  ']],
    ['a reason too long', ['hold', `thr_${'0'.repeat(32)}`, '--reason', 'x'.repeat(501)]],
    ['no target', ['hold', '--reason', 'x']],
    ['an impossible target', ['hold', 'thr_1', '--reason', 'x']],
    ['two targets', ['hold', '@ada', '@eve', '--reason', 'x']],
    ['a needless reason', ['show', '@ada', '--reason', 'x']],
    ['an invalid limit', ['log', '--limit', '0']],
    ['an unknown option', ['log', '--force']],
  ])('also refuses %s', (_, words) => {
    expect(() => askedFor(words, actions)).toThrow(Misused)
  })

  it('names the moderator of what a member has done', () => {
    const entry = {
      created_at: '2026-03-02T09:00:00.000Z',
      action: 'hold',
      target_type: 'thread',
      target_id: 'thr_1',
      reason: 'Spam.',
    }
    const at = '2026-03-02T09:00:00.000Z  hold thr_1 by'
    expect(entryLine({ ...entry, by: 'moderator', moderator: 'ada' })).toBe(
      `${at} moderator @ada: Spam.`,
    )
    expect(entryLine({ ...entry, by: 'flags' })).toBe(`${at} flags: Spam.`)
  })

  it('shows its usage with --help', async () => {
    const { code, out } = await moderate(['--help'], {})
    expect(code).toBe(0)
    expect(out).toContain('abode moderate <command>')
  })

  it('ends with 78 for settings that are wrong', async () => {
    const { code, err } = await moderate(['log'], { DATA_DIR: folder, ABODE_POW_BITS: 'many' })
    expect(code).toBe(78)
    expect(err).toContain('ABODE_POW_BITS')
  })

  it('ends with 78 where no server has been, and leaves nothing there', async () => {
    const { code, err } = await moderate(['log'], { DATA_DIR: folder })
    expect(code).toBe(78)
    expect(err).toContain(folder)
    expect(await readdir(folder)).toEqual([])
  })
})
