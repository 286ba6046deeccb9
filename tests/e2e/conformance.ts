import { availableParallelism } from 'node:os'
import { expectedFailures, productScenarios } from './conformance/expected.ts'
import { openFixture, type Target } from './conformance/fixture.ts'
import { openProduct } from './conformance/product.ts'
import { lines, played, scenariosOf, type Line } from './conformance/suite.ts'

/**
 * Plays the official MCP conformance suite, scenario by scenario, against the product's door in a
 * real process and against a server made of the same door with the tools that the suite asks for.
 * Ends non-zero when a scenario fails that should pass, or passes that should fail.
 */

/** Scenarios mostly wait, for streams and pauses of their own. */
const playsAtOnce = 3 * availableParallelism()

interface Play {
  target: string
  line: Line
  scenario: string
  url: string
}

interface Verdict {
  isAsExpected: boolean
  row: string
}

const targets: Record<
  string,
  { open: () => Promise<Target>; takes: (scenario: string) => boolean }
> = {
  fixture: { open: openFixture, takes: () => true },
  product: { open: openProduct, takes: (scenario) => productScenarios.has(scenario) },
}

async function playsOf(target: string, url: string, takes: (scenario: string) => boolean) {
  const plays: Play[] = []
  for (const line of lines) {
    const scenarios = (await scenariosOf(line)).filter(takes)
    plays.push(...scenarios.map((scenario) => ({ target, line, scenario, url })))
  }
  return plays
}

async function judged({ target, line, scenario, url }: Play): Promise<Verdict> {
  const { passed, said } = await played(line, scenario, url)
  const failure = expectedFailures[target]?.[scenario]
  const isAsExpected = failure ? !passed && said.startsWith(failure.passing) : passed
  const verdict = passed ? 'passes' : 'fails'
  const shown = isAsExpected
    ? failure
      ? `${verdict}, as expected`
      : verdict
    : verdict.toUpperCase()
  const cells = [
    target.padEnd(8),
    `${line.revision} (${line.release})`.padEnd(28),
    scenario.padEnd(46),
  ]
  const why = failure ? `${said}: ${failure.reason}` : said
  return { isAsExpected, row: [...cells, shown.padEnd(18), why].join(' ') }
}

/** Several at once, printed in their order. */
async function playAll(plays: readonly Play[]): Promise<Verdict[]> {
  const waiting = [...plays.entries()]
  const verdicts: Verdict[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, play] = next
      verdicts[i] = await judged(play)
    }
  }
  await Promise.all(Array.from({ length: playsAtOnce }, worker))
  return verdicts
}

async function main(): Promise<void> {
  const verdicts: Verdict[] = []
  for (const [name, { open, takes }] of Object.entries(targets)) {
    const target = await open()
    try {
      verdicts.push(...(await playAll(await playsOf(name, target.url, takes))))
    } finally {
      await target.close()
    }
  }
  for (const { row } of verdicts) process.stdout.write(`${row}\n`)
  const failed = verdicts.filter(({ isAsExpected }) => !isAsExpected).length
  process.stdout.write(`${verdicts.length - failed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}

await main()
