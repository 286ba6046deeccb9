import { parseArgs } from 'node:util'
import { cpus, loadavg } from 'node:os'
import { stores } from '#tests/support/stores.ts'
import { playOn } from './play.ts'
import { scenarios } from './scenarios.ts'
import { hasFailed, head, rowsOf, type Outcome } from './verdict.ts'

const { values: options } = parseArgs({
  options: {
    /** A scenario by its name, as often as wanted. */
    only: { type: 'string', multiple: true, default: [] },
    /** On one store alone. */
    store: { type: 'string' },
    /** Each on less, for figures of a first look. */
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const unknown = options.only.filter((name) => !scenarios.some((one) => one.name === name))
const kinds = stores().filter(({ name }) => (options.store ?? name) === name)
if (unknown.length > 0 || kinds.length === 0) {
  const names = scenarios.map(({ name, what }) => `  ${name.padEnd(14)} ${what}`)
  console.error(`npm run faults -- [--only NAME] [--store sqlite|mongodb] [--short] [--json]`)
  console.error(`${names.join('\n')}\nMongoDB takes MONGODB_URI, which names a replica set.`)
  process.exit(2)
}

const chosen = scenarios.filter(
  ({ name }) => options.only.length === 0 || options.only.includes(name),
)
const outcomes: Outcome[] = []
const load = loadavg()[0]?.toFixed(1)
for (const kind of kinds) {
  for (const scenario of chosen.filter((one) => one.stores.includes(kind.name))) {
    process.stderr.write(`${scenario.name} on ${kind.name}: ${scenario.what} …\n`)
    const outcome = await playOn(scenario, kind, options.short)
    process.stderr.write(`  ${outcome.seconds} s, ${hasFailed(outcome) ? 'missed' : 'met'}\n`)
    if (outcome.fault !== undefined) process.stderr.write(`${outcome.fault}\n`)
    for (const { figure, value, verdict } of outcome.judged) {
      if (verdict === 'missed') process.stderr.write(`  missed: ${figure} ${value}\n`)
    }
    outcomes.push(outcome)
  }
}
const about = `Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model}, load ${load} at the start and ${loadavg()[0]?.toFixed(1)} at the end`
if (options.json) console.log(JSON.stringify({ about, outcomes }, null, 2))
else console.log([...head, ...outcomes.flatMap(rowsOf), '', about].join('\n'))
// What a scenario may have left open would keep it running.
process.exit(outcomes.some(hasFailed) ? 1 : 0)
