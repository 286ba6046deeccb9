import { hidden } from '#src/core/text/text.ts'

const nameCharactersAtMost = 200
const allHidden = new RegExp(hidden, 'gv')

/** A name as it can be one here, and what had to be done; empty where nothing of it can be seen. */
export function plainName(sent: string): { name: string; note: string | undefined } {
  const plain = sent.replaceAll(allHidden, '').trim()
  const name = Array.from(plain).slice(0, nameCharactersAtMost).join('').trim()
  if (name.length < plain.length) {
    return { name, note: `It is cut to ${nameCharactersAtMost} characters.` }
  }
  const isAsSent = name === sent
  const note = 'Blanks around it and characters that nobody sees are left out.'
  return { name, note: isAsSent ? undefined : note }
}
