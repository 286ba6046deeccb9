import { attacks } from './attacks.ts'
import { openPlace, play, type Stood } from './play.ts'

/** What an honest caller is promised during any attack. */
const promised = { healthMs: 100, readMs: 300, peakMb: 600 }

/** What is not kept of it. */
export function broken({ noticed, peakMb, isAlive }: Stood): string[] {
  const { healthMs, readMs, peakMb: most } = promised
  return [
    ...(isAlive ? [] : ['the process has ended']),
    ...(noticed.failed > 0 ? [`${noticed.failed} honest calls failed`] : []),
    ...(noticed.health.p99 > healthMs ? [`/health p99 above ${healthMs} ms`] : []),
    ...(noticed.read.p99 > readMs ? [`read p99 above ${readMs} ms`] : []),
    ...(peakMb > most ? [`more than ${most} MB`] : []),
  ]
}

function rowOf(stood: Stood): string {
  const { what, answers, noticed, stallMs, peakMb } = stood
  const said = Object.entries(answers)
    .sort(([, a], [, b]) => b - a)
    .map(([answer, times]) => `${times} × ${answer}`)
  const { health, read, create, run } = noticed
  const times = [health, read, create, run].map(
    ({ p99, longest }) => `${p99.toFixed(0)} / ${longest.toFixed(0)}`,
  )
  const faults = broken(stood).join(', ') || 'kept'
  const figures = [...times, stallMs.toFixed(0), peakMb, faults]
  return `| ${what} | ${said.join(', ')} | ${figures.join(' | ')} |`
}

const words = process.argv.slice(2)
const at = words.indexOf('--seconds')
const seconds = at < 0 ? 60 : Number(words[at + 1])
const names = at < 0 ? words : words.toSpliced(at, 2)
const chosen = names.length === 0 ? attacks : attacks.filter(({ name }) => names.includes(name))
if (chosen.length === 0 || !(seconds > 0)) {
  console.error(`npm run attack -- [--seconds N] [${attacks.map(({ name }) => name).join(' ')}]`)
  process.exit(2)
}
console.log(`Each for ${seconds} s, public limits, with an honest caller at the same address.`)
console.log('Times are p99 / longest, in ms.\n')
console.log(
  '| Attack | Answers | /health | read | small write | template run | longest stall | peak MB | |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
for (const attack of chosen) {
  await using place = await openPlace()
  const stood = await play(attack, seconds, place)
  console.log(rowOf(stood))
  if (broken(stood).length > 0) process.exitCode = 1
}
