import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A release of the suite, and a revision whose wire it speaks to the server. */
export interface Line {
  release: string
  revision: string
}

/** The stable release knows the 2025 revisions; the 2026 one is in the line that follows it. */
export const lines: readonly Line[] = [
  { release: '0.1.16', revision: '2025-11-25' },
  { release: '0.2.0-alpha.12', revision: '2025-11-25' },
  { release: '0.2.0-alpha.12', revision: '2026-07-28' },
]

export interface Outcome {
  passed: boolean
  /** What the suite said last, in one line. */
  said: string
}

const name = '@modelcontextprotocol/conformance'
const scenarioEndsWithinMs = 60_000
const installEndsWithinMs = 300_000

/**
 * The official suite, kept outside of the repository: its dependencies are none of ours.
 * @returns the program of the release, installed if it was not yet
 */
export async function installed(release: string): Promise<string> {
  const folder = join(tmpdir(), 'abode-conformance', release)
  const home = join(folder, 'node_modules', ...name.split('/'))
  const program = join(home, 'dist', 'index.js')
  if ((await versionIn(home)) === release) return program
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { code, text } = await ran(npm, ['install', ...flags, `${name}@${release}`], {
    cwd: folder,
    timeout: installEndsWithinMs,
  })
  if (code !== 0) throw new Error(`${name}@${release} could not be installed:\n${text}`)
  return program
}

async function versionIn(home: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(home, 'package.json'), 'utf8')
    // The package of the suite, which has a version.
    return (JSON.parse(text) as { version: string }).version
  } catch {
    return undefined
  }
}

/** The scenarios for servers that apply to the revision, in the suite's order. */
export async function scenariosOf({ release, revision }: Line): Promise<string[]> {
  const { text } = await node([await installed(release), 'list', '--server'])
  const found = [...text.matchAll(/^ {2}- ([\w-]+) \[([^\]]*)\]/gm)]
  const scenarios = found.flatMap(([, scenario, revisions]) =>
    scenario && revisions?.split(',').includes(revision) ? [scenario] : [],
  )
  if (scenarios.length === 0) throw new Error(`the suite ${release} lists no scenarios:\n${text}`)
  return scenarios
}

/** Plays one scenario against the server at this address. */
export async function played(
  { release, revision }: Line,
  scenario: string,
  url: string,
): Promise<Outcome> {
  const program = await installed(release)
  const flags = ['--url', url, '--scenario', scenario, '--spec-version', revision]
  const { code, text } = await node([program, 'server', ...flags])
  const last = text.trim().split('\n').at(-1) ?? ''
  const counted = /^Passed: .*$/m.exec(text)?.[0]
  return { passed: code === 0, said: code === null ? 'out of time' : (counted ?? last) }
}

interface Ran {
  /** Null when it ran out of time. */
  code: number | null
  text: string
}

function node(args: readonly string[]): Promise<Ran> {
  return ran(process.execPath, args, { cwd: tmpdir(), timeout: scenarioEndsWithinMs })
}

function ran(
  program: string,
  args: readonly string[],
  options: { cwd: string; timeout: number },
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0
      resolve({ code, text: `${stdout}\n${stderr}` })
    })
    child.stdin?.end()
  })
}
