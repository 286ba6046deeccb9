import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A third-party package at the release in use. */
export interface Package {
  name: string
  release: string
}

export interface Ran {
  /** Null when it ran out of time. */
  code: number | null
  stdout: string
  stderr: string
}

const installEndsWithinMs = 300_000
const installs = new Map<string, Promise<string>>()

/**
 * A program that is kept outside the repository, so that its dependencies stay out of the project.
 * @returns the folder of the package, which is installed if it was not yet
 */
export function fetched({ name, release }: Package): Promise<string> {
  const known = `${name}@${release}`
  // Two installations into one folder would break each other.
  const made = installs.get(known) ?? install({ name, release })
  installs.set(known, made)
  return made
}

/**
 * Whether a package is on this machine or can be got. Where it is not, that is said on standard error; in CI it is a
 * failure.
 * @param lost what is not tested without it
 */
export async function canFetch(known: Package, lost: string): Promise<boolean> {
  try {
    await fetched(known)
    return true
  } catch (cause) {
    if (process.env['CI']) throw cause
    process.stderr.write(`${lost} is not tested here: ${String(cause)}\n`)
    return false
  }
}

async function install({ name, release }: Package): Promise<string> {
  const all = join(tmpdir(), 'abode-conformance')
  const folder = join(all, `${name.replaceAll(/[@/]+/g, '-')}-${release}`)
  const home = join(folder, 'node_modules', ...name.split('/'))
  if ((await versionIn(home)) === release) return home
  await mkdir(all, { recursive: true })
  // It gets its place when it is whole: an installation may be killed, or another process have one too.
  const unfinished = await mkdtemp(`${folder}-`)
  try {
    await installInto(unfinished, `${name}@${release}`)
    await rename(unfinished, folder)
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true })
    if ((await versionIn(home)) !== release) throw cause
  }
  return home
}

async function installInto(folder: string, known: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { code, stdout, stderr } = await ran(npm, ['install', ...flags, known], {
    cwd: folder,
    timeout: installEndsWithinMs,
  })
  if (code !== 0) throw new Error(`${known} could not be installed:\n${stdout}${stderr}`)
}

async function versionIn(home: string): Promise<string | undefined> {
  try {
    // A package has a version.
    return (JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string })
      .version
  } catch {
    return undefined
  }
}

/** Runs a program to its end, with nothing on its standard input. */
export function ran(
  program: string,
  args: readonly string[],
  options: { cwd: string; timeout: number; env?: NodeJS.ProcessEnv },
): Promise<Ran> {
  return new Promise((resolve) => {
    const whole = { ...options, maxBuffer: 64 * 2 ** 20 }
    const child = execFile(program, args, whole, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0
      resolve({ code, stdout, stderr })
    })
    child.stdin?.end()
  })
}
