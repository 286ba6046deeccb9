import { cutTo } from './placeholders.ts'
import type { Path, Sorting } from './sort-members.ts'

/** Longest system prompt, in characters. */
export const promptCharactersAtMost = 100_000
/** Longest imported bio, in characters. */
export const bioCharactersAtMost = 20_000

/** A part of a system prompt: where it is in the file, and how it is introduced. */
export interface Part {
  path: Path
  /** Put in front of the text. */
  before?: string
  /** The text, if it is not simply the value there. */
  text?: string
}

/** The pointer of an agent's system prompt. */
export const promptPointer = '/brain/system_prompt_override'

/** The non-empty parts joined into one text. Their originals stay. */
export function woven(sorting: Sorting, parts: readonly Part[]): string {
  const texts: string[] = []
  let left = promptCharactersAtMost
  for (const { path, before = '', text = sorting.text(path) } of parts) {
    if (text === '' || left <= 0) {
      if (text !== '') sorting.note(path, 'There is no room for it in the system prompt.')
      continue
    }
    const fitted = before + sorting.fitting(text, path, left)
    if (path.length > 0) sorting.map(path, promptPointer)
    texts.push(cutTo(fitted, left))
    left -= fitted.length + 2
  }
  return texts.join('\n\n')
}
