import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContainers } from '#adapters/shell/container.ts'
import type { Command, CommandEnd } from '#src/ports/command.ts'
import { processesWith } from '#tests/support/bubblewrap.ts'
import { until } from '#tests/support/until.ts'

describe('the container runtime, by a program of the operator', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-container-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  let written = 0
  const program = async (text: string, mode = 0o755): Promise<string> => {
    const path = join(folder, `adapter-${++written}`)
    await writeFile(path, text)
    await chmod(path, mode)
    return path
  }
  /** A program in the language of the server, which has the job as `job`. */
  const script = (body: string): Promise<string> =>
    program(
      `#!${process.execPath}\nconst job = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))\n${body}\n`,
    )
  const run = (path: string, rest: Partial<Command> = {}): Promise<CommandEnd> =>
    openContainers(path).run({
      run: { run_id: 'run_1', task_id: 't', char_id: 'ada' },
      env: { TOKEN: 'x\ny' },
      stdin: '{"input":"é"}',
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      image: 'debian:12',
      command: 'cat',
      ...rest,
    })

  test('is given the job as JSON, and gives what the program prints', async () => {
    const path = await script(
      `console.log(JSON.stringify({ exit_code: 3, stdout: JSON.stringify(job), stderr: 'warned' }))`,
    )
    const { exitCode, stdout, stderr, isCut } = await run(path)
    expect({ exitCode, stderr, isCut }).toEqual({ exitCode: 3, stderr: 'warned', isCut: false })
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      run: { run_id: 'run_1', task_id: 't', char_id: 'ada' },
      image: 'debian:12',
      command: 'cat',
      env: { TOKEN: 'x\ny' },
      input: '{"input":"é"}',
      limits: {
        timeout_seconds: 30,
        memory_bytes: 536_870_912,
        processes: 64,
        stdout_bytes: 1_048_576,
        stderr_bytes: 16_384,
      },
    })
  })

  test('hands nothing of the environment of the server to the program', async () => {
    process.env['SECRET_OF_THE_SERVER'] = 'leaked'
    try {
      const path = await script(
        `console.log(JSON.stringify({ exit_code: 0, stdout: Object.keys(process.env).join() }))`,
      )
      const { stdout } = await run(path)
      expect(stdout.split(',')).toContain('PATH')
      expect(stdout).not.toMatch(/SECRET_OF_THE_SERVER|TOKEN|NODE_|VITEST/)
    } finally {
      delete process.env['SECRET_OF_THE_SERVER']
    }
  })

  test.each([
    ['prints nothing', ''],
    ['prints no JSON', 'console.log("fine")'],
    ['prints a list', 'console.log("[]")'],
    ['forgets the exit code', `console.log('{"stdout":"x"}')`],
    ['gives an exit code in words', `console.log('{"exit_code":"0"}')`],
    ['gives an output that is no text', `console.log('{"exit_code":0,"stdout":{}}')`],
    ['fails itself', 'console.error("no engine"); process.exit(2)'],
  ])('fails where the program %s', async (_, body) => {
    const failure = run(await script(body))
    await expect(failure).rejects.toMatchObject({ name: 'CommandFailure', fault: 'unavailable' })
    if (body.includes('no engine')) {
      await expect(failure).rejects.toMatchObject({ stderr: 'no engine\n' })
    }
  })

  test('takes no more output than a command may have', async () => {
    const of = (bytes: number): Promise<string> =>
      script(`console.log(JSON.stringify({ exit_code: 0, stdout: 'x'.repeat(${bytes}) }))`)
    expect((await run(await of(1_048_576))).stdout).toHaveLength(1_048_576)
    await expect(run(await of(1_048_577))).rejects.toMatchObject({ fault: 'output' })
    await expect(run(await of(20_000_000))).rejects.toMatchObject({ fault: 'output' })
    const loud = await script(
      `console.log(JSON.stringify({ exit_code: 0, stdout: '', stderr: 'é'.repeat(20000) }))`,
    )
    const { stderr, isCut } = await run(loud)
    expect(isCut).toBe(true)
    expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(16_384 + 2)
  })

  test('asks the program to end, so that it can clean up', async () => {
    const marker = join(folder, 'marker')
    const seconds = `9${Math.random().toFixed(12).slice(2)}`
    const path = await script(`
      const write = (text) => require('node:fs').writeFileSync(${JSON.stringify(marker)}, text)
      process.on('SIGTERM', () => {
        write('cleaned')
        process.exit(0)
      })
      require('node:child_process').spawn('sleep', ['${seconds}'])
      setInterval(() => undefined, 1000)`)
    const stop = new AbortController()
    const going = run(path, { signal: stop.signal }).catch((cause: unknown) => cause)
    await until(() => processesWith(seconds) > 0)
    stop.abort('cancelled')
    expect(await going).toBe('cancelled')
    expect(await readFile(marker, 'utf8')).toBe('cleaned')
    await until(() => processesWith(seconds) === 0)
  })

  test('ends it when its time is up', async () => {
    const path = await program('#!/bin/sh\nexec sleep 60\n')
    await expect(run(path, { timeoutMs: 300 })).rejects.toMatchObject({ fault: 'timeout' })
  })

  test('kills the program that will not end, with what it has started', async () => {
    const stop = new AbortController()
    const seconds = `9${Math.random().toFixed(12).slice(2)}`
    const path = await program(
      `#!/bin/sh\ntrap '' TERM\nsleep ${seconds} & while :; do sleep ${seconds}; done\n`,
    )
    const going = run(path, { signal: stop.signal }).catch((cause: unknown) => cause)
    await until(() => processesWith(seconds) >= 2)
    stop.abort('cancelled')
    expect(await going).toBe('cancelled')
    await until(() => processesWith(seconds) === 0)
  })

  test.each([
    ['is not there', () => Promise.resolve('/nowhere/adapter')],
    ['may not be run', () => program('#!/bin/sh\n', 0o644)],
    ['is a folder', () => Promise.resolve(tmpdir())],
  ])('is refused at the start where the program %s', async (_, make) => {
    const path = await make()
    expect(() => openContainers(path)).toThrow(
      `ABODE_CONTAINER_RUNTIME must be off or the path of a program: ${path} cannot be run`,
    )
  })

  test('fails where the program was taken away since', async () => {
    const path = await script('')
    const containers = openContainers(path)
    await rm(path)
    const job = {
      run: { run_id: 'run_1', task_id: 't', char_id: 'ada' },
      env: {},
      stdin: '',
      timeoutMs: 1000,
      signal: new AbortController().signal,
      image: 'x',
      command: null,
    }
    await expect(containers.run(job)).rejects.toMatchObject({ fault: 'unavailable' })
  })
})
