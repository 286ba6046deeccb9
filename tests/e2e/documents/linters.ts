import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetched, ran, type Package, type Ran } from '#tests/e2e/conformance/fetched.ts'

/** What a linter says of the contract. */
export interface Verdict {
  name: string
  release: string
  passed: boolean
  /** Everything that it finds, each in one line. */
  found: readonly string[]
}

interface Linter extends Package {
  /** Of the package. */
  program: string
  /** Its configuration: a file's name and text. */
  rules: readonly [name: string, text: string]
  args: (document: string, rules: string) => readonly string[]
  findings: (said: Ran) => string[]
}

const endsWithinMs = 180_000

const linters: readonly Linter[] = [
  {
    name: '@redocly/cli',
    release: '2.77.0',
    program: 'bin/cli.js',
    // Three paths are documented with a final slash, and answer with and without it.
    rules: [
      'redocly.yaml',
      'extends: [recommended-strict]\nrules:\n  no-path-trailing-slash: off\n',
    ],
    args: (document, rules) => [
      'lint',
      document,
      `--config=${rules}`,
      '--format=json',
      '--max-problems=1000',
    ],
    findings({ stdout }) {
      // The linter's own report.
      const { problems } = JSON.parse(stdout) as {
        problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
      }
      return problems.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
      )
    },
  },
  {
    name: '@stoplight/spectral-cli',
    release: '6.16.3',
    program: 'dist/index.js',
    // The slash as above; and the author of the contract does not know who operates a server. What a search
    // of operations answers has a `schema` next to an `example`, which this linter takes for a media type:
    // examples are held against their schemas by tests/documents/examples.test.ts.
    rules: [
      'spectral.yaml',
      'extends: ["spectral:oas"]\nrules:\n  path-keys-no-trailing-slash: off\n  info-contact: off\n  oas3-valid-media-example: off\n',
    ],
    args: (document, rules) => [
      'lint',
      document,
      `--ruleset=${rules}`,
      '--format=json',
      '--fail-severity=hint',
      '--quiet',
    ],
    findings({ stdout }) {
      // The linter's own report.
      const found = JSON.parse(stdout) as { code: string; message: string; path: string[] }[]
      return found.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)
    },
  },
]

/** Has every linter read the contract, under its strict rules. */
export async function linted(contract: string): Promise<Verdict[]> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-lint-'))
  try {
    const document = join(folder, 'openapi.json')
    await writeFile(document, contract)
    const verdicts: Verdict[] = []
    for (const linter of linters) verdicts.push(await verdictOf(linter, document, folder))
    return verdicts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function verdictOf(linter: Linter, document: string, folder: string): Promise<Verdict> {
  const { name, release, rules, program } = linter
  const [file, text] = rules
  const written = join(folder, file)
  await writeFile(written, text)
  const home = await fetched(linter)
  const said = await ran(
    process.execPath,
    [join(home, program), ...linter.args(document, written)],
    { cwd: folder, timeout: endsWithinMs, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
  )
  const found = readable(linter, said)
  return { name, release, passed: said.code === 0 && found.length === 0, found }
}

function readable({ findings }: Linter, said: Ran): string[] {
  try {
    return findings(said)
  } catch {
    return [`ended with ${said.code}: ${said.stdout.slice(0, 500)}${said.stderr.slice(0, 500)}`]
  }
}
