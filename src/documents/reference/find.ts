import type { Entry } from './entries.ts'
import type { Chapter } from './chapter.ts'

/** An operation and its page. */
export interface Found {
  slug: string
  entry: Entry
}

/** The longest search text, in characters. */
export const soughtAtMost = 200

/** Operations that contain every word, first those with it in their name. */
export function foundIn(chapters: readonly Chapter[], sought: string): Found[] {
  const words =
    sought
      .slice(0, soughtAtMost)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const ranked = chapters.flatMap(({ slug, entries }) =>
    entries.map((entry) => ({ slug, entry, score: scoreOf(entry, words) })),
  )
  return ranked
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ slug, entry }) => ({ slug, entry }))
}

/** 0 if a word is missing, or if there are no words. */
function scoreOf(entry: Entry, words: readonly string[]): number {
  const name = entry.name.toLowerCase()
  const where = `${entry.method} ${entry.paths.join(' ')} ${entry.summary}`.toLowerCase()
  const members = entry.members.map((member) => member.name).join(' ')
  const rest = `${entry.description ?? ''} ${members} ${codesIn(entry)}`.toLowerCase()
  let score = 0
  for (const word of words) {
    if (name.includes(word)) score += 4
    else if (where.includes(word)) score += 2
    else if (rest.includes(word)) score += 1
    else return 0
  }
  return score
}

function codesIn({ refusals }: Entry): string {
  return refusals.map(({ says }) => says).join(' ')
}
