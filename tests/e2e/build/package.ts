import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { isOldNode } from '#adapters/process/node.js'
import { programs } from '#adapters/process/programs.js'
import { root } from '#tests/house/tree.ts'
import { endOf, surroundings, type Ended } from '#tests/support/process.ts'
import { started, type Project } from './project.ts'

/** What `npm pack --json` tells of a package. */
interface Packed {
  name: string
  version: string
  filename: string
  unpackedSize: number
  files: { path: string }[]
}

/** An empty folder in which the package was installed. */
interface Place {
  folder: string
  /** Where the package itself is. */
  home: string
  /** Calls its command to the end, with the oldest Node of this machine and nothing set. */
  abode: (...words: string[]) => Promise<Ended>
}

/** Packs the project, which has a build, and tries what is in the package. */
export async function tryPackage(project: Project): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-package-'))
  try {
    const packed = await packedOf(project, folder)
    const place = await installed(packed, folder)
    mustBeSlim(packed)
    await mustTell(place, packed)
    await mustSpeak(place)
    await mustServe(place)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function packedOf(project: Project, folder: string): Promise<Packed> {
  // The build is there already, so that no script has to make it.
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const env = { ...surroundings(), HOME: folder }
  const { out, code } = await endOf(spawn('npm', words, { cwd: project.folder, env }))
  expect(code).toBe(0)
  // What npm prints, of the one package that there is.
  const [packed] = JSON.parse(out) as [Packed]
  return packed
}

async function installed({ name, filename }: Packed, folder: string): Promise<Place> {
  const packages = join(folder, 'node_modules')
  const home = join(packages, name)
  await mkdir(home, { recursive: true })
  const archive = join(folder, filename)
  execFileSync('tar', ['-xzf', archive, '-C', home, '--strip-components=1'])
  for (const entry of await readdir(join(root, 'node_modules'))) {
    if (entry.startsWith('.')) continue
    await symlink(join(root, 'node_modules', entry), join(packages, entry))
  }
  const command = join(folder, 'abode')
  await symlink(join(home, 'adapters/abode.js'), command)
  const node = oldNode() ?? process.execPath
  const env = { ...surroundings(), HOME: folder }
  const abode = (...words: string[]): Promise<Ended> =>
    endOf(spawn(node, [command, ...words], { cwd: folder, env }))
  return { folder, home, abode }
}

/** A Node on the path that cannot run the service itself, where there is one. */
function oldNode(): string | undefined {
  const files = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, 'node'))
  return files.find((file) => {
    if (!existsSync(file)) return false
    return isOldNode(execFileSync(file, ['--version'], { encoding: 'utf8' }).replace('v', ''))
  })
}

function mustBeSlim({ files, unpackedSize }: Packed): void {
  const paths = files.map(({ path }) => path)
  const needless = /(?:\.ts|\.map)$|^tests\/|^dist\/[^/]+\/cache\//
  expect(paths.filter((path) => needless.test(path))).toEqual([])
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/build.json', 'server.json']),
  )
  expect(unpackedSize).toBeLessThan(6_500_000)
}

/** Words that are answered without a server. */
async function mustTell({ abode }: Place, { version }: Packed): Promise<void> {
  expect(await abode('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const names = [...programs.keys()]
  const helps = await Promise.all(names.map((name) => abode(name, '--help')))
  expect(helps.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, '']))
  names.forEach((name, at) => expect(helps[at]?.out).toContain(name))
  const { out } = await abode('-h')
  for (const name of names) expect(out).toContain(`  ${name} `)
  const wrong = await Promise.all([
    abode('strat'),
    abode('--hepl'),
    abode('start', '--port', '80'),
    abode('mcp', '--toolset'),
    abode('demo', '--kep'),
    abode('invite', '--day'),
  ])
  expect(wrong.map(({ code, err }) => [code, err.trim().split('\n')[0]])).toEqual([
    [64, 'There is no command "strat"; did you mean start?'],
    [64, 'There is no option "--hepl"; did you mean --help?'],
    [64, 'start takes no words, and so no "--port"; PORT=… before the command sets that.'],
    [64, 'abode: There is no option "--toolset"; did you mean --toolsets?'],
    [64, 'There is no option "--kep".'],
    [64, 'There is no option "--day"; did you mean --days?'],
  ])
  // What there is instead is said with it.
  for (const { err } of wrong) expect(err).toMatch(/^abode [a-z[]/m)
}

/** As a host starts it: a whole service, in a folder of the user's. */
async function mustSpeak({ folder, home }: Place): Promise<void> {
  const args = [join(home, 'adapters/abode.js'), 'mcp']
  const command = oldNode() ?? process.execPath
  const env = { ...surroundings(), HOME: folder, XDG_DATA_HOME: join(folder, 'share') }
  const client = new Client({ name: 'abode-tests', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }))
  expect((await client.listTools()).tools.length).toBeGreaterThan(20)
  await client.close()
  expect(await readdir(join(folder, 'share/abode'))).toContain('abode.db')
}

async function mustServe({ folder, home, abode }: Place): Promise<void> {
  const statuses: number[] = []
  let played: Ended | undefined
  await started(home, async (url) => {
    for (const path of ['/guides/running-it', '/api/conformance', '/api-reference']) {
      statuses.push((await fetch(url + path)).status)
    }
    played = await abode('demo', url)
  })
  expect(statuses).toEqual([200, 200, 200])
  expect(played).toMatchObject({ code: 0, err: '' })
  expect(played?.out).toMatch(/\nAll \d+ steps went well\.\n$/)
  const left = ['share', '.npm', 'node_modules', 'abode']
  const others = (await readdir(folder)).filter((name) => !left.includes(name))
  expect(others.filter((name) => !name.endsWith('.tgz'))).toEqual([])
  expect(await readFile(join(home, 'package.json'), 'utf8')).toContain('"bin"')
}
