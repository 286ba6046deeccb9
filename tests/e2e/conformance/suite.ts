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
  /** How many of its checks have passed, in one line. */
  said: string
}

/** The package of the official suite. */
export const suiteName = '@modelcontextprotocol/conformance'
/** All scenarios of a line, each of which gives up after half a minute. */
const endsWithinMs = 600_000

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

/**
 * Plays every scenario of a line against the server at this address, in one process.
 * @returns the outcome of each, by its name
 */
export async function played(
  { release, revision }: Line,
  url: string,
): Promise<ReadonlyMap<string, Outcome>> {
  const program = await programOf(release)
  const flags = ['--url', url, '--suite', 'all', '--spec-version', revision]
  // At its end it has a line for each.
  const text = said(await node([program, 'server', ...flags]))
  const lines = text.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gmu)
  return new Map(
    [...lines].map(([, mark, name = '', passed, failed]) => {
      const all = Number(passed) + Number(failed)
      return [name, { passed: mark === '✓', said: `Passed: ${passed}/${all}, ${failed} failed` }]
    }),
  )
}

/** The scenarios for servers of an extension, each named after it. */
export async function scenariosAbout(extension: string, { release }: Line): Promise<string[]> {
  const text = said(await node([await programOf(release), 'list', '--server']))
  const found = [...text.matchAll(/^ {2}- ([\w-]+) \[extension\]/gm)]
  return found.flatMap(([, name]) => (name?.startsWith(`${extension}-`) ? [name] : []))
}

/** Plays one scenario, which the suite plays in no other way where it is of an extension. */
export async function playedAlone(
  scenario: string,
  { release }: Line,
  url: string,
): Promise<Outcome> {
  const program = await programOf(release)
  const text = said(await node([program, 'server', '--url', url, '--scenario', scenario]))
  const [line = 'was not played', passed, all, failed] =
    /Passed: (\d+)\/(\d+), (\d+) failed/u.exec(text) ?? []
  return { passed: passed === all && failed === '0' && all !== '0', said: line }
}

function said({ stdout, stderr }: Ran): string {
  return `${stdout}\n${stderr}`
}

function node(args: readonly string[]): Promise<Ran> {
  return ran(process.execPath, args, { cwd: tmpdir(), timeout: endsWithinMs })
}
