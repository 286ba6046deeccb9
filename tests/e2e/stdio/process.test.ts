import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { program, startServer } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import { hostEnv, newFolder, Speaker } from './hosts.ts'

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})

async function newPlace(): Promise<string> {
  const { folder, remove } = await newFolder()
  ending.push(remove)
  return folder
}

function speak(words: string[], env: Record<string, string>): Speaker {
  const speaker = new Speaker(words, env)
  ending.push(async () => {
    speaker.child.kill('SIGKILL')
    await speaker.exit()
  })
  return speaker
}

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

const looking = { seconds: 120, pauseMs: 20 }
const answered = (speaker: Speaker, id: number) =>
  until(() => speaker.answer(id) !== undefined, looking)

describe('wrong words', () => {
  test.each([
    [['--foo']],
    [['--data']],
    [['--data', 'a', '--url', 'http://127.0.0.1:1']],
    [['--url', 'abode.example']],
    [['--toolsets', 'agnets']],
    [['folder']],
  ])('%j end it, with what is wrong and how it is used', async (words) => {
    const speaker = speak(words, hostEnv(await newPlace()))
    expect(await speaker.exit()).toBe(64)
    expect(speaker.stderr).toMatch(/^abode: .+\n\nabode mcp \[options\]\n/)
    expect(speaker.lines).toEqual([])
  })

  test('of the environment too', async () => {
    const folder = await newPlace()
    const env = hostEnv(folder, { ABODE_LOG_LEVLE: 'info' })
    const speaker = speak(['--data', join(folder, 'data')], env)
    expect(await speaker.exit()).toBe(78)
    expect(speaker.stderr).toBe(
      'abode: ABODE_LOG_LEVLE is not a setting; did you mean ABODE_LOG_LEVEL?\n',
    )
  })

  test('and a key file of another service, or a folder that cannot be used', async () => {
    const folder = await newPlace()
    const file = join(folder, 'key.json')
    const kept = { service: 'https://a.example', api_key: 'ab_x', token: 'act_x', claim_url: '' }
    await writeFile(file, JSON.stringify(kept), { mode: 0o600 })
    const words = ['--url', 'http://127.0.0.1:1', '--key-file', file]
    const other = speak(words, hostEnv(folder))
    expect(await other.exit()).toBe(78)
    expect(other.stderr).toMatch(/^abode: .*https:\/\/a\.example.*\n$/)
    const inFile = speak(['--data', join(file, 'data')], hostEnv(folder))
    expect(await inFile.exit()).toBe(78)
    expect(inFile.stderr).toMatch(/^abode: .+\n$/)
  })

  test('are explained', async () => {
    const speaker = speak(['--help'], hostEnv(await newPlace()))
    expect(await speaker.exit()).toBe(0)
    expect(speaker.lines.join('\n')).toContain('--key-file')
  })
})

describe('it ends in order', () => {
  test('when its input ends, after it has answered what came before', async () => {
    const folder = await newPlace()
    const speaker = speak(['--data', join(folder, 'data')], hostEnv(folder))
    speaker.say(call(1, 'health_get'))
    speaker.child.stdin.end()
    expect(await speaker.exit()).toBe(0)
    expect(speaker.answer(1)).toHaveProperty('result')
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'at %s, though a call waits',
    async (name) => {
      const folder = await newPlace()
      const speaker = speak(['--data', join(folder, 'data')], hostEnv(folder))
      speaker.say(call(1, 'health_get'))
      speaker.say(call(2, 'runs_lease', { wait_seconds: 60 }))
      await answered(speaker, 1)
      speaker.child.kill(name)
      expect(await speaker.exit()).toBe(0)
    },
  )

  test('when no one reads its output', async () => {
    const folder = await newPlace()
    const speaker = speak(['--data', join(folder, 'data')], hostEnv(folder))
    speaker.say(call(1, 'health_get'))
    await answered(speaker, 1)
    speaker.child.stdout.destroy()
    speaker.say(call(2, 'health_get'))
    expect(await speaker.exit()).toBe(0)
  })

  test('when its host is killed, though its input stays open', async () => {
    const folder = await newPlace()
    // A host that hands its own input on, and so leaves it open when it dies.
    const script = `
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, ${JSON.stringify([program, 'mcp', '--data', join(folder, 'data')])}, {
        stdio: ['inherit', 'inherit', 'ignore'],
      })
      process.send(child.pid)`
    const host = spawn(process.execPath, ['-e', script], {
      env: hostEnv(folder),
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    })
    let said = ''
    host.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
    const pid = await new Promise<number>((resolve) => host.once('message', resolve))
    host.stdin?.write(`${JSON.stringify(call(1, 'health_get'))}\n`)
    await until(() => said.includes('"id":1'), looking)
    host.kill('SIGKILL')
    await until(() => !isAlive(pid), looking)
    host.stdin?.destroy()
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('on one folder', () => {
  test('two at once have one key, and see what the other has made', async () => {
    const folder = await newPlace()
    const words = ['--data', join(folder, 'data')]
    const both = [speak(words, hostEnv(folder)), speak(words, hostEnv(folder))] as const
    for (const speaker of both) speaker.say(call(1, 'account_get'))
    for (const speaker of both) await answered(speaker, 1)
    const ids = both.map((speaker) => accountIn(speaker))
    expect(ids[0]).toMatch(/^acc_/)
    expect(ids[1]).toBe(ids[0])
    const [one, two] = both
    one.say(call(2, 'characters_create', { character: { id: 'ada', name: 'Ada' } }))
    await answered(one, 2)
    two.say(call(2, 'characters_get', { char_id: 'ada' }))
    await answered(two, 2)
    expect(JSON.stringify(two.answer(2))).toContain('Ada')
    for (const { child } of both) child.stdin.end()
    expect(await Promise.all(both.map((speaker) => speaker.exit()))).toEqual([0, 0])
  })

  test('it works along with the server itself, to which its claim link leads', async () => {
    const folder = await newPlace()
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const server = await startServer({ dataDir })
    ending.push(() => server.dispose())
    const speaker = speak(['--data', dataDir], hostEnv(folder))
    speaker.say(call(1, 'account_get'))
    await answered(speaker, 1)
    // As the command writes it.
    const { api_key: key } = JSON.parse(await readFile(join(dataDir, 'mcp-key.json'), 'utf8')) as {
      api_key: string
    }
    const seen = await fetch(`${server.url}/api/account`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await seen.json()).toMatchObject({ id: accountIn(speaker) })
    speaker.child.stdin.end()
    expect(await speaker.exit()).toBe(0)
  })
})

function accountIn(speaker: Speaker): unknown {
  return idIn(speaker, 1)
}

/** The id of what was answered, as the text of the answer has it. */
function idIn(speaker: Speaker, call: number): string | undefined {
  const { content = [] } = (speaker.answer(call)?.result ?? {}) as { content?: { text: string }[] }
  // The documented answer of the operation.
  return (JSON.parse(content[0]?.text ?? '{}') as { id?: string }).id
}

describe('standard output', () => {
  test('holds messages only, for any input', async () => {
    const folder = await newPlace()
    const env = hostEnv(folder, { ABODE_LOG_LEVEL: 'debug' })
    const speaker = speak(['--data', join(folder, 'data')], env)
    speaker.child.stdin.write('{"half\n\n[]\nnull\n"text"\n')
    speaker.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    speaker.say([call(7, 'health_get')])
    speaker.say({ jsonrpc: '2.0', id: 8, method: 'no/such' })
    speaker.say(call(9, 'health_get'))
    for (const id of [8, 9]) await answered(speaker, id)
    speaker.child.stdin.end()
    expect(await speaker.exit()).toBe(0)
    expect(speaker.stderr).not.toBe('')
    for (const message of speaker.messages) expect(message).toHaveProperty('jsonrpc', '2.0')
    const codes = speaker.messages.flatMap(({ id, error }) => (id === null ? [error?.code] : []))
    expect(codes).toContain(-32700)
    expect(codes).toContain(-32600)
    expect(speaker.answer(8)).toMatchObject({ error: { code: -32601 } })
  })

  test('tells of changes to a run, until it is over', async () => {
    const folder = await newPlace()
    const speaker = speak(['--data', join(folder, 'data')], hostEnv(folder))
    const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'x' }] }
    speaker.say(call(1, 'characters_create', { character: { id: 'ada', name: 'Ada', heart } }))
    await answered(speaker, 1)
    speaker.say(call(2, 'tasks_run', { char_id: 'ada', task_id: 't' }))
    await answered(speaker, 2)
    const run_id = idIn(speaker, 2)
    const uri = `abode://runs/${run_id}`
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const notifications = { resourceSubscriptions: [uri] }
    const params = { notifications, _meta }
    speaker.say({ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params })
    const told = (method: string) => speaker.messages.some((message) => message.method === method)
    await until(() => told('notifications/subscriptions/acknowledged'), looking)
    speaker.say(call(4, 'runs_cancel', { run_id }))
    await answered(speaker, 3)
    expect(told('notifications/resources/updated')).toBe(true)
  })
})

describe('for a service elsewhere', () => {
  /** Something that answers and is not this service. */
  async function stranger(status: number, headers: Record<string, string>, body = '') {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ending.push(async () => void server.close())
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, asked }
  }

  test('that is not there every request is told so, and no other', async () => {
    const speaker = speak(['--url', 'http://127.0.0.1:1'], hostEnv(await newPlace()))
    speaker.say({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    speaker.say(call(2, 'account_get'))
    for (const id of [1, 2]) {
      await answered(speaker, id)
      expect(speaker.answer(id)?.error?.message).toContain('http://127.0.0.1:1 cannot be reached')
    }
    speaker.child.stdin.end()
    expect(await speaker.exit()).toBe(0)
  })

  test('that leads elsewhere no key follows', async () => {
    const folder = await newPlace()
    const other = await stranger(200, { 'content-type': 'application/json' }, '{}')
    const leading = await stranger(307, { location: `${other.url}/mcp` })
    const env = hostEnv(folder, { ABODE_KEY: 'ab_secret' })
    const speaker = speak(['--url', leading.url], env)
    speaker.say(call(1, 'account_get'))
    await answered(speaker, 1)
    expect(speaker.answer(1)?.error?.message).toContain('307')
    expect(leading.asked).toEqual(['Bearer ab_secret'])
    expect(other.asked).toEqual([])
  })

  test('that refuses the key a person is told what to do, once', async () => {
    const folder = await newPlace()
    const server = await startServer()
    ending.push(() => server.dispose())
    const file = join(folder, 'key.json')
    const kept = { service: server.url, api_key: 'ab_old', token: 'act_x', claim_url: '' }
    await writeFile(file, JSON.stringify(kept), { mode: 0o600 })
    await chmod(file, 0o644)
    const speaker = speak(['--url', server.url, '--key-file', file], hostEnv(folder))
    for (const id of [1, 2]) speaker.say(call(id, 'account_get'))
    for (const id of [1, 2]) {
      await answered(speaker, id)
      expect(speaker.answer(id)).toMatchObject({ error: { code: 401 } })
    }
    speaker.child.stdin.end()
    expect(await speaker.exit()).toBe(0)
    expect(speaker.stderr.match(/is refused/g)).toHaveLength(1)
    expect(speaker.stderr).toContain(`chmod 600`)
    expect(speaker.stderr).not.toContain('ab_old')
  })
})
