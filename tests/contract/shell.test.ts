import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShell, shellLimits } from '#adapters/shell/bubblewrap.ts'
import { seccompFilter } from '#adapters/shell/seccomp.ts'
import type { Command, CommandEnd } from '#src/ports/command.ts'
import type { Shell } from '#src/ports/shell.ts'
import { processesWith, shellHere } from '#tests/support/bubblewrap.ts'
import { until } from '#tests/support/until.ts'

const patience = 180_000
const found = await shellHere()

/** A number of seconds to sleep by which a process is found again. */
const unlikely = (): string => `9${Math.random().toFixed(12).slice(2)}`

describe.skipIf(!found)('the shell runtime', () => {
  let shell: Shell
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-shell-'))
    if (found) shell = found
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = (script: string, rest: Partial<Command> = {}): Promise<CommandEnd> =>
    shell.run({
      run: { run_id: 'run_1', task_id: 't', char_id: 'ada' },
      env: {},
      stdin: '',
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      ...rest,
      script,
    })
  const said = async (script: string, rest?: Partial<Command>): Promise<string> =>
    (await run(script, rest)).stdout.trim()

  test('gives output, standard error and exit code', async () => {
    expect(await run('echo out; echo err >&2; exit 7')).toEqual({
      exitCode: 7,
      stdout: 'out\n',
      stderr: 'err\n',
      isCut: false,
    })
    expect(await run('kill -9 $$')).toMatchObject({ exitCode: 137 })
    expect(await run('syntax (')).toMatchObject({ exitCode: 2 })
  })

  test('gives the input to a command that reads it, and accepts one that does not', async () => {
    const stdin = `{"a":"${'x'.repeat(500_000)}"}`
    expect(await said('cat', { stdin })).toBe(stdin)
    expect(await said('echo unread', { stdin })).toBe('unread')
  })

  test('has the environment that it is given and nothing of the server', async () => {
    process.env['SECRET_OF_THE_SERVER'] = 'leaked'
    try {
      const env = { TOKEN: 'a b\n"c"', ABODE_INPUT: '$(id)', LD_PRELOAD: '/nowhere.so' }
      const lines = await said('env', { env })
      expect(lines).toContain('TOKEN=a b\n"c"')
      expect(lines).toContain('ABODE_INPUT=$(id)')
      expect(lines).not.toContain('leaked')
      const names = [...lines.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
      const given = ['ABODE_INPUT', 'HOME', 'LANG', 'LD_PRELOAD', 'PATH', 'PWD', 'TOKEN']
      expect(new Set(names.filter((name) => name !== '_'))).toEqual(new Set(given))
    } finally {
      delete process.env['SECRET_OF_THE_SERVER']
    }
  })

  test('shows no value to the other processes of the machine', async () => {
    const seconds = unlikely()
    const env = { TOKEN: 'visible-to-no-one' }
    const stop = new AbortController()
    const going = run(`: visible-script; sleep ${seconds}`, { env, signal: stop.signal })
    const ended = going.catch(() => undefined)
    await until(() => processesWith(seconds) > 0)
    expect(processesWith('visible-to-no-one')).toBe(0)
    expect(processesWith('visible-script')).toBe(0)
    stop.abort(new Error('enough'))
    await ended
  })

  test('takes no NUL, which could begin an argument of its own', async () => {
    const failure = { name: 'CommandFailure', fault: 'unavailable' }
    const env = { TOKEN: 'x\0--bind\0/\0/' }
    await expect(run('ls /work/..', { env })).rejects.toMatchObject(failure)
    await expect(run('ls\0')).rejects.toMatchObject(failure)
  })

  test('reaches no network, not even its own machine', async () => {
    const server = createServer((socket) => socket.end('reached'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A listening server has an address with a port.
    const { port } = server.address() as { port: number }
    const script = `
      use Socket;
      socket(my $s, AF_INET, SOCK_STREAM, 0) or die "no socket";
      connect($s, sockaddr_in(${port}, inet_aton("127.0.0.1"))) or print "no loopback\n";
      socket(my $o, AF_INET, SOCK_STREAM, 0) or die "no socket";
      connect($o, sockaddr_in(80, inet_aton("1.1.1.1"))) or print "no internet\n";
      socket(my $v, 40, SOCK_STREAM, 0) or print "no machine below\n";
      opendir(my $d, "/sys/class/net") or print "no devices\n";`
    const answer = await said(
      `cat > s.pl <<'END'\n${script}\nEND\nperl s.pl; cut -d: -f1 /proc/net/dev`,
    )
    server.close()
    for (const line of ['no loopback', 'no internet', 'no machine below', 'no devices']) {
      expect(answer).toContain(line)
    }
    expect(answer).not.toMatch(/eth|ens|wlan/)
  })

  test('sees nothing of the server, its data and its settings', async () => {
    await writeFile(join(folder, 'abode.db'), 'data of others')
    expect(await run(`cat ${join(folder, 'abode.db')}`)).toMatchObject({ exitCode: 1, stdout: '' })
    const root = await said('ls -A /')
    expect(root).not.toMatch(/^(home|root|var|opt|mnt|srv|run|sys|data)$/m)
    expect(await said('ls -A /etc')).not.toMatch(/passwd|shadow|abode/)
    // The first process is its own supervisor, and there are few others.
    expect(await said('ls /proc | grep -c "^[0-9]"')).toMatch(/^[1-9]$/)
    expect(await said('cat /proc/1/environ | tr "\\0" "\\n" | grep -c ABODE || true')).toBe('0')
  })

  test('sees no hidden folder inside of what is bound', async () => {
    const hiding = await openShell({ hidden: ['/usr/share/dict', '/usr/share/doc'] })
    const command = {
      run: { run_id: 'r', task_id: 't', char_id: 'c' },
      env: {},
      stdin: '',
      timeoutMs: 30_000,
      signal: new AbortController().signal,
    }
    const hidden = await hiding.run({
      ...command,
      script: 'ls -A /usr/share/doc; touch /usr/share/doc/x',
    })
    expect(hidden).toMatchObject({ exitCode: 1, stdout: '' })
    expect((await said('ls -A /usr/share/doc')).length).toBeGreaterThan(0)
  })

  test('writes into its own folder alone, which is new for each command', async () => {
    const places = ['/x', '/usr/x', '/etc/x', '/dev/x', '/dev/shm/x', '/proc/x', '/command']
    for (const place of places) {
      expect(await run(`echo x > ${place}`), place).not.toMatchObject({ exitCode: 0 })
    }
    expect(await said('pwd; echo mine > kept; cat /tmp/kept; ls -A')).toBe('/work\nmine\nkept')
    expect(await said('ls -A /work /tmp/.')).toBe('/tmp/.:\n\n/work:')
    expect(await said('mkfifo p && ln -s /etc l && ls')).toBe('l\np')
  })

  test('shares no folder and no process with a concurrent command', async () => {
    const stop = new AbortController()
    const seconds = unlikely()
    const going = run(`echo secret > mine; sleep ${seconds}`, { signal: stop.signal })
    const ended = going.catch(() => undefined)
    await until(() => processesWith(seconds) > 0)
    expect(await said('ls -A; ls /proc/*/cwd/mine 2>&1')).toMatch(/^ls: cannot access.*$/)
    await run('kill -9 -1')
    expect(processesWith(seconds)).toBeGreaterThan(0)
    stop.abort(new Error('enough'))
    await ended
  })

  test('fills no more than its folder', async () => {
    const one = await run('head -c 100000000 /dev/zero > a; stat -c %s a')
    expect(Number(one.stdout)).toBeLessThanOrEqual(shellLimits.file_bytes)
    const many = await said(
      'for i in 1 2 3 4; do head -c 30000000 /dev/zero > f$i; done 2>&1; du -sb /work | cut -f1',
    )
    expect(many).toContain('No space left')
    expect(Number(many.split('\n').at(-1))).toBeLessThanOrEqual(shellLimits.folder_bytes + 4096)
  })

  test('is no root, gets no rights and makes no namespaces', async () => {
    expect(await said('id -u; id -G')).toBe('1000\n1000')
    expect(await said('grep CapEff /proc/self/status')).toMatch(/\s0+$/)
    expect(await said('grep NoNewPrivs /proc/self/status')).toMatch(/\s1$/)
    expect(await run('unshare -U true')).not.toMatchObject({ exitCode: 0 })
    expect(await run('mount -t tmpfs x /work')).not.toMatchObject({ exitCode: 0 })
    expect(await run('chroot / true')).not.toMatchObject({ exitCode: 0 })
    const isFiltered = seccompFilter() !== undefined
    expect(await said('grep ^Seccomp: /proc/self/status')).toMatch(isFiltered ? /2$/ : /0$/)
  })

  test.skipIf(!seccompFilter())('gets no memory that counts for no process', async () => {
    // memfd_create on x86-64 and on ARM.
    const number = process.arch === 'x64' ? 319 : 279
    const script = `perl -e 'my $n = "x"; print syscall(${number}, $n, 0) == -1 ? "refused $!" : "made"'`
    expect(await said(script)).toBe('refused Operation not permitted')
  })

  test('contains a fork bomb', { timeout: patience }, async () => {
    const seconds = unlikely()
    const bomb = `perl -e 'unless (fork) { fork while 1 } sleep 2; print "survived"'`
    expect(await run(bomb, { timeoutMs: 40_000 })).toMatchObject({ stdout: 'survived' })
    const one = `my $p = fork; exec "sleep", "${seconds}" if defined $p and !$p`
    const many = `perl -e 'for (1..200) { ${one} } sleep 60'`
    const going = run(many, { timeoutMs: 20_000 }).catch((cause: unknown) => cause)
    await until(() => processesWith(seconds) > 10)
    expect(processesWith(seconds)).toBeLessThanOrEqual(shellLimits.processes)
    expect(await going).toMatchObject({ name: 'CommandFailure' })
    await until(() => processesWith(seconds) === 0)
  })

  test(
    'contains one that wants all memory, and many that do together',
    { timeout: patience },
    async () => {
      const alone = await run(`perl -e '$x = "a" x 2000000000; print "has it"'`)
      expect(alone.exitCode).not.toBe(0)
      expect(alone.stdout).toBe('')
      // Each is within its own limit, which the kernel holds.
      const each = `perl -e '$x = "a" x 150000000; sleep 30'`
      const together = run(`for i in 1 2 3 4 5 6; do ${each} & done; wait`)
      await expect(together).rejects.toMatchObject({ fault: 'memory' })
    },
  )

  test('cuts a flood of output, and keeps the beginning of its complaints', async () => {
    await expect(run('yes')).rejects.toMatchObject({ fault: 'output' })
    const flood = run('yes >&2')
    await expect(flood).rejects.toMatchObject({ fault: 'output' })
    await expect(flood).rejects.toHaveProperty('stderr', 'y\n'.repeat(8192))
    const much = await run('head -c 100000 /dev/zero | tr "\\0" e >&2; echo fine')
    expect(much).toMatchObject({ exitCode: 0, stdout: 'fine\n', isCut: true })
    expect(much.stderr).toHaveLength(shellLimits.stderr_bytes)
    const exactly = await run(`head -c ${shellLimits.stdout_bytes} /dev/zero | tr "\\0" o`)
    expect(exactly.stdout).toHaveLength(shellLimits.stdout_bytes)
  })

  test('makes text of any bytes', async () => {
    const { stdout } = await run(String.raw`printf 'a\377\300b\0c'`)
    expect(stdout.isWellFormed()).toBe(true)
    expect(stdout).toMatch(/^a\uFFFD\uFFFDb\0c$/)
  })

  test('ends at its time, with its grandchildren and what left its session', async () => {
    const seconds = unlikely()
    const script = `sh -c 'sleep ${seconds} & sleep ${seconds}' & (setsid sleep ${seconds} &); (trap "" TERM HUP; sleep ${seconds})`
    const going = run(script, { timeoutMs: 2000 }).catch((cause: unknown) => cause)
    await until(() => processesWith(seconds) >= 4)
    expect(await going).toMatchObject({ name: 'CommandFailure', fault: 'timeout' })
    await until(() => processesWith(seconds) === 0)
  })

  test('leaves nothing running behind it', async () => {
    const seconds = unlikely()
    expect(await said(`(setsid sleep ${seconds} > /dev/null 2>&1 &); echo done`)).toBe('done')
    await until(() => processesWith(seconds) === 0)
  })

  test('ends when it is no longer wanted, also before its turn', async () => {
    const stop = new AbortController()
    const seconds = unlikely()
    const reason = new Error('cancelled')
    const all = Array.from({ length: 12 }, () => run(`sleep ${seconds}`, { signal: stop.signal }))
    const ends = Promise.allSettled(all)
    await until(() => processesWith(`/command`) > 0)
    stop.abort(reason)
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason })
    await until(() => processesWith(seconds) === 0)
    await expect(run('true', { signal: stop.signal })).rejects.toBe(reason)
    expect(await said('echo free')).toBe('free')
  })

  test('ends at any moment of its start', { timeout: patience }, async () => {
    const seconds = unlikely()
    for (let i = 0; i < 60; i++) {
      const stop = new AbortController()
      const going = run(`sleep ${seconds}`, { signal: stop.signal }).catch(
        (cause: unknown) => cause,
      )
      await new Promise((resolve) => setTimeout(resolve, i / 4))
      stop.abort(`stopped ${i}`)
      expect(await going).toBe(`stopped ${i}`)
    }
    await until(() => processesWith(seconds) === 0)
  })

  test('dies with a server that is killed', async () => {
    const seconds = unlikely()
    const adapter = new URL('../../adapters/shell/bubblewrap.ts', import.meta.url)
    const program = `
      import { openShell } from ${JSON.stringify(adapter.href)}
      const shell = await openShell({ hidden: [] })
      await shell.run({ run: {}, env: {}, stdin: '', timeoutMs: 60000,
        signal: new AbortController().signal, script: 'sleep ${seconds} & sleep ${seconds}' })`
    const args = ['--input-type=module', '--eval', program]
    const server = spawn(process.execPath, args, { stdio: 'ignore' })
    // Of the two sleeps; the server itself has the text in its arguments too.
    await until(() => processesWith(`sleep\0${seconds}`) === 2)
    server.kill('SIGKILL')
    await until(() => processesWith(seconds) === 0)
  })
})

describe('a machine without it', () => {
  test('is told what to install', async () => {
    const opening = openShell({ hidden: [], program: '/nowhere/bwrap' })
    await expect(opening).rejects.toThrow(
      'ABODE_SHELL_RUNTIME=on needs bubblewrap: install the package, so that bwrap is in PATH; or leave it off',
    )
  })

  test('is told what bubblewrap said where it can make no namespaces', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'abode-shell-'))
    const program = join(folder, 'bwrap')
    const words = 'bwrap: No permissions to create new namespace'
    await writeFile(program, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, { mode: 0o755 })
    // A server that is root runs it as an unprivileged user.
    const { chmod } = await import('node:fs/promises')
    await chmod(folder, 0o755)
    await expect(openShell({ hidden: [], program })).rejects.toThrow(
      `ABODE_SHELL_RUNTIME=on needs namespaces, and bwrap could not make them here (${words}); or leave it off`,
    )
    await rm(folder, { recursive: true })
  })
})
