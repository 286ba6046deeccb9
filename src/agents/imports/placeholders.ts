const self = /\{\{\s*(?:char|agentname)\s*\}\}|<(?:char|bot)>/gi
const reader = /\{\{\s*user\d*\s*\}\}|<user>/gi

/**
 * A text of a card with the placeholders for agent and user replaced by the agent's name and a plain
 * word. Other macros stay, because nothing here fills in the texts of a profile.
 */
export function filledIn(text: string, name: string): string {
  if (!text.includes('{{') && !text.includes('<')) return text
  return text.replaceAll(self, () => name).replaceAll(reader, 'the user')
}

/** The text cut to this many characters, never within one. */
export function cutTo(text: string, charactersAtMost: number): string {
  return text.length <= charactersAtMost ? text : text.slice(0, charactersAtMost).toWellFormed()
}
