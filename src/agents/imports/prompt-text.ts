import { cutTo } from './placeholders.ts'
import type { Path, Sorting } from './sort-members.ts'

/** Longest text that is put before everything that an agent does, in characters. */
export const promptCharactersAtMost = 100_000
/** Longest bio that is taken over. */
export const bioCharactersAtMost = 20_000

/** A part of a system prompt: where it stands in the file, and how it is introduced. */
export interface Part {
  path: Path
  /** Put in front of the text. */
  before?: string
  /** The text where it is not simply what stands there. */
  text?: string
}

/** Where a system prompt has its place. */
export const promptPointer = '/brain/system_prompt_override'

/** The parts that hold something, woven into one text. Their originals stay. */
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
