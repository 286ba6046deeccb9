import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer, surroundings } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import { one, pause, two } from './several.ts'

it('tells systemd that it is ready, lives and stops; not that it lives while a process is frozen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'abode-notify-'))
  const told = join(folder, 'told')
  const program = join(folder, 'systemd-notify')
  await writeFile(told, '')
  await writeFile(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> '${told}'\n`)
  await chmod(program, 0o755)
  const count = async (word: string): Promise<number> =>
    (await readFile(told, 'utf8')).split('\n').filter((line) => line === `@abode ${word}`).length
  const server = await startServer({
    env: {
      ...two,
      PATH: [folder, surroundings().PATH].join(delimiter),
      NOTIFY_SOCKET: '@abode',
      WATCHDOG_USEC: '400000',
    },
  })
  try {
    await until(async () => (await count('READY=1')) === 1, pause)
    await until(async () => (await count('WATCHDOG=1')) > 1, pause)
    expect(await count('STOPPING=1')).toBe(0)
    const { pid } = one(server, 'api 1')
    process.kill(pid, 'SIGSTOP')
    let before = -1
    const isQuiet = async (): Promise<boolean> => {
      const now = await count('WATCHDOG=1')
      const isSame = now === before
      before = now
      return isSame
    }
    await until(isQuiet, { pauseMs: 1000, seconds: 9 })
    process.kill(pid, 'SIGCONT')
    await until(async () => (await count('WATCHDOG=1')) > before, pause)
    expect(await server.end('SIGTERM')).toBe(0)
    await until(async () => (await count('STOPPING=1')) === 1, pause)
    expect(await count('READY=1')).toBe(1)
  } finally {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  }
})
