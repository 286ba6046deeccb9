import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { areaNamed, areas, type Area } from './areas.ts'
import { equivalents } from './equivalent/all.ts'
import { optionsFor } from './options.ts'
import { judge, type Verdict } from './verdict.ts'

// Mutation tests: makes small mistakes in the files of one area after the other, and looks whether a
// test notices. Ends with 1 where one survives that is not on the list.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' } },
})
const chosen = positionals.length > 0 ? positionals.map(areaNamed) : areas
// SQLite alone, and in memory where the machine has a folder there: a third of the time.
delete process.env.MONGODB_URI
if (existsSync('/dev/shm')) process.env.TMPDIR ??= '/dev/shm'

let holes = 0
for (const area of chosen) {
  const began = performance.now()
  process.env.MUTANTS_AREA = area.name
  const results = await new Stryker(optionsFor(area, Number(values.concurrency))).runMutationTest()
  const verdict = judge(results, equivalents[area.name] ?? [])
  tell(area, verdict, (performance.now() - began) / 1000)
  holes += verdict.holes.length
}
process.exitCode = holes > 0 ? 1 : 0

function tell({ name }: Area, verdict: Verdict, seconds: number): void {
  const { mutants, killed, equivalent, stale } = verdict
  say(
    `${name}: ${mutants} mutants, ${killed} killed, ${equivalent} equivalent, ` +
      `${verdict.holes.length} holes, ${Math.round(seconds)} s`,
  )
  for (const { file, lineNumber, isUncovered, line, was, becomes } of verdict.holes) {
    say(`  ${file}:${lineNumber}${isUncovered ? ', where no test comes by' : ''}`)
    say(`    ${JSON.stringify({ line, was, becomes })}`)
  }
  for (const { file, line, was, becomes } of stale) {
    say(`  no longer survives, take it off the list: ${file}`)
    say(`    ${JSON.stringify({ line, was, becomes })}`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
