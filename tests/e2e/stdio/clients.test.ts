import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '#tests/support/long-tests.ts'
import { answerOf, callTool } from '#tests/support/mcp-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { callWith, hostEnv, hosts, newFolder, type Started } from './hosts.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

interface Kept {
  service: string
  api_key: string
  token: string
  claim_url: string
}

/** A place for a command to work in, which goes when the test has ended. */
async function place() {
  const { folder, remove } = await newFolder()
  return { folder, env: hostEnv(folder), [Symbol.asyncDispose]: remove }
}

const manifest = {
  app_id: 'desk',
  name: 'A desk',
  agents: [
    {
      local_id: 'writer',
      name: 'Writer',
      heart: {
        tasks: [
          { task_id: 'draft', name: 'Draft', runtime: 'template', prompt: 'On {{topic}}: …' },
          { task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' },
        ],
      },
    },
  ],
}

/** What the other tests call, though none of them asks for more tools than there are by default. */
const needed = ['agent_apps_provision', 'characters_create', 'runs_lease', 'tasks_run']

const inTurn = { concurrent: false }

/** Who carries large messages in the short form: one client of each generation. */
const largest = ['the current client as it comes', 'the first client']

const modes = [
  ['on a folder', (folder: string) => ['--data', join(folder, 'data')], 'local'],
  ['for a service elsewhere', () => ['--url', server.url], ''],
] as const

/** Agents of one's own, on a service that others use too. */
function ownManifest(): typeof manifest {
  return { ...manifest, app_id: `desk-${Math.random().toString(36).slice(2, 10)}` }
}

describe.each(hosts)('%s', (who, start) => {
  const carried = isLong || largest.includes(who) ? ['both ways'] : []

  // The two ways go on side by side, and the tests of each one after the other on one process.
  describe.concurrent.each(modes)('%s', (_, words, named) => {
    let here: Awaited<ReturnType<typeof place>>
    let keyFile: string
    let starting: Promise<Started> | undefined
    const args = (): string[] => [...words(here.folder), '--key-file', keyFile]
    const host = (): Promise<Started> =>
      (starting ??= start([...args(), '--toolsets', 'all'], here.env))
    // As the command writes it.
    const kept = async (): Promise<Kept> => JSON.parse(await readFile(keyFile, 'utf8')) as Kept

    beforeAll(async () => {
      here = await place()
      keyFile = join(here.folder, 'keys', 'mcp.json')
    })
    afterAll(async () => {
      await (await starting)?.client.close()
      await here[Symbol.asyncDispose]()
    })

    test('gets a key at first use, and keeps it', inTurn, async () => {
      const begun = await start(args(), here.env)
      const { tools } = await begun.client.listTools()
      expect(tools.length).toBeGreaterThan(20)
      expect(tools.length).toBeLessThanOrEqual(40)
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(needed))
      await expect(stat(keyFile)).rejects.toThrow('ENOENT')
      const account = await answerOf<{ id: string }>(begun.client, 'account_get')
      const { service, api_key, token, claim_url } = await kept()
      expect(service).toBe(named || server.url)
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
      await begun.client.close()
      expect(begun.said()).toContain(keyFile)
      for (const secret of [api_key, token, claim_url]) expect(begun.said()).not.toContain(secret)

      const { client } = await host()
      expect(await answerOf(client, 'account_get')).toMatchObject({ id: account.id })
    })

    test('provisions, runs, waits, reads and is refused', inTurn, async () => {
      const { client } = await host()
      const own = ownManifest()
      await answerOf(client, 'agent_apps_provision', { manifest: own })
      const writer = `${own.app_id}--writer`
      const draft = { char_id: writer, task_id: 'draft', input: { topic: 'tides' } }
      expect(await answerOf(client, 'tasks_run', draft)).toMatchObject({ output: 'On tides: …' })
      const read = await client.readResource({ uri: `abode://apps/${own.app_id}/manifest` })
      expect(JSON.stringify(read)).toContain('On {{topic}}')
      const wrong = await callTool(client, 'characters_get', { char_id: 'absent' })
      expect(wrong._meta?.['abode/error']).toMatchObject({ code: 'character_not_found' })
      await expect(callTool(client, 'no_such_tool')).rejects.toThrow('There is no tool')
    })

    test.each(carried)('carries large messages %s', inTurn, async () => {
      const { client } = await host()
      const id = `large-${Math.random().toString(36).slice(2, 10)}`
      const bio = 'ünï😀 '.repeat(100_000)
      await answerOf(client, 'characters_create', { character: { id, name: 'Large', bio } })
      expect(await answerOf(client, 'characters_get', { char_id: id })).toMatchObject({ bio })
      const media = { filename: 'a.txt', data: Buffer.alloc(2 ** 22, 'abc ').toString('base64') }
      await answerOf(client, 'knowledge_files_add', { char_id: id, files: [media] })
      const file = { filename: 'a.txt', data: Buffer.alloc(17 * 2 ** 20).toString('base64') }
      const tooLarge = callTool(client, 'knowledge_files_add', { char_id: id, files: [file] })
      await expect(tooLarge).rejects.toThrow('16777216')
      expect(await answerOf(client, 'health_get')).toEqual({ status: 'ok' })
    })

    test('hears of progress, and may cancel', inTurn, async () => {
      const { client } = await host()
      const own = ownManifest()
      await answerOf(client, 'agent_apps_provision', { manifest: own })
      const input = { char_id: `${own.app_id}--writer`, wait_seconds: 50 }
      const leaving = new AbortController()
      const notes: object[] = []
      const waiting = callWith(client, 'runs_lease', input, {
        signal: leaving.signal,
        onprogress(note) {
          notes.push(note)
          leaving.abort('enough')
        },
      })
      await expect(waiting).rejects.toThrow(/enough|abort|cancel/i)
      const message: unknown = expect.stringContaining('none_waiting')
      expect(notes[0]).toMatchObject({ total: 50, message })
      // A cancelled call gets no answer; the next answer shows that the cancellation has arrived.
      expect(await answerOf(client, 'health_get')).toEqual({ status: 'ok' })
      // The lease was given up: the next one who asks gets the run.
      const task = { char_id: `${own.app_id}--writer`, task_id: 'think', input: 'x' }
      const { id } = await answerOf<{ id: string }>(client, 'tasks_run', task)
      const lease = await answerOf<{ run: { id: string } }>(client, 'runs_lease', input)
      expect(lease.run.id).toBe(id)
    })

    test('never says its secrets', inTurn, async () => {
      const { client, said } = await host()
      await answerOf(client, 'account_get')
      const { api_key, token, claim_url } = await kept()
      await client.close()
      for (const secret of [api_key, token, claim_url]) expect(said()).not.toContain(secret)
    })
  })
})

test('a key of one’s own is used, and none is got', async () => {
  await using here = await place()
  const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  // The documented answer of the operation.
  const { api_key: key } = (await claim.json()) as { api_key: string }
  const keyFile = join(here.folder, 'key.json')
  const words = ['--url', server.url, '--key-file', keyFile]
  const [, start] = hosts[1] ?? []
  const { client, said } = (await start?.(words, { ...here.env, ABODE_KEY: key })) ?? {}
  if (!client) throw new Error('there is no host')
  expect(await answerOf(client, 'account_get')).toHaveProperty('id')
  await expect(stat(keyFile)).rejects.toThrow('ENOENT')
  await client.close()
  expect(said?.()).not.toContain(key)
})
