import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { dropping } from '#adapters/log/drop.ts'
import { openLog } from '#adapters/log/json.ts'
import { versionOfPackage, writerOf } from '#adapters/compose/about.ts'

function written(
  write: (log: ReturnType<typeof openLog>) => void,
  level: Parameters<typeof openLog>[0]['level'] = 'debug',
): Record<string, unknown>[] {
  const lines: string[] = []
  write(openLog({ level, stream: { write: (line) => lines.push(line) } }))
  // A line of a log is an object, which the next line would show if it were not.
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

function shown(write: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = []
  write(openLog({ level: 'debug', stream: { isTTY: true, write: (line) => lines.push(line) } }))
  return lines.join('')
}

const key = 'ab_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab'

describe('a line', () => {
  test('is one object of JSON with its level, time and message', () => {
    const [line, ...rest] = written((log) => log.info('it began', { port: 8080, at: new Date(0) }))
    expect(rest).toEqual([])
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      message: 'it began',
      port: 8080,
      at: '1970-01-01T00:00:00.000Z',
    })
  })

  test('says which process wrote it, what that does, and of which version it is', () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const writer = { ...writerOf('api 2', ['api']), pid: 7 }
    openLog({ level: 'info', stream, writer }).info('it began', { pid: 8, version: 2 })
    const said = { process: 'api 2', role: 'api', pid: 7, pid_: 8, version_: 2 }
    expect(JSON.parse(lines.join(''))).toMatchObject({ ...said, version: versionOfPackage() })
  })

  test('is left out below the level', () => {
    const all = (log: ReturnType<typeof openLog>): void => {
      log.debug('1')
      log.info('2')
      log.warn('3')
      log.error('4')
    }
    expect(written(all, 'warn').map(({ level }) => level)).toEqual(['warn', 'error'])
    expect(written(all, 'silent')).toEqual([])
    expect(written(all)).toHaveLength(4)
  })

  test('keeps its own members when fields have their names', () => {
    const [line] = written((log) => log.warn('said', { level: 1, time: 2, message: 3 }))
    expect(line).toMatchObject({ level: 'warn', message: 'said', level_: 1, time_: 2, message_: 3 })
  })

  test('tells an error with its causes, and of its members only the code', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'E_INNER', data: 'theirs' })
    const error = new Error('outer', { cause })
    const [line] = written((log) => log.error('failed', { cause: error, run_id: 'run_1' }))
    expect(line).toMatchObject({
      run_id: 'run_1',
      cause: {
        type: 'Error',
        message: 'outer',
        stack: expect.stringContaining('log.test.ts'),
        cause: { type: 'TypeError', message: 'inner', code: 'E_INNER' },
      },
    })
    expect(JSON.stringify(line)).not.toContain('theirs')
    const several = new AggregateError([new Error('one')], 'all')
    expect(written((log) => log.error('failed', { cause: several }))[0]).toMatchObject({
      cause: { errors: [{ message: 'one' }] },
    })
  })

  test('survives every kind of value', () => {
    const loop: Record<string, unknown> = { name: 'loop' }
    loop['self'] = loop
    loop['all'] = Array.from({ length: 100 }, () => loop)
    const wild = {
      get broken(): never {
        throw new Error('no')
      },
    }
    const fields = {
      loop,
      wild,
      bytes: Buffer.from('secret'),
      big: 1n,
      nothing: null,
      missing: undefined,
      call: () => 1,
      url: new URL('https://example.com/a'),
      map: new Map([['a', 1]]),
      set: new Set([1]),
      bad: new Date(Number.NaN),
      long: 'x'.repeat(1_000_000),
    }
    const [line] = written((log) => log.info('odd', fields))
    expect(line).toMatchObject({
      wild: '<unreadable>',
      bytes: '<6 bytes>',
      big: '1',
      nothing: null,
      call: '<function>',
      url: 'https://example.com/a',
      map: { a: 1 },
      set: [1],
      bad: null,
      loop: { name: 'loop', self: '…' },
    })
    expect(JSON.stringify(line).length).toBeLessThan(200_000)
  })
})

describe('a secret', () => {
  test.each([
    ['message', (log: ReturnType<typeof openLog>) => log.info(`with ${key}`)],
    ['field', (log: ReturnType<typeof openLog>) => log.info('x', { used: key })],
    ['field of a field', (log: ReturnType<typeof openLog>) => log.info('x', { a: [{ b: key }] })],
    ['name of a field', (log: ReturnType<typeof openLog>) => log.info('x', { [key]: 1 })],
    ['escaped query', (log: ReturnType<typeof openLog>) => log.info(`a%3Ftoken%3D${key}`)],
    ['error', (log: ReturnType<typeof openLog>) => log.info('x', { e: new Error(key) })],
    [
      'cause of an error',
      (log: ReturnType<typeof openLog>) =>
        log.info('x', { e: new Error('y', { cause: new Error(`"${key}"`) }) }),
    ],
  ])('of this server is not written as part of a %s, nor shown', (_where, write) => {
    const text = JSON.stringify(written(write)) + shown(write)
    expect(text).toContain('ab_***')
    expect(text).not.toContain('0123456789')
  })

  test('of every kind that we give out is known by its form', () => {
    for (const prefix of ['ab', 'abs', 'abm', 'abl', 'abt', 'abr', 'cmn', 'act', 'lse', 'ort']) {
      const [line] = written((log) => log.info(key.replace('ab_', `${prefix}_`)))
      expect(line).toHaveProperty('message', `${prefix}_***`)
    }
  })

  test('is masked by its name, in any form', () => {
    const names = ['secret', 'token', 'key', 'password', 'authorization', 'Authorization']
    const more = [
      'api_key',
      'X-Api-Key',
      'masterKey',
      'OPENAI_API_KEY',
      'client_secret',
      'Set-Cookie',
    ]
    for (const name of [...names, ...more]) {
      const [line] = written((log) =>
        log.info('x', { headers: { [name]: 'hush' }, [name]: ['hush'] }),
      )
      expect(line).toMatchObject({ [name]: '***', headers: { [name]: '***' } })
    }
    const open = { key_id: 'key_1', tokens: 12, input_tokens: 5, monkey: 'b', author: 'c' }
    expect(written((log) => log.info('x', open))[0]).toMatchObject(open)
  })

  test('in an address or a header goes, with the query', () => {
    const [line] = written((log) =>
      log.info('to https://u:hush@example.com/a?token=hush', {
        uri: 'mongodb://abode:hush@db/abode',
        said: 'Bearer hush, basic aHVzaA==',
      }),
    )
    expect(line).toMatchObject({
      message: 'to https://***@example.com/a?…',
      uri: 'mongodb://***@db/abode',
      said: 'Bearer ***, basic ***',
    })
  })

  test('is looked for in linear time', () => {
    const hostile = ['Bearer ', '://', 'ab_', '?a=', '?', '://:', 'Bearer\t', ':', 'act_a']
    // Of the processor: by the clock, it would wait for others too.
    const began = process.threadCpuUsage()
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(50_000 / part.length))
      expect(written((log) => log.info(text))).toHaveLength(1)
    }
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(hostile.length * 50)
  })
})

describe('on a terminal', () => {
  test('a line is to be read', () => {
    const text = shown((log) => log.info('it listens', { url: 'http://h:1', why: 'a b', n: 1 }))
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}it listens url=http:\/\/h:1 why="a b" n=1\n$/,
    )
  })

  test('an error stands below with its causes', () => {
    const text = shown((log) =>
      log.error('it failed', { cause: new Error('outer', { cause: new Error('inner') }) }),
    )
    expect(text).toMatch(/^\S+ error it failed cause="Error: outer"\n {4}Error: outer\n {4}at /)
    expect(text).toMatch(/\n {4}caused by\n {4}Error: inner\n {4}at /)
  })

  test('third-party text cannot move the cursor', () => {
    const text = shown((log) => log.info('a\u001b[2Jb\nc', { name: '\u009b31m', 'x\r': 1 }))
    expect(text.trimEnd()).not.toMatch(/\p{Cc}/u)
  })
})

test('no line is lost when the process ends at once, by itself or by an uncaught error', async () => {
  for (const end of ['process.exit(3)', 'throw new Error("out")']) {
    const script = `
      import { dropping } from '#adapters/log/drop.ts'
import { openLog } from '#adapters/log/json.ts'
      const log = openLog({ level: 'info' })
      for (let i = 0; i < 5000; i++) log.info('line', { i })
      setImmediate(() => {
        for (let i = 5000; i < 10000; i++) log.info('line', { i })
        ${end}
      })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const lines = (await text(child.stdout)).trimEnd().split('\n')
    // Each line was written by the log, with these members.
    const numbers = lines.map((line) => (JSON.parse(line) as { i: number }).i)
    expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, i) => i))
  }
})

test('what cannot be written is dropped and counted, and told when it goes again', () => {
  let isFull = true
  const lines: string[] = []
  const put = dropping((text) => {
    if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    lines.push(text)
  })
  put('one\ntwo\n')
  put('three\n')
  isFull = false
  put('four\n')
  put('five\n')
  const [told = '', ...rest] = lines
  expect(JSON.parse(told)).toMatchObject({ level: 'warn', dropped: 3 })
  expect(rest).toEqual(['four\n', 'five\n'])
})

test('a full disk ends no process', async () => {
  const script = `
    import { openLog } from '#adapters/log/json.ts'
    const log = openLog({ level: 'info' })
    log.info('line')
    setImmediate(() => setImmediate(() => log.info('another')))`
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', full, 'ignore'],
  })
  const [code] = await once(child, 'exit')
  closeSync(full)
  expect(code).toBe(0)
})
