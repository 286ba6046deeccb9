import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Characters of a text that are looked at, so that long prompts cost no more than short ones. */
const lookedAt = 4000
/** What a word counts by where it stands; in several places, by the best. */
const weights = { name: 4, tags: 3, description: 2, prompt: 1 } as const

// Words that say nothing about what is wanted.
const common = new Set(
  (
    'a about all also an and any are as at be but by can could do does for from get give had has have he her his how ' +
    'i if in into is it its me my no not of on or our please she should so some than that the their them then ' +
    'there they this to up us want was we were what when which who will with would you your'
  ).split(' '),
)
const word = /[\p{L}\p{N}]+/gu
// Written without spaces between words: each pair of neighbours counts as a word.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]+/gu

/** A task with how well it fits. */
export interface Match {
  task: StoredTask
  score: number
}

/**
 * The task that fits a text best; undefined when none has a word of it. Every word of the text that
 * a task has counts by its best place (name 4, tags 3, description 2, prompt 1) times ln(1 + n / m),
 * where m of the n tasks have it. Of equals the first wins.
 */
export function bestMatch(text: string, tasks: readonly StoredTask[]): Match | undefined {
  const wanted = wordsOf(text)
  const places = tasks.map((task) => placesOf(task, wanted))
  const scores = places.map((own) => {
    let score = 0
    for (const [one, weight] of own) {
      const having = places.filter((other) => other.has(one)).length
      score += weight * Math.log(1 + tasks.length / having)
    }
    return score
  })
  const best = Math.max(0, ...scores)
  const task = best > 0 ? tasks[scores.indexOf(best)] : undefined
  return task && { task, score: best }
}

/** Of the wanted words those that the task has, with the weight of their best place. */
function placesOf(task: StoredTask, wanted: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>()
  const look = (text: string | null | undefined, weight: number): void => {
    if (!text) return
    for (const one of wordsOf(text)) if (wanted.has(one)) found.set(one, weight)
  }
  // From the least place to the best, whose weight stays.
  look(task.prompt, weights.prompt)
  look(task.description, weights.description)
  look(task.tags.join(' '), weights.tags)
  look(task.name, weights.name)
  return found
}

/** Words without accents, case and the plural s; pairs of letters where there are no spaces. */
export function wordsOf(text: string): Set<string> {
  const plain = text.slice(0, lookedAt).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = new Set<string>()
  const spaced = plain.replaceAll(unspaced, (run) => {
    const letters = Array.from(run)
    if (letters.length === 1) words.add(run)
    for (let i = 1; i < letters.length; i++) words.add(`${letters[i - 1]}${letters[i]}`)
    return ' '
  })
  for (const [one] of spaced.matchAll(word)) {
    if (!common.has(one)) words.add(singular(one))
  }
  return words
}

function singular(word: string): string {
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}
