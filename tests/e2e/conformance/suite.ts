import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetched, ran, type Ran } from './fetched.ts'

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

/** The package of the official suite. */
export const suiteName = '@modelcontextprotocol/conformance'
const scenarioEndsWithinMs = 60_000

async function programOf(release: string): Promise<string> {
  return join(await fetched({ name: suiteName, release }), 'dist', 'index.js')
}

/** The scenarios for servers that apply to the revision, in the suite's order. */
export async function scenariosOf({ release, revision }: Line): Promise<string[]> {
  const text = said(await node([await programOf(release), 'list', '--server']))
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
  const program = await programOf(release)
  const flags = ['--url', url, '--scenario', scenario, '--spec-version', revision]
  const result = await node([program, 'server', ...flags])
  const text = said(result)
  const last = text.trim().split('\n').at(-1) ?? ''
  const counted = /^Passed: .*$/m.exec(text)?.[0]
  return {
    passed: result.code === 0,
    said: result.code === null ? 'out of time' : (counted ?? last),
  }
}

function said({ stdout, stderr }: Ran): string {
  return `${stdout}\n${stderr}`
}

function node(args: readonly string[]): Promise<Ran> {
  // Every scenario is a process of its own, which would else spend a third of its time on compiling.
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(tmpdir(), 'abode-conformance', 'compiled'),
  }
  return ran(process.execPath, args, { cwd: tmpdir(), timeout: scenarioEndsWithinMs, env })
}
