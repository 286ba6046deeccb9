import { hidden } from '#src/core/text/text.ts'

const nameCharactersAtMost = 200
const allHidden = new RegExp(hidden, 'gv')

/** A valid name and a note of what was changed; the name is empty if none of it is visible. */
export function plainName(sent: string): { name: string; note: string | undefined } {
  const plain = sent.replaceAll(allHidden, '').trim()
  const name = Array.from(plain).slice(0, nameCharactersAtMost).join('').trim()
  if (name.length < plain.length) {
    return { name, note: cutWords(nameCharactersAtMost) }
  }
  const isAsSent = name === sent
  const note = 'Blanks around it and invisible characters were left out.'
  return { name, note: isAsSent ? undefined : note }
}

/** That a text was too long, in words. */
export function cutWords(charactersAtMost: number): string {
  return `It was cut to ${charactersAtMost} characters.`
}
