import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { catalog } from '#src/catalog.ts'
import type { Operation } from '#src/core/operation.ts'
import { isPaid, play, playUnpaid, unpaidName } from './play.ts'

/*
 * Plays the example of every operation and writes what it answers, for the documents: `npm run
 * examples`. With names of operations behind it (`npm run examples -- tasks.run`) those alone.
 */

const path = fileURLToPath(new URL('../../../src/documents/answers.json', import.meta.url))
const chosen = process.argv.slice(2)
// What this program has written.
const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
const answers: Record<string, unknown> = {}
let failed = 0

/** What it answers, or why there is nothing to show. */
async function answerOf(op: Operation): Promise<{ shown: unknown } | { fault: string }> {
  try {
    const { shown, answer, refusal } = await play(op)
    if (refusal) return { fault: JSON.stringify(refusal) }
    const { error } = op.output.safeParse(answer)
    return error ? { fault: error.message } : { shown }
  } catch (cause) {
    return { fault: String(cause) }
  }
}

for (const op of catalog) {
  if (chosen.length > 0 && !chosen.includes(op.name)) {
    answers[op.name] = kept[op.name]
    if (isPaid(op)) answers[unpaidName(op)] = kept[unpaidName(op)]
    continue
  }
  const answered = await answerOf(op)
  if ('fault' in answered) {
    process.stderr.write(`${op.name}: ${answered.fault}\n`)
    failed += 1
    continue
  }
  answers[op.name] = answered.shown
  if (isPaid(op)) answers[unpaidName(op)] = (await playUnpaid(op)).shown
}
await writeFile(path, `${JSON.stringify(answers, null, 2)}\n`)
process.stdout.write(`${Object.keys(answers).length} answers, ${failed} without\n`)
process.exitCode = failed > 0 ? 1 : 0
