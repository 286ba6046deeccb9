import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOldNode } from '#adapters/process/node.js'
import { root } from '#tests/house/tree.ts'
import { endOf, surroundings } from '#tests/support/process.ts'

it.each([
  ['20.20.2', true],
  ['25.9.0', true],
  ['26.0.0', false],
  ['127.1.0', false],
])('Node %s is too old: %s', (version, isOld) => {
  expect(isOldNode(version)).toBe(isOld)
})

describe('a start in an old Node', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-node-'))
    await cp(join(root, 'adapters/process'), join(folder, 'adapters/process'), { recursive: true })
    const start = "import { startAgain } from './process/node.js'\nstartAgain()\n"
    await writeFile(join(folder, 'adapters/start.js'), start)
    const optionalDependencies = { 'node-for-others': '1.0.0', 'node-for-us': '1.0.0' }
    const own = { type: 'module', optionalDependencies }
    await writeFile(join(folder, 'package.json'), JSON.stringify(own))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const begun = (...words: string[]) =>
    spawn(process.execPath, [join(folder, 'adapters/start.js'), ...words], { env: surroundings() })

  /** The Node of a package: here a script that does this, and is given the program as its first word. */
  async function bring(code: string): Promise<void> {
    const place = join(folder, 'node_modules/node-for-us')
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'package.json'), JSON.stringify({ bin: { node: 'it' } }))
    await writeFile(join(place, 'it'), `#!${process.execPath}\n${code}\n`, { mode: 0o755 })
  }

  it('says what is missing where the packages have none for the machine', async () => {
    const { code, out, err } = await endOf(begun())
    expect([code, out]).toEqual([78, ''])
    expect(err).toMatch(/^Abode needs Node 26: this is v[\d.]+, and .+ Install Node 26\.\n$/)
  })

  it('goes on in that of the packages, with its words, and ends with its code', async () => {
    await bring("console.log(process.argv.slice(3).join(' ')); process.exitCode = 78")
    expect(await endOf(begun('mcp', '--url', 'x y'))).toEqual({
      code: 78,
      out: 'mcp --url x y\n',
      err: '',
    })
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('passes %s on', async (signal) => {
    await bring(
      `process.on('${signal}', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up')`,
    )
    const child = begun()
    child.stdout.once('data', () => child.kill(signal))
    expect((await endOf(child)).code).toBe(7)
  })

  it('ends by the signal that ended that one', async () => {
    await bring("process.kill(process.pid, 'SIGKILL')")
    const child = begun()
    expect((await endOf(child)).code).toBe(null)
    expect(child.signalCode).toBe('SIGKILL')
  })
})
