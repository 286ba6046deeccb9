const ascii = /^[\0-\x7f]*$/
const atMost = 200
/** Characters read of one text: the rest is ignored, so that a text of megabytes does not block. */
const charactersAtMost = 20_000

/** The words of a text, folded so that letter case and forms of characters make no difference. */
export function wordsIn(text: string): string[] {
  const words = ascii.test(text)
    ? text.toLowerCase().match(/[a-z0-9]+/g)
    : text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}]+/gu)
  return words ?? []
}

/** What an agent is found by: the words of its id, name, role, tagline and skills, each once. */
export function searchWords(agent: {
  id: string
  name: string
  role: string | null
  tagline: string | null
  skills: readonly string[]
}): string[] {
  const { id, name, role, tagline, skills } = agent
  const words = new Set<string>()
  for (const text of [id, name, role ?? '', tagline ?? '', ...skills]) {
    for (const word of wordsIn(text.slice(0, charactersAtMost))) words.add(word)
    if (words.size >= atMost) break
  }
  return [...words].slice(0, atMost)
}
