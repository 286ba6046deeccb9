/** Words that say nothing about what is wanted: articles, pronouns, politeness, "how do I". */
const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those it its i me my mine we us our you your yours he she they them their who
  whose which what when where why how is are was were be been am do does did done doing can could may might
  should shall will would must have has had of to in into on onto at by for from with without about as and or
  but if then so than too very not no any some something anything every each one ones there here please want wants need needs
  like using use via let lets make sure way ways able again now only just also own other another work
  works working help`.split(/\s+/),
)

/** Verbs of two words, which would mean something else taken apart. */
const phrases: Readonly<Record<string, string>> = {
  'tear down': 'teardown',
  'pick up': 'lease',
  'sign up': 'signup',
  'shut down': 'teardown',
  'roll back': 'rollback',
  'dry run': 'plan',
  'rate limit': 'limit',
}
const phrase = /\b(?:tear down|pick up|sign up|shut down|roll back|dry run|rate limit)(?=s?\b)/g

/** Characters of a text that are looked at, and different words that are kept. */
const charactersAtMost = 2000
const wordsAtMost = 24
const longestWord = 40

/**
 * The stems of the telling words of a text, each once, in their order: at most 24, so that any text costs
 * little. If only stop words were said, these are kept.
 */
export function stemsOf(text: string): string[] {
  const words = wordsOf(text.slice(0, charactersAtMost))
  const telling = words.filter((word) => !stopWords.has(word))
  return [...new Set((telling.length > 0 ? telling : words).map(stem))].slice(0, wordsAtMost)
}

/** Whether a text has a word that says something about what is wanted. */
export function tells(text: string): boolean {
  return wordsOf(text.slice(0, charactersAtMost)).some((word) => !stopWords.has(word))
}

/** The words of a text or a name, in lower case; camelCase and snake_case are taken apart. */
export function wordsOf(text: string): string[] {
  const words = text.replaceAll(/[a-z\d](?=[A-Z])/g, '$& ').toLowerCase()
  const whole = words.replaceAll(phrase, (found) => phrases[found] ?? found)
  return (whole.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length <= longestWord)
}

/** An English word without its ending, so that "replies", "replied" and "reply" are one. */
export function stem(word: string): string {
  return withoutSilent(withoutEnding(word))
}

function withoutEnding(word: string): string {
  if (word.length > 4 && /(?:ies|ied)$/.test(word)) return `${word.slice(0, -3)}y`
  if (word.length > 5 && word.endsWith('ing')) return undoubled(word.slice(0, -3))
  if (word.length > 4 && word.endsWith('ed')) return undoubled(word.slice(0, -2))
  if (word.length > 4 && /(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}

/** "running" is "run", but "calling" is "call". */
function undoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

/** "schedule" is one with "scheduled" and "scheduling". */
function withoutSilent(word: string): string {
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word
}
