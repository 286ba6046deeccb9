import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdtemp, readdir, rm, symlink, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { endOf, surroundings, type Ended } from '#tests/support/process.ts'
import { root } from '#tests/house/tree.ts'

/** What the program is made of, and what it reads. */
const parts = [
  'src',
  'protocol',
  'adapters',
  'examples/demo',
  'docs/guides',
  'package.json',
  'package-lock.json',
  'LICENSE',
  'README.md',
  'server.json',
]

/** A copy of the project, whose files a test may change. */
export interface Project {
  folder: string
  /** Runs `npm run build` to its end. */
  build(): Promise<Ended>
  /** Starts the server, says which file it came from, gives its address to a visitor, and stops it. */
  started(visit?: (url: string) => Promise<void>): Promise<string>
  remove(): Promise<void>
}

/**
 * @param without packages that are not installed
 */
export async function newProject(without: readonly string[] = []): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-build-test-'))
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true })
  // It tells which form of it runs.
  const tell = 'process.stderr.write(`from ${import.meta.url}\\n`)\n'
  await appendFile(join(folder, 'adapters/main.ts'), tell)
  await linkPackages(folder, without)
  return {
    folder,
    build: () => {
      const command = join(folder, 'adapters/commands/build.ts')
      return endOf(spawn(process.execPath, [command], { env: surroundings() }))
    },
    started: (visit) => started(folder, visit),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function linkPackages(folder: string, without: readonly string[]): Promise<void> {
  const packages = join(root, 'node_modules')
  const place = join(folder, 'node_modules')
  if (without.length === 0) return symlink(packages, place)
  await mkdir(place)
  for (const name of await readdir(packages)) {
    if (!without.includes(name)) await symlink(join(packages, name), join(place, name))
  }
}

/** Starts the server of a folder, on a free port. */
export async function started(
  folder: string,
  visit?: (url: string) => Promise<void>,
): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'abode-build-data-'))
  const child = spawn(process.execPath, [join(folder, 'adapters/abode.js')], {
    env: { ...surroundings(), PORT: '0', DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  try {
    const [[from], url] = (await Promise.race([
      Promise.all([
        once(createInterface({ input: child.stderr }), 'line'),
        addressIn(createInterface({ input: child.stdout })),
      ]),
      ended.then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`))),
    ])) as [[string], string]
    await visit?.(url)
    return from
  } finally {
    child.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true, force: true })
  }
}

/** The address in the line that says where it listens; a busy machine may be told of before. */
function addressIn(lines: Interface): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  lines.on('line', (line) => {
    // The server's own log: one object a line.
    const { url } = JSON.parse(line) as { url?: string }
    if (url !== undefined) resolve(url)
  })
  return promise
}
